import type { OperationView } from '../../shared/till/views.ts';
import { reversalLooks, type StateLook, spendLooks, stateLooks } from '../sale/outcome.ts';

/** How an operation is told of: a sale, a redemption, or what follows from one. */
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

/** A code that was asked for, or a wrong one, is no news for the next customer; a new card is. Holds have their own list. */
export function isWorthARow({ intent, state }: OperationView): boolean {
  if (intent === 'enroll' || intent === 'reserve' || intent === 'release') return false;
  return intent !== 'verify' || state === 'applied';
}

/** The reversal that is on its way for an operation; null when none is. */
export function reversalUnderWay(
  operations: readonly OperationView[],
  { row_id }: OperationView,
): OperationView | null {
  const reversal = operations.find(({ reverses_row_id }) => reverses_row_id === row_id);
  if (reversal === undefined) return null;
  const { state } = reversal;
  const isOver = state === 'refused' || state === 'failed' || state === 'cancelled' || state === 'written_off';
  return isOver ? null : reversal;
}

/** A redemption whose outcome is not known: it must not be repeated. */
export function isBeingFoundOut({ intent, state }: OperationView): boolean {
  return intent === 'redeem' && (state === 'sending' || state === 'unknown');
}
