import { assertNever } from '../../../shared/lib/assert-never.ts';
import { besideRewards, type CardKind, rewardsIn } from './loyalty-model.ts';

/** A card's balances as the interface shows them; `count` and what is held of it as the model counts them. */
export function shown(kind: CardKind, count: number, held: number): Record<string, number> {
  const rewards = { rewards_available: rewardsIn(kind, count - held) };
  switch (kind) {
    case 'points':
      return { points: count / 1000, ...rewards };
    case 'cashback':
      return { cashback_minor: count };
    case 'stamps':
      return { stamps: besideRewards(kind, count), ...rewards };
    case 'visits':
      return { visits: count };
    case 'coupon':
      return { rewards_available: count };
    default:
      return assertNever(kind);
  }
}

/** What a transaction's record says of its value. */
export interface LedgerRow {
  readonly transaction_id: string;
  readonly intent: string;
  readonly status: string;
  readonly external_ref: string;
  readonly card_id: string;
  readonly amount_minor: number | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
}

/** A card's balances as one number: a reward of a stamp card is the ten stamps that it was made from. */
export function worthOf(kindOfCard: CardKind, balances: Readonly<Record<string, number | undefined>>): number {
  const { points = 0, cashback_minor = 0, stamps = 0, visits = 0, rewards_available = 0 } = balances;
  switch (kindOfCard) {
    case 'points':
      return Math.round(points * 1000);
    case 'cashback':
      return cashback_minor;
    case 'stamps':
      return stamps + 10 * rewards_available;
    case 'visits':
      return visits;
    case 'coupon':
      return rewards_available;
    default:
      return assertNever(kindOfCard);
  }
}

/** What an earn or a redemption is worth by its record; one that records no value is a claimed reward or a coupon. */
export function recordedWorth(kindOfCard: CardKind, row: LedgerRow): number {
  const { intent, amount_minor: amount, points, stamps, visits } = row;
  const sign = intent === 'earn' ? 1 : -1;
  switch (kindOfCard) {
    case 'points':
      if (points !== null) return sign * Math.round(points * 1000);
      return amount === null ? -100_000 : Math.floor(amount / 1000) * 1000;
    case 'cashback':
      return intent === 'earn' ? Math.floor((amount ?? 0) / 20) : -(amount ?? 0);
    case 'stamps':
      return sign * (stamps ?? 10);
    case 'visits':
      return sign * (visits ?? 0);
    case 'coupon':
      return -1;
    default:
      return assertNever(kindOfCard);
  }
}
