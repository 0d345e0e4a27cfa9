import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// Two tills on one API key. A sale of this one does not leave the till and is voided here; the other till sells the order.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const sale = { identifier: { loyalty_id: 'LC-1001' }, points: 10 };
const attention = () => shop.core.needingAttention({ limit: 10 });
const otherTillSells = async (occursAtMs: number) => {
  const occurred_at = new Date(occursAtMs).toISOString();
  await shop.call('POST', '/v1/transactions/earn', { ...sale, external_ref: 'R-1', occurred_at });
  await shop.pass(5_000);
};
const undo = () => {
  const request = { origin: 'bridge', operationId: shop.newId(), reversalRef: null, reason: null } as const;
  return shop.core.reverse(shop.operation('R-1').rowId, { ...request, idempotencyKey: null });
};

async function soldWithoutConnection(): Promise<void> {
  shop.meddle = async () => ({ kind: 'no_connection' });
  await shop.saveEarn('R-1', sale, { origin: 'bridge' });
  await shop.pass(5_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'queued', maybeSent: false });
}
async function soldAndStartedAgain(): Promise<void> {
  await soldWithoutConnection();
  await shop.stop();
  shop.start();
}
const findTheLine = () => {
  shop.meddle = (call, carry) => carry(call);
};

async function throttled(): Promise<void> {
  await shop.fault('/transactions/earn', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 600 });
  await shop.saveEarn('R-1', sale, { origin: 'bridge' });
  await shop.pass(5_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'queued', maybeSent: false });
}

describe('a sale that never left the till, voided, and sold at another till', () => {
  test('with its time is left alone there', async () => {
    await soldWithoutConnection();
    const { occurredAtMs } = shop.operation('R-1');
    expect(await undo()).toMatchObject({ kind: 'cancelled' });
    await otherTillSells(occurredAtMs);
    findTheLine();
    await shop.pass(26 * hourMs, minuteMs);
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'earn', status: 'success' }]);
    expect(shop.operation('R-1').state).toBe('cancelled');
    expect(attention()).toEqual([]);
  });

  test('with its time is left to a person where the agent has started again', async () => {
    await soldAndStartedAgain();
    const { occurredAtMs } = shop.operation('R-1');
    expect(await undo()).toMatchObject({ kind: 'cancelled' });
    await otherTillSells(occurredAtMs);
    findTheLine();
    await shop.pass(26 * hourMs, minuteMs);
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'earn', status: 'success' }]);
    expect(attention()).toMatchObject([{ externalRef: 'R-1', found: 'stands' }]);
  });

  test('with its time is left to a person where the service had asked to wait', async () => {
    await throttled();
    const { occurredAtMs } = shop.operation('R-1');
    expect(await undo()).toMatchObject({ kind: 'cancelled' });
    await shop.mend();
    await otherTillSells(occurredAtMs);
    await shop.pass(26 * hourMs, minuteMs);
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'earn', status: 'success' }]);
    expect(attention()).toMatchObject([{ externalRef: 'R-1', found: 'stands' }]);
  });

  test.each<[string, () => Promise<void>]>([
    ['where the agent has started again', soldAndStartedAgain],
    ['where the service had asked to wait', throttled],
  ])('with a time of its own is not found %s', async (_, sell) => {
    await sell();
    expect(await undo()).toMatchObject({ kind: 'cancelled' });
    await shop.pass(6 * minuteMs, 5_000);
    await shop.mend();
    await otherTillSells(shop.clock.now());
    findTheLine();
    await shop.pass(26 * hourMs, minuteMs);
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'earn', status: 'success' }]);
    expect(shop.operation('R-1').state).toBe('cancelled');
    expect(attention()).toEqual([]);
  });
});
