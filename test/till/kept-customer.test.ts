import { beforeEach, describe, expect, it } from 'vitest';
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
type Earn = ReturnType<typeof earn>;
let clock: { readonly nowMs: number; readonly clockSkewMs: number | null };
beforeEach(() => {
  clock = { nowMs: asOfMs + 3_600_000, clockSkewMs: 0 };
});
const pointsAfter = (...operations: Earn[]) => {
  const known = {
    keptProfile: () => kept,
    recentOperations: () => operations,
    clock: { now: () => clock.nowMs },
    status: () => ({ clockSkewMs: clock.clockSkewMs }),
  };
  return keptCustomer(known, { loyalty_id: 'LC-1001' })?.cards[0]?.balances.points;
};

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

  it('has none of a time that the service’s clock has left again', () => {
    const ahead = earn(45, 86_400_000);
    const reversed = { ...earn(280, 86_400_000), state: 'reversed' as const };
    expect(pointsAfter(earn(300, 60_000), ahead, reversed)).toBe(300);
  });

  it.each([
    ['is behind', 0, 3_600_000],
    ['is ahead', 7_200_000, -3_600_000],
    ['is behind, and nobody knows it', 0, null],
  ])('has those that a sale has told of since, where the till’s clock %s', (_, nowMs, clockSkewMs) => {
    clock = { nowMs: asOfMs + nowMs, clockSkewMs };
    expect(pointsAfter(earn(300, 3_600_000))).toBe(300);
  });
});
