import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { Card } from '../store/card-store.ts';
import { besideRewards, type Deltas, type Holds } from './mechanics.ts';
import { dimensions, findTemplate, type Mechanics, type RedeemOperation, type RewardPrice } from './templates.ts';

/** What a redemption asks for: its operation, and how much in stored units where the caller says how much. */
export type Spending =
  | {
      readonly operation: Exclude<RedeemOperation, 'redeem_reward' | 'redeem_coupon'>;
      readonly value: number;
    }
  | { readonly operation: 'redeem_coupon' }
  /** `rewardId` is the caller's choice, undefined when none was made. */
  | { readonly operation: 'redeem_reward'; readonly rewardId: string | undefined };

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
  readonly isReward: boolean;
  /** The reward that is claimed, where there are several. */
  readonly rewardId: string | null;
}
type Cost = DefiniteCost | Refusal;

/** What a redemption takes from a card that was found to offer it. */
export function costOnCard(card: Pick<Card, 'templateId'>, spending: Spending): Cost {
  return costOf(mechanicsOf(card), spending);
}

function mechanicsOf(card: Pick<Card, 'templateId'>): Mechanics {
  const mechanics = findTemplate(card.templateId)?.mechanics;
  if (mechanics == null) throw new Error('A card of unknown mechanics was chosen');
  return mechanics;
}

/** The same by the mechanics (gap: Cards, templates, mechanics; Which card). */
function costOf(mechanics: Mechanics, spending: Spending): Cost {
  const rule = mechanics.redeems.find(({ operation }) => operation === spending.operation);
  if (rule === undefined) throw new Error(`The mechanics do not have ${spending.operation}`);
  switch (rule.rule) {
    case 'as_sent':
      if (!('value' in spending)) throw new Error(`${spending.operation} has no value to spend`);
      return { kind: 'cost', deltas: { [rule.spends]: -spending.value }, isReward: false, rewardId: null };
    case 'one':
      return { kind: 'cost', deltas: { [rule.spends]: -1 }, isReward: false, rewardId: null };
    case 'reward':
      if (mechanics.rewardPrice === null) throw new Error('The mechanics have no rewards');
      return costOfReward(mechanics.rewardPrice, 'rewardId' in spending ? spending.rewardId : undefined);
    default:
      return assertNever(rule);
  }
}

function costOfReward({ from, each, choice }: RewardPrice, rewardId: string | undefined): Cost {
  const cost = { kind: 'cost', deltas: { [from]: -each }, isReward: true } as const;
  // A card without a choice has one kind: one that is named is none of its.
  if (choice.length === 0) return rewardId === undefined ? { ...cost, rewardId: null } : refuseUnknownReward();
  if (rewardId === undefined) {
    return refuse('CARD_NOT_ELIGIBLE', 'The card offers several rewards: name one by reward_id.', {
      details: ['reward_id_required'],
    });
  }
  return choice.some((reward) => reward.reward_id === rewardId) ? { ...cost, rewardId } : refuseUnknownReward();
}

function refuseUnknownReward(): Refusal {
  return refuse('CARD_NOT_ELIGIBLE', 'The card does not offer this reward_id.', { details: ['reward_id_unknown'] });
}

/**
 * Refused when what is not held does not cover the cost: a hold lowers what can be spent (gap: Reservations). A reward
 * is taken from all that the card holds, anything else from what it holds beside its whole rewards.
 */
export function checkCovered(
  card: Pick<Card, 'templateId' | 'balances'>,
  holds: Holds,
  cost: DefiniteCost,
): Refusal | null {
  const spendable = cost.isReward ? card.balances : besideRewards(mechanicsOf(card), card.balances);
  const covered = dimensions.every((dimension) => {
    const delta = cost.deltas[dimension] ?? 0;
    return delta >= 0 || (spendable[dimension] ?? 0) - (holds[dimension] ?? 0) + delta >= 0;
  });
  return covered ? null : refuseUncovered();
}

export function refuseUncovered(): Refusal {
  return refuse('INSUFFICIENT_BALANCE', 'The balance of the card is too small.');
}
