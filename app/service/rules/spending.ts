import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { Card } from '../store/card-store.ts';
import type { Deltas, StoredBalances } from './mechanics.ts';
import {
  type Dimension,
  dimensions,
  findTemplate,
  type Mechanics,
  pointScale,
  type RedeemOperation,
} from './templates.ts';

/** What a redemption asks for: its operation, and how much in stored units where the caller says how much. */
export type Spending =
  | {
      readonly operation: Exclude<RedeemOperation, 'redeem_reward' | 'redeem_coupon'>;
      readonly value: number;
    }
  | { readonly operation: 'redeem_coupon' }
  /** `rewardId` is the caller's choice, undefined when none was made. */
  | { readonly operation: 'redeem_reward'; readonly rewardId: string | undefined };

/** What reservations hold of a card, in stored units (decisions "Reservations"). */
export type Holds = Readonly<Partial<Record<Dimension, number>>>;

/** What a reservation holds, in stored units: one of the two. */
export type HeldValue =
  | { readonly points: number; readonly amountMinor: null }
  | { readonly points: null; readonly amountMinor: number };

/** The redemption that a reservation's commit will be. */
export function spendingOfHold({ points, amountMinor }: { points: number | null; amountMinor: number | null }) {
  if (points !== null) return { operation: 'redeem_points', value: points } as const;
  if (amountMinor !== null) return { operation: 'redeem_amount', value: amountMinor } as const;
  throw new Error('A reservation holds nothing');
}

export interface DefiniteCost {
  readonly kind: 'cost';
  readonly deltas: Deltas;
  /** The reward that is claimed. */
  readonly rewardId: string | null;
}
export type Cost = DefiniteCost | Refusal;

/** What a redemption takes from a card that was found to offer it. */
export function costOnCard(card: Pick<Card, 'templateId'>, spending: Spending): Cost {
  const mechanics = findTemplate(card.templateId)?.mechanics;
  if (mechanics == null) throw new Error('A card of unknown mechanics was chosen');
  return costOf(mechanics, spending);
}

/** The same by the mechanics (gap: Cards, templates, mechanics; Which card). */
export function costOf(mechanics: Mechanics, spending: Spending): Cost {
  const rule = mechanics.redeems.find(({ operation }) => operation === spending.operation);
  if (rule === undefined) throw new Error(`The mechanics do not have ${spending.operation}`);
  switch (rule.rule) {
    case 'as_sent':
      if (!('value' in spending)) throw new Error(`${spending.operation} has no value to spend`);
      return cost({ [rule.spends]: -spending.value }, null);
    case 'one':
      // It has no rewards to choose from: one that is named is none of its.
      if ('rewardId' in spending && spending.rewardId !== undefined) return refuseUnknownReward();
      return cost({ [rule.spends]: -1 }, null);
    case 'choice':
      return costOfChoice(mechanics, spending);
    default:
      return assertNever(rule);
  }
}

function costOfChoice({ rewardChoice }: Mechanics, spending: Spending): Cost {
  if (rewardChoice === null) throw new Error('The mechanics have no rewards to choose from');
  const rewardId = 'rewardId' in spending ? spending.rewardId : undefined;
  if (rewardId === undefined) {
    return refuse('CARD_NOT_ELIGIBLE', 'The card offers several rewards: name one by reward_id.', {
      details: ['reward_id_required'],
    });
  }
  if (!rewardChoice.rewards.some((reward) => reward.reward_id === rewardId)) {
    return refuseUnknownReward();
  }
  return cost({ points: -rewardChoice.pointsEach * pointScale }, rewardId);
}

function refuseUnknownReward(): Refusal {
  return refuse('CARD_NOT_ELIGIBLE', 'The card does not offer this reward_id.', { details: ['reward_id_unknown'] });
}

function cost(deltas: Deltas, rewardId: string | null): Cost {
  return { kind: 'cost', deltas, rewardId };
}

/** Refused when what is not held does not cover the cost: a hold lowers what can be spent (gap: Reservations). */
export function checkCovered(balances: StoredBalances, holds: Holds, deltas: Deltas): Refusal | null {
  const covered = dimensions.every((dimension) => {
    const delta = deltas[dimension] ?? 0;
    return delta >= 0 || (balances[dimension] ?? 0) - (holds[dimension] ?? 0) + delta >= 0;
  });
  return covered ? null : refuse('INSUFFICIENT_BALANCE', 'The card does not hold enough for this.');
}
