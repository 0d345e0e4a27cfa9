import fc from 'fast-check';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { CardKind, Kind } from './loyalty-model.ts';

/** What the customer holds at first; points in thousandths. */
export const cards = [
  { kind: 'points', template: 'tpl_reward', count: 150_500 },
  { kind: 'cashback', template: 'tpl_cashback', count: 400 },
  { kind: 'stamps', template: 'tpl_stamp', count: 17 },
  { kind: 'visits', template: 'tpl_membership', count: 4 },
  { kind: 'coupon', template: 'tpl_coupon', count: 1 },
] as const satisfies readonly { kind: CardKind; template: string; count: number }[];

/** What may happen at a till, in values that are small and meet often. */
export type Step =
  | { readonly do: 'earn'; readonly ref: string; readonly card: number; readonly value: number; readonly by: EarnBy }
  | { readonly do: 'redeem'; readonly ref: string; readonly card: number; readonly value: number; readonly kind: Kind }
  | { readonly do: 'reverse'; readonly ref: string; readonly side: 'earn' | 'redeem'; readonly as: string | null }
  | { readonly do: 'reverse by id'; readonly pick: number; readonly as: string | null }
  | {
      readonly do: 'reserve';
      readonly ref: string;
      readonly card: number;
      readonly value: number;
      readonly ttl: number;
    }
  | { readonly do: 'commit'; readonly pick: number; readonly order: string }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'fail'; readonly pick: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** The step before, to the letter: a retry. */
  | { readonly do: 'again' };
type EarnBy = 'amount_minor' | 'unit';

const minuteMs = 60_000;

// Few references, so that they meet: replays, reversals of replays, orders that are receipts.
const ref = fc.constantFrom('R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-8');
const card = fc.nat(cards.length - 1);
const pick = fc.nat(1000);
const as = fc.option(fc.constantFrom('R-1', 'V-1', 'V-2', 'V-3'), { freq: 2 });
const value = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 }));
const kind = fc.constantFrom<Kind>('points', 'amount_minor', 'stamps', 'visits', 'coupon_code', 'reward');
const fitting: Readonly<Record<CardKind, readonly Kind[]>> = {
  points: ['points', 'reward'],
  cashback: ['amount_minor'],
  stamps: ['stamps', 'reward'],
  visits: ['visits'],
  coupon: ['coupon_code'],
};
/** Mostly a value that the card can spend. */
const redemption = fc
  .record({ ref, card, value, kind, fits: fc.integer({ min: 0, max: 7 }) })
  .map(({ fits, ...step }): Step => {
    const kinds = fitting[cards[step.card]?.kind ?? 'points'];
    return { do: 'redeem', ...step, kind: fits === 0 ? step.kind : (kinds[fits % kinds.length] ?? step.kind) };
  });
const other: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('earn' as const),
      ref,
      card,
      value,
      by: fc.constantFrom<EarnBy>('amount_minor', 'unit', 'unit'),
    }),
  },
  { weight: 5, arbitrary: redemption },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      ref,
      side: fc.constantFrom('earn' as const, 'redeem' as const),
      as,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse by id' as const), pick, as }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      ref,
      card: fc.constantFrom(0, 0, 1, 1, 2),
      value,
      ttl: fc.constantFrom(1, 5, 120, 500),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), pick, order: ref }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 400, 999, 1000, minuteMs, 4 * minuteMs, 115 * minuteMs),
    }),
  },
);

const step = fc.oneof({ weight: 6, arbitrary: other }, { weight: 1, arbitrary: fc.constant<Step>({ do: 'again' }) });

/** Histories long enough that references, orders and reservations meet. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 25, maxLength: 60, size: 'max' });

/** What is sent, and what the card gets for it in the model's unit; null when the card cannot earn so. */
export function earning(kindOfCard: CardKind, { value: amount, by }: { readonly value: number; readonly by: EarnBy }) {
  const money = { amount_minor: amount * 97 };
  switch (kindOfCard) {
    case 'points':
      if (by === 'unit') return { fields: { points: amount / 8 }, gives: amount * 125 };
      return { fields: money, gives: Math.floor((amount * 97) / 1000) * 1000 };
    case 'cashback':
      if (by === 'unit') return { fields: { points: amount }, gives: null };
      return { fields: money, gives: Math.floor((amount * 97) / 20) };
    case 'stamps':
      return by === 'unit' ? { fields: { stamps: amount }, gives: amount } : { fields: money, gives: null };
    case 'visits':
      return by === 'unit' ? { fields: { visits: amount }, gives: amount } : { fields: money, gives: null };
    case 'coupon':
      return { fields: money, gives: null };
    default:
      return assertNever(kindOfCard);
  }
}

/** What is sent, and how much that is in the model's unit. */
export function spending(
  { kind: what, value: amount }: { readonly kind: Kind; readonly value: number },
  on: { readonly cardId: string; readonly kindOfCard: CardKind },
) {
  switch (what) {
    case 'points':
      return { sends: { points: amount / 4 }, spends: amount * 250 };
    case 'amount_minor':
      return { sends: { amount_minor: amount }, spends: amount };
    case 'stamps':
    case 'visits':
      return { sends: { [what]: Math.ceil(amount / 8) }, spends: Math.ceil(amount / 8) };
    case 'coupon_code':
      return { sends: { coupon_code: on.cardId }, spends: 1 };
    case 'reward':
      // Only a card that offers a choice has one to be named.
      return {
        sends: on.kindOfCard === 'stamps' ? { reward: true } : { reward: true, reward_id: 'rwd_cake' },
        spends: 1,
      };
    default:
      return assertNever(what);
  }
}
