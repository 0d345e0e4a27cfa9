import { describe, expect, it } from 'vitest';
import { nextStep, type Refused } from '../../../renderer/operation/next-step.ts';
import type { RefusalReason } from '../../../renderer/operation/outcome.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';

const money = { amount_minor: 1000, currency: 'KWD' };
const earn: Refused = {
  reason: 'other',
  operations: ['earn_amount'],
  value: money,
  cardId: 'card_reward',
  cards: [demoCards.reward, demoCards.cashback],
};
const spend: Refused = {
  ...earn,
  operations: ['redeem_amount'],
  cardId: 'card_cashback',
  cards: [demoCards.cashback, { ...demoCards.cashback, card_id: 'card_second' }],
};
const steps: Readonly<Record<RefusalReason, readonly [ofEarn: string, ofSpend: string]>> = {
  card_not_eligible: ['other_card', 'other_card'],
  card_choice_needed: ['other_card', 'other_card'],
  currency_mismatch: ['other_card', 'other_card'],
  insufficient_balance: ['amount', 'amount'],
  invalid: ['amount', 'amount'],
  reference_taken: ['receipt', 'receipt'],
  key_taken: ['receipt', 'receipt'],
  customer_not_found: ['later', 'full_price'],
  coupon_used: ['later', 'full_price'],
  hold_expired: ['later', 'full_price'],
  hold_over: ['later', 'full_price'],
  paid_in_full: ['later', 'full_price'],
  mechanics_unknown: ['later', 'full_price'],
  outside_window: ['later', 'full_price'],
  changed_on_disk: ['later', 'full_price'],
  other: ['later', 'full_price'],
};

describe('the next step of a refusal', () => {
  it.each(Object.entries(steps))('%s: an earn and a redemption each have one', (name, [ofEarn, ofSpend]) => {
    const reason = name as RefusalReason;
    expect(nextStep({ ...earn, reason }).kind).toBe(ofEarn);
    expect(nextStep({ ...spend, reason }).kind).toBe(ofSpend);
  });

  const named = (refused: Partial<Refused>, from = spend) => {
    const step = nextStep({ ...from, reason: 'card_not_eligible', ...refused });
    return step.kind === 'other_card' ? step.card.card_id : step.kind;
  };

  it('names a card of this customer that takes the same, and no other', () => {
    expect(named({})).toBe('card_second');
    expect(named({}, earn)).toBe('card_cashback');
    expect(named({ cards: [demoCards.cashback] })).toBe('full_price');
    expect(named({ cards: [demoCards.cashback, demoCards.stamp] })).toBe('full_price');
    expect(named({ cards: [demoCards.reward, demoCards.stamp] }, earn)).toBe('later');
    // Somebody else stands there by now.
    expect(named({ cardId: 'card_gone' })).toBe('full_price');
    expect(named({ cardId: null })).toBe('full_price');
  });

  it('names no card that holds too little, another currency or no reward', () => {
    const second = (cashback_minor: number, currency: string) => [
      demoCards.cashback,
      {
        ...demoCards.cashback,
        card_id: 'second',
        balances: { ...demoCards.cashback.balances, cashback_minor, currency },
      },
    ];
    expect(named({ cards: second(1000, 'KWD') })).toBe('second');
    expect(named({ cards: second(999, 'KWD') })).toBe('full_price');
    expect(named({ cards: second(1000, 'USD') })).toBe('full_price');
    const reward = { operations: ['redeem_reward'], value: null, cardId: 'card_reward' } as const;
    const whole = { ...demoCards.reward, card_id: 'whole', available_rewards: [] };
    const none = { ...whole, balances: { ...whole.balances, rewards_available: 0 } };
    expect(named({ ...reward, cards: [demoCards.reward, none] })).toBe('full_price');
    expect(named({ ...reward, cards: [demoCards.reward, whole] })).toBe('whole');
    expect(named({ ...reward, cards: [demoCards.reward, { ...demoCards.reward, card_id: 'full' }] })).toBe('full');
  });

  it('corrects no amount where none was entered', () => {
    const coupon = { ...spend, operations: ['redeem_coupon'], value: { coupon_code: 'X' } } as const;
    expect(nextStep({ ...coupon, reason: 'invalid' }).kind).toBe('full_price');
    expect(nextStep({ ...coupon, value: null, reason: 'insufficient_balance' }).kind).toBe('full_price');
  });
});
