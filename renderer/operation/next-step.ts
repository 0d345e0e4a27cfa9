import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { balanceAfter } from './balances.ts';
import type { SpendValue } from './entry.ts';
import { isEarnOperation } from './operations.ts';
import type { RefusalReason } from './outcome.ts';

/** What a cashier does about a refusal. */
export type NextStep =
  | { readonly kind: 'other_card'; readonly card: CardEntry }
  | { readonly kind: 'amount' | 'receipt' | 'full_price' | 'later' };

type Mend = 'other_card' | 'amount' | 'receipt';

/** What repairs a refusal, by its cause; null: nothing at the till does. */
const mends: Readonly<Record<RefusalReason, Mend | null>> = {
  card_not_eligible: 'other_card',
  card_choice_needed: 'other_card',
  currency_mismatch: 'other_card',
  insufficient_balance: 'amount',
  invalid: 'amount',
  reference_taken: 'receipt',
  // Under another number it goes without the key.
  key_taken: 'receipt',
  customer_not_found: null,
  coupon_used: null,
  hold_expired: null,
  hold_over: null,
  paid_in_full: null,
  mechanics_unknown: null,
  outside_window: null,
  changed_on_disk: null,
  other: null,
};

export function mendOf(reason: RefusalReason): Mend | null {
  return mends[reason];
}

/** What was refused, and the cards of its customer. */
export interface Refused {
  readonly reason: RefusalReason;
  /** The operations of a card by which it may have been entered. */
  readonly operations: readonly CardOperation[];
  /** Null: the operation has no value that is entered by digits. */
  readonly value: SpendValue | null;
  readonly cardId: string | null;
  /** The cards of the customer in front. */
  readonly cards: readonly CardEntry[];
}

/** The next step for the customer in front. Another card is advised only when the customer has a fitting one. */
export function nextStep(refused: Refused): NextStep {
  const { reason, operations, value, cardId, cards } = refused;
  const otherwise: NextStep = { kind: operations.every(isEarnOperation) ? 'later' : 'full_price' };
  // The operation is another customer's, or its card is unknown, so it cannot be entered again for the customer in
  // front.
  if (!cards.some(({ card_id }) => card_id === cardId)) return otherwise;
  const mend = mends[reason];
  switch (mend) {
    case null:
      return otherwise;
    case 'other_card': {
      const card = cards.find((other) => other.card_id !== cardId && takes(other, refused));
      return card === undefined ? otherwise : { kind: mend, card };
    }
    case 'amount':
      return value === null || 'reward' in value || 'coupon_code' in value ? otherwise : { kind: mend };
    case 'receipt':
      return { kind: mend };
    default:
      return assertNever(mend);
  }
}

/** Whether a card allows the same operation, in the same currency, and holds enough when it is spent from. */
function takes(card: CardEntry, { operations, value }: Refused): boolean {
  const { allowed_operations, balances } = card;
  const allowed = operations.filter((operation) => allowed_operations.includes(operation));
  const currency = value !== null && 'currency' in value ? value.currency : null;
  if (currency !== null && balances.currency !== null && balances.currency !== currency) return false;
  return allowed.some((operation) => {
    if (isEarnOperation(operation)) return true;
    // A card that earns whole rewards lists none of them.
    if (operation === 'redeem_reward') return balances.rewards_available !== 0;
    const change = value === null ? null : balanceAfter(card, value);
    return change === null || change.after.value >= 0;
  });
}
