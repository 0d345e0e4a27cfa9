import type { OperationHistoryEntry } from '../../store/schema/operation.ts';
import type { ToldRecord } from '../ownership/same-record.ts';
import type { OwnedRow } from '../ownership/verdict.ts';

/** Whether bytes of an operation went out, or may have. A mark that is followed by `queued` is proven to have sent nothing. */
export function wasEverSent(history: readonly OperationHistoryEntry[]): boolean {
  return history.some(({ to }, index) => to === 'sending' && history[index + 1]?.to !== 'queued');
}

/**
 * Whether a record is older than the copy of the database that was put back. In the copy this operation had never been
 * sent, so that such a record cannot be its own. An earn's record has the time of the sale, which does not say when it was
 * sent.
 *
 * @param knownUpToMs the time of something that the copy knows of, by the service's clock
 */
export function isOlderThanCopy(
  { intent }: Pick<OwnedRow, 'intent'>,
  record: ToldRecord,
  knownUpToMs: number,
): boolean {
  if (intent === 'earn' || record.occurred_at === undefined) return false;
  return Date.parse(record.occurred_at) < knownUpToMs;
}
