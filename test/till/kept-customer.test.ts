import { describe, expect, it } from 'vitest';
import { keptCustomer } from '../../app/customers/kept-customer.ts';
import type { Balances } from '../../shared/contract/profile.ts';
import { fakeOperation, fakeProfile } from '../support/fake-records.ts';

const kept = fakeProfile();
const card = kept.cards[0];
if (card === undefined) throw new Error('The profile has no card');
const asOfMs = Date.parse(kept.balances_as_of);
const balances = (points: number): Balances => ({ ...card.balances, points });
const earn = (points: number, afterMs: number) =>
  fakeOperation({
    state: 'applied',
    serviceCardId: card.card_id,
    newBalances: balances(points),
    completedAtMs: asOfMs + afterMs,
    updatedAtMs: asOfMs + afterMs + 500,
  });
const pointsAfter = (...operations: ReturnType<typeof fakeOperation>[]) =>
  keptCustomer({ keptProfile: () => kept, recentOperations: () => operations }, { loyalty_id: 'LC-1001' })?.cards[0]
    ?.balances.points;

describe('a customer as seen last', () => {
  it('has the balances that a sale of this till has told of since', () => {
    expect(pointsAfter(earn(300, 60_000), earn(280, 30_000))).toBe(300);
  });

  it('has those of the look where every sale was before it', () => {
    expect(pointsAfter(earn(1, -60_000))).toBe(card.balances.points);
  });

  it('has those of the look where a sale told its balances in a shape that cannot be read', () => {
    const told = { points: { before: 280, after: 300 } };
    expect(pointsAfter({ ...earn(300, 60_000), newBalances: told })).toBe(card.balances.points);
  });

  it('has those of the look where a sale told only a part of its balances', () => {
    expect(pointsAfter({ ...earn(300, 60_000), newBalances: { points: 300 } })).toBe(card.balances.points);
  });

  it('has those of the look where something was taken back since: what is left nobody has told', () => {
    const reversed = { ...earn(280, 30_000), state: 'reversed' as const, updatedAtMs: asOfMs + 90_000 };
    expect(pointsAfter(earn(300, 60_000), reversed)).toBe(card.balances.points);
  });
});
