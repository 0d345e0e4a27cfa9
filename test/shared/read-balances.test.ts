import { expect, it } from 'vitest';
import { readBalances } from '../../shared/contract/profile.ts';

const whole = { points: 257.5, cashback_minor: null, stamps: null, visits: null, rewards_available: 2, currency: null };

it('balances that are told whole are a card’s', () => {
  expect(readBalances({ ...whole, tier: 'gold' })).toEqual(whole);
});

it('balances that are told in part, in another shape or not at all are unknown', () => {
  for (const field of Object.keys(whole)) {
    const part = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
    expect(readBalances(part)).toBeNull();
  }
  for (const told of [{ cashback_minor: 1875 }, { ...whole, points: { now: 257.5 } }, {}, null]) {
    expect(readBalances(told)).toBeNull();
  }
});
