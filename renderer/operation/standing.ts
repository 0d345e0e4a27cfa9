import { cameToNothing, needsPerson } from '../../shared/machines/operation.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { isOpenState, reversalLooks, type StateLook, spendLooks, stateLooks } from './outcome.ts';

/** How an operation is shown: as a sale, a redemption, a reversal, or anything else. */
type RowKind = 'sale' | 'spend' | 'reversal' | 'errand';

export function rowKind({ intent }: Pick<OperationView, 'intent'>): RowKind {
  switch (intent) {
    case 'earn':
      return 'sale';
    case 'redeem':
    case 'commit':
      return 'spend';
    case 'reverse':
      return 'reversal';
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'release':
      return 'errand';
  }
}

export function rowLook(operation: Pick<OperationView, 'intent' | 'state'>): StateLook {
  switch (rowKind(operation)) {
    case 'sale':
      return stateLooks[operation.state];
    case 'spend':
    case 'errand':
      return spendLooks[operation.state];
    case 'reversal':
      return reversalLooks[operation.state];
  }
}

/**
 * Whether the operation failed. A sale that was cancelled before it was sent did not fail. One that was refused before it
 * was cancelled did. A cancelled reversal did not fail either: what it was to take back is taken back, or came to nothing.
 */
export function wasNotDone({ intent, state, error }: Pick<OperationView, 'intent' | 'state' | 'error'>): boolean {
  if (needsPerson(state) || state === 'written_off') return true;
  if (state !== 'cancelled' || intent === 'reverse') return false;
  return intent !== 'earn' || error !== null;
}

/** The reversal of an operation that is under way or completed; null when there is none. */
export function reversalUnderWay(
  operations: readonly OperationView[],
  { row_id }: OperationView,
): OperationView | null {
  const reversal = operations.find(({ reverses_row_id }) => reverses_row_id === row_id);
  return reversal === undefined || cameToNothing.has(reversal.state) ? null : reversal;
}

/** Whether a redemption's outcome is still unknown. Such a redemption must not be repeated. */
export function isBeingFoundOut({ intent, state }: OperationView): boolean {
  return intent === 'redeem' && (state === 'sending' || state === 'unknown');
}

/** Whether nobody knows yet what is spent of a card or held on it. Until then neither is asked for once more. */
export function isUnsettled(operation: OperationView): boolean {
  const isHold = operation.intent === 'reserve' && isOpenState(operation.state) && operation.decision === null;
  return isHold || isBeingFoundOut(operation);
}

/** Whether the end of something that is spent or held is still awaited. A paid order may be another customer's. */
export function isEndAwaited(operation: OperationView): boolean {
  return isUnsettled(operation) || (operation.intent === 'commit' && isOpenState(operation.state));
}

/** How long a redemption's outcome is unknown before the cashier may decide. */
const decideAfterMs = 15_000;

/** Whether the cashier can only wait for the redemption's outcome, or may decide, or need do neither. */
export function waysWith(operation: OperationView, nowMs: number): 'wait' | 'decide' | 'none' {
  if (!isBeingFoundOut(operation) || operation.decision !== null) return 'none';
  // A time in the future is no sign that it is new. Whoever waits for its outcome must not wait until then.
  return Math.abs(sinceSavedMs(operation, nowMs)) < decideAfterMs ? 'wait' : 'decide';
}

/** How long ago an operation was saved; below zero where the till's clock was set back since. */
export function sinceSavedMs({ saved_at }: Pick<OperationView, 'saved_at'>, nowMs: number): number {
  return nowMs - Date.parse(saved_at);
}
