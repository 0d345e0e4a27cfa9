import type { OperationView } from './views.ts';

/** The state of a sale, as far as its customer has to know. */
export type ReceiptStanding = 'done' | 'waits' | 'reversed' | 'cancelled';

/** @returns null for an operation without a receipt: it failed, or it is not a sale */
export function receiptStanding({ intent, state }: Pick<OperationView, 'intent' | 'state'>): ReceiptStanding | null {
  if (intent !== 'earn' && intent !== 'redeem' && intent !== 'commit') return null;
  switch (state) {
    case 'queued':
    case 'sending':
    case 'unknown':
    case 'accepted':
      return 'waits';
    case 'applied':
      return 'done';
    case 'reversed':
      return 'reversed';
    case 'cancelled':
      // The customer may have a receipt of an earn, which is taken at once. A redemption or commit in this state was
      // never done.
      return intent === 'earn' ? 'cancelled' : null;
    case 'refused':
    case 'failed':
    case 'written_off':
      return null;
  }
}

/**
 * Whether the screen offers to print the receipt. While a redemption's outcome is unknown, the cashier decides first.
 */
export function canPrintReceipt(operation: Pick<OperationView, 'intent' | 'state' | 'decision'>): boolean {
  const { intent, state, decision } = operation;
  const isUndecided = intent === 'redeem' && decision === null && (state === 'sending' || state === 'unknown');
  return !isUndecided && receiptStanding(operation) !== null;
}
