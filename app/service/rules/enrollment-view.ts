import type { EnrollResult } from '../../../shared/contract/enrollment.ts';
import type { StoredEnrollment } from '../store/enrollment-store.ts';

/** Where a customer would install the card; the sandbox has no wallet behind it. */
const walletUrl = 'https://wallet.example/install/';

/** An enrollment that came to its end, as the interface shows it (spec "Other shapes"). */
export function enrollResult(
  { customerId, cardId }: StoredEnrollment,
  { duplicate }: { readonly duplicate: boolean },
): EnrollResult {
  if (customerId === null || cardId === null) throw new Error('An enrollment without a card has no result');
  return {
    status: 'enrolled',
    customer_id: customerId,
    card_id: cardId,
    wallet_install_url: `${walletUrl}${cardId}`,
    // The code came by the phone that was enrolled.
    verified: true,
    duplicate,
  };
}
