// Only names, without schemas, so that the page can load them alone.

/** The name of a `card_type` number (spec "Card entry"). */
const cardTypeNames = [
  'Stamp',
  'Cashback',
  'Subscription',
  'Coupon',
  'Discount',
  'Certificate',
  'Membership',
  'Reward',
] as const;
export type CardTypeName = (typeof cardTypeNames)[number];

/** @returns null for a type that this version does not know */
export function cardTypeOf({ card_type }: { readonly card_type: number }): CardTypeName | null {
  return cardTypeNames[card_type] ?? null;
}

/** The facts about one of a card's operations. */
interface CardOperationFacts {
  readonly way: 'earn' | 'spend';
  /** What is entered: money, a number of something, or the choice of a reward or coupon. */
  readonly unit: 'money' | 'points' | 'stamps' | 'visits' | 'reward' | 'coupon';
  /** The name of its `lucide` icon, on its button and its entry. */
  readonly icon: string;
  /**
   * Whether it can be held for an order, as everything that is spent by an amount (spec "POST /redemptions/reserve").
   */
  readonly isHoldable?: true;
}

/** What a card can support, one row each, in the specification's order (spec "Card entry"). */
export const cardOperationTable = {
  earn_amount: { way: 'earn', unit: 'money', icon: 'receipt-text' },
  earn_points: { way: 'earn', unit: 'points', icon: 'star' },
  earn_stamp: { way: 'earn', unit: 'stamps', icon: 'stamp' },
  earn_visit: { way: 'earn', unit: 'visits', icon: 'footprints' },
  redeem_amount: { way: 'spend', unit: 'money', icon: 'banknote', isHoldable: true },
  redeem_points: { way: 'spend', unit: 'points', icon: 'coins', isHoldable: true },
  redeem_stamp: { way: 'spend', unit: 'stamps', icon: 'stamp' },
  redeem_visit: { way: 'spend', unit: 'visits', icon: 'calendar-check' },
  redeem_reward: { way: 'spend', unit: 'reward', icon: 'gift' },
  redeem_coupon: { way: 'spend', unit: 'coupon', icon: 'ticket' },
} as const satisfies Readonly<Record<string, CardOperationFacts>>;

type OperationTable = typeof cardOperationTable;
export type CardOperation = keyof OperationTable;
export const cardOperations = Object.keys(cardOperationTable) as [CardOperation, ...CardOperation[]];

/** The operations whose row has these facts. */
export type CardOperationWith<Facts extends Partial<CardOperationFacts>> = {
  [Name in CardOperation]: OperationTable[Name] extends Facts ? Name : never;
}[CardOperation];

/** The operations that earn or spend and have this unit, in the specification's order. */
export function cardOperationsBy(
  way: CardOperationFacts['way'],
  units: readonly CardOperationFacts['unit'][],
): readonly CardOperation[] {
  return cardOperations.filter((name) => {
    const row = cardOperationTable[name];
    return row.way === way && units.some((unit) => unit === row.unit);
  });
}
