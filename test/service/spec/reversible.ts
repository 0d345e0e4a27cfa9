import { expect } from 'vitest';
import type { TestCard } from '../../support/service-customers.ts';
import { balances, type Fields, type Till } from './till.ts';

/** A transaction to be reversed, by everything that names it. */
export interface Original {
  readonly transactionId: string;
  readonly externalRef: string;
  readonly intent: 'earn' | 'redeem';
}

/** A transaction that can be reversed, and what the card holds between the two. */
interface Undoing {
  readonly row: string;
  readonly card: TestCard;
  readonly intent: 'earn' | 'redeem';
  readonly sends: Fields;
  readonly between: ReturnType<typeof balances>;
}

/** Every earn and every reversible redemption on every template that offers it. */
export const undoings: readonly Undoing[] = [
  {
    row: 'earn, amount_minor on tpl_cashback',
    card: { template_id: 'tpl_cashback', balances: { cashback_minor: 7 } },
    intent: 'earn',
    sends: { amount_minor: 12_519 },
    between: balances({ cashback_minor: 632, currency: 'KWD' }),
  },
  {
    row: 'earn, amount_minor on tpl_reward',
    card: { template_id: 'tpl_reward', balances: { points: 99.5 } },
    intent: 'earn',
    sends: { amount_minor: 12_519 },
    between: balances({ points: 111.5, rewards_available: 1 }),
  },
  {
    row: 'earn, points on tpl_reward',
    card: { template_id: 'tpl_reward', balances: { points: 0.001 } },
    intent: 'earn',
    sends: { points: 0.002, amount_minor: 5000 },
    between: balances({ points: 0.003, rewards_available: 0 }),
  },
  {
    row: 'earn, stamps on tpl_stamp, without a new reward',
    card: { template_id: 'tpl_stamp', balances: { stamps: 7, rewards_available: 1 } },
    intent: 'earn',
    sends: { stamps: 2 },
    between: balances({ stamps: 9, rewards_available: 1 }),
  },
  {
    row: 'earn, stamps on tpl_stamp: "every 10 stamps become 1 reward", and are stamps again',
    card: { template_id: 'tpl_stamp', balances: { stamps: 7, rewards_available: 1 } },
    intent: 'earn',
    sends: { stamps: 25 },
    between: balances({ stamps: 2, rewards_available: 4 }),
  },
  {
    row: 'earn, visits on tpl_discount',
    card: { template_id: 'tpl_discount', balances: { visits: 3 } },
    intent: 'earn',
    sends: { visits: 2 },
    between: balances({ visits: 5 }),
  },
  {
    row: 'earn, visits on tpl_membership',
    card: { template_id: 'tpl_membership' },
    intent: 'earn',
    sends: { visits: 1 },
    between: balances({ visits: 1 }),
  },
  {
    row: 'redeem, points on tpl_reward',
    card: { template_id: 'tpl_reward', balances: { points: 245.5 } },
    intent: 'redeem',
    sends: { points: 245.5 },
    between: balances({ points: 0, rewards_available: 0 }),
  },
  {
    row: 'redeem, amount_minor on tpl_cashback',
    card: { template_id: 'tpl_cashback', balances: { cashback_minor: 1250 } },
    intent: 'redeem',
    sends: { amount_minor: 1250 },
    between: balances({ cashback_minor: 0, currency: 'KWD' }),
  },
  {
    row: 'redeem, amount_minor on tpl_certificate',
    card: { template_id: 'tpl_certificate', balances: { cashback_minor: 25_000 } },
    intent: 'redeem',
    sends: { amount_minor: 1 },
    between: balances({ cashback_minor: 24_999, currency: 'KWD' }),
  },
  {
    row: 'redeem, stamps on tpl_stamp',
    card: { template_id: 'tpl_stamp', balances: { stamps: 7, rewards_available: 1 } },
    intent: 'redeem',
    sends: { stamps: 4 },
    between: balances({ stamps: 3, rewards_available: 1 }),
  },
  {
    row: 'redeem, visits on tpl_subscription',
    card: { template_id: 'tpl_subscription', balances: { visits: 20 } },
    intent: 'redeem',
    sends: { visits: 20 },
    between: balances({ visits: 0 }),
  },
  {
    row: 'redeem, visits on tpl_membership',
    card: { template_id: 'tpl_membership', balances: { visits: 12 } },
    intent: 'redeem',
    sends: { visits: 1 },
    between: balances({ visits: 11 }),
  },
];

/** A whole ReversalAccepted, for `toEqual`. */
export function accepted(original: Original, duplicate: boolean) {
  return {
    transaction_id: expect.stringMatching(/^txn_/),
    status: 'pending',
    duplicate,
    reverses_transaction_id: original.transactionId,
  };
}

/** Earns or redeems, and lets it be done. */
export async function makeOriginal(
  till: Till,
  { externalRef, intent, sends }: { externalRef: string; intent: 'earn' | 'redeem'; sends: Fields },
): Promise<Original> {
  if (intent === 'earn') return { transactionId: await till.earned(externalRef, sends), externalRef, intent };
  const answer = await till.redeem(externalRef, sends);
  if (answer.status !== 200) throw new Error(`Not redeemed: ${JSON.stringify(answer.body)}`);
  return { transactionId: answer.body.transaction_id, externalRef, intent };
}
