import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// Sold while the till had a wrong date and no line, and started again with the right one: nobody at the till can reckon
// when that was. Who knows it says it.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const daysMs = 86_400_000;
const decider = { person: 'Huda', reason: 'the till had a wrong date' };
const only = () => shop.operation('R-1');
const instant = (epochMs: number) => new Date(epochMs).toISOString();
const dayOf = (epochMs: number) => instant(epochMs).slice(0, 10);
const values = { points: 10 };

/** @param part of the sale. @returns when it was sold */
async function refuseForItsTime(aheadByMs: number, part: object = {}): Promise<number> {
  await shop.stop();
  const { meddle } = shop;
  shop.meddle = async () => ({ kind: 'dropped' });
  shop.setTillClock(aheadByMs);
  shop.start();
  await shop.saved('R-1', { ...values, ...part });
  const soldAtMs = shop.clock.now();
  await shop.stop();
  shop.meddle = meddle;
  shop.setTillClock(-aheadByMs);
  shop.start();
  await shop.pass(60_000, 1_000);
  expect(only()).toMatchObject({ state: 'refused', error: { details: ['occurred_at_outside_window'] } });
  return soldAtMs;
}

async function expectApplied(soldAtMs: number): Promise<void> {
  await shop.pass(10_000);
  expect(only()).toMatchObject({ state: 'applied', occurredAtMs: soldAtMs });
  expect(shop.core.sentRequest(only().rowId)?.businessDate).toBe(dayOf(soldAtMs));
  expect(await shop.held('R-1')).toMatchObject([{ status: 'success', occurred_at: instant(soldAtMs) }]);
  expect(await shop.points()).toBe(255.5);
}

describe.each([365 * daysMs, -365 * daysMs])('a sale of a till whose date was %i ms off', (aheadByMs) => {
  test('goes out when its program says when it was', async () => {
    const soldAtMs = await refuseForItsTime(aheadByMs);
    expect(await shop.saveEarn('R-1', { ...values, occurred_at: instant(soldAtMs) })).toMatchObject({
      kind: 'saved',
      duplicate: false,
    });
    await expectApplied(soldAtMs);
  });

  test('goes out when store IT says when it was', async () => {
    const soldAtMs = await refuseForItsTime(aheadByMs);
    expect(await shop.core.resend(only().operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(10_000);
    expect(only().state).toBe('refused');
    const told = { ...decider, occurredAtMs: soldAtMs };
    expect(await shop.core.resend(only().operationId, told)).toMatchObject({ kind: 'done' });
    await expectApplied(soldAtMs);
    const audited = { event: 'decided', decision: 'resend', operation_id: only().operationId, by: decider.person };
    expect(shop.audited.filter(({ event }) => event === 'decided')).toEqual([
      audited,
      { ...audited, occurred_at: instant(soldAtMs) },
    ]);
  });

  test('keeps the time that store IT says where that is refused, too', async () => {
    const soldAtMs = await refuseForItsTime(aheadByMs);
    const wrongMs = soldAtMs - 20 * daysMs;
    await shop.core.resend(only().operationId, { ...decider, occurredAtMs: wrongMs });
    await shop.pass(10_000);
    expect(only()).toMatchObject({ state: 'refused', occurredAtMs: wrongMs });
    await shop.core.resend(only().operationId, decider);
    await shop.pass(10_000);
    expect(only()).toMatchObject({ state: 'refused', occurredAtMs: wrongMs });
    await shop.core.resend(only().operationId, { ...decider, occurredAtMs: soldAtMs });
    await expectApplied(soldAtMs);
  });

  test('is not another sale under its number', async () => {
    const soldAtMs = await refuseForItsTime(aheadByMs);
    expect(await shop.saveEarn('R-1', values)).toMatchObject({ kind: 'reference_taken' });
    expect(await shop.saveEarn('R-1', { points: 11, occurred_at: instant(soldAtMs) })).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['points', 'occurred_at'],
    });
    expect(only()).toMatchObject({ state: 'refused', points: 10 });
  });
});

test('a number that comes back each morning takes no place of an earlier sale, with a time of its program for both', async () => {
  const soldAtMs = shop.clock.now() - 20 * daysMs;
  await shop.saved('R-1', { ...values, occurred_at: instant(soldAtMs) });
  await shop.pass(10_000);
  expect(only().state).toBe('refused');
  expect(await shop.saveEarn('R-1', { ...values, occurred_at: instant(shop.clock.now()) })).toMatchObject({
    kind: 'reference_taken',
    differingFields: ['occurred_at'],
  });
  const told = { ...decider, occurredAtMs: shop.clock.now() };
  expect(await shop.core.resend(only().operationId, told)).toMatchObject({ kind: 'done' });
  await shop.pass(10_000);
  expect(only().state).toBe('applied');
});

test('a number that comes back after the refusal takes no place of the earlier sale, though that one had the till’s time', async () => {
  await refuseForItsTime(-365 * daysMs);
  const { operationId } = only();
  await shop.pass(daysMs, 3_600_000);
  expect(await shop.saveEarn('R-1', { ...values, occurred_at: instant(shop.clock.now()) })).toMatchObject({
    kind: 'reference_taken',
    differingFields: ['occurred_at'],
  });
  expect(only()).toMatchObject({ state: 'refused', operationId });
});

test('only a sale that was refused for its time is given another one', async () => {
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  await shop.saved('R-1');
  await shop.pass(10_000);
  const before = only();
  const told = { ...decider, occurredAtMs: shop.clock.now() - daysMs };
  expect(await shop.core.resend(before.operationId, told)).toMatchObject({ kind: 'not_now' });
  expect(only()).toEqual(before);
});
