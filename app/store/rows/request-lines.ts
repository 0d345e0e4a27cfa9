import type { OperationHistoryEntry } from '../schema/operation.ts';
import type { operations } from '../schema/schema.ts';

type NumberedVersion = Pick<typeof operations.$inferSelect, 'bodyVersion'>;

/** What the history says of a request in whose place another one came. */
export const replacedReason = 'another request under the same reference';
/** Between two notes on one change. */
export const betweenNotes = '; ';

/** Whether another request has taken the row with this line of its history. */
export function beginsRequest({ reason }: Pick<OperationHistoryEntry, 'reason'>): boolean {
  return reason?.split(betweenNotes)[0] === replacedReason;
}

/**
 * The lines of a row's history that tell of one of the requests which have stood in it, each time that it was asked for. All of
 * them where a person has corrected one, or an earlier one was put back: then no line tells of which request it is.
 *
 * @param versions of the row, the newest first
 * @param isRequest whether a version asks for the same as the request: its bytes may differ in what makes no other one
 */
export function linesOfRequest<Line extends Pick<OperationHistoryEntry, 'reason'>, Version extends NumberedVersion>(
  history: readonly Line[],
  versions: readonly Version[],
  isRequest: (version: Version) => boolean,
): readonly Line[] {
  let count = 1;
  const numbered = history.map((line) => {
    if (beginsRequest(line)) count += 1;
    return { line, bodyVersion: count };
  });
  if (versions[0]?.bodyVersion !== count) return history;
  const same = versions.filter(isRequest);
  const lines = numbered.filter(({ bodyVersion }) => same.some((version) => version.bodyVersion === bodyVersion));
  return lines.length === 0 ? history : lines.map(({ line }) => line);
}
