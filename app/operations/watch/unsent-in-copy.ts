import type { OperationHistoryEntry } from '../../store/schema/operation.ts';
import type { ToldRecord } from '../ownership/same-record.ts';
import type { OwnedRow } from '../ownership/verdict.ts';

/** Whether bytes of it went out, or may have: a mark that is followed by `queued` is proven to have sent nothing. */
export function wasEverSent(history: readonly OperationHistoryEntry[]): boolean {
  return history.some(({ to }, index) => to === 'sending' && history[index + 1]?.to !== 'queued');
}

/**
 * Whether a record is older than the copy of the database that was put back, in which this operation had never been sent:
 * what was sent since then cannot have been recorded before. An earn's record has the time of the sale, which says nothing
 * about when it was sent.
 *
 * @param knownUpToMs when something happened that the copy knows of, by the service's clock
 */
export function isOlderThanCopy(
  { intent }: Pick<OwnedRow, 'intent'>,
  record: ToldRecord,
  knownUpToMs: number,
): boolean {
  if (intent === 'earn' || record.occurred_at === undefined) return false;
  return Date.parse(record.occurred_at) < knownUpToMs;
}
