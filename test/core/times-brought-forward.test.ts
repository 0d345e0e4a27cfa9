import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { callOf } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// A service may bring the time of a sale that is too old forward to the oldest time that it takes.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const windowMs = 24 * hourMs;
const pointsAtFirst = 245.5;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const isEarn = callOf('POST', '/transactions/earn');

async function sellOffline(): Promise<void> {
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
  await shop.saved('0001');
}

async function comeBackAfter(hours: number): Promise<void> {
  await shop.pass(hours * hourMs, 10 * minuteMs);
  await shop.mend();
}

/** @returns counts the sales that reach the service */
function bringTimesForward(): { readonly earns: number } {
  const counted = { earns: 0 };
  shop.meddle = async (call, carry) => {
    if (!isEarn(call) || !(call.body instanceof Uint8Array)) return carry(call);
    counted.earns += 1;
    const request = JSON.parse(Buffer.from(call.body).toString('utf8'));
    const occurredAtMs = Math.max(Date.parse(request.occurred_at), shop.clock.now() - windowMs);
    const body = JSON.stringify({ ...request, occurred_at: new Date(occurredAtMs).toISOString() });
    return carry({ ...call, body: Buffer.from(body) });
  };
  return counted;
}

describe('a sale that is older than the service takes', () => {
  test('is completed with the time that the service notes, and is sent once', async () => {
    await sellOffline();
    await comeBackAfter(30);
    const counted = bringTimesForward();
    await shop.pass(10 * minuteMs, 1_000);
    expect(shop.operation('0001').state).toBe('applied');
    expect(counted.earns).toBe(1);
    expect(await shop.points()).toBe(pointsAtFirst + 10);
  });

  test('is completed, too, when its answer was lost', async () => {
    await sellOffline();
    await comeBackAfter(30);
    bringTimesForward();
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    await shop.pass(10 * minuteMs, 1_000);
    expect(shop.operation('0001').state).toBe('applied');
    expect(await shop.points()).toBe(pointsAtFirst + 10);
  });

  test('is never told as another sale while it is on its way, when its answer was lost', async () => {
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: minuteMs });
    await sellOffline();
    await comeBackAfter(30);
    bringTimesForward();
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    await shop.pass(10 * minuteMs, 1_000);
    const { state, rowId } = shop.operation('0001');
    expect(state).toBe('applied');
    expect(shop.core.history(rowId).map(({ to }) => to)).not.toContain('refused');
    expect(await shop.points()).toBe(pointsAtFirst + 10);
  });

  test.each([
    ['answered', 0],
    ['lost', 1],
  ])(
    'is not found in what another till has sold meanwhile under its number: its first request is %s',
    async (_, lost) => {
      await sellOffline();
      await comeBackAfter(10);
      // This till has no line yet.
      const { meddle } = shop;
      shop.meddle = async () => ({ kind: 'dropped' });
      await shop.call('POST', '/v1/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: '0001',
        points: 10,
        occurred_at: new Date(shop.clock.now()).toISOString(),
      });
      await comeBackAfter(20);
      shop.meddle = meddle;
      if (lost > 0) await shop.fault('/transactions/earn', { type: 'drop_request' }, lost);
      await shop.pass(10 * minuteMs, 1_000);
      expect(shop.operation('0001')).toMatchObject({ state: 'refused', error: { details: ['occurred_at'] } });
      expect(await shop.points()).toBe(pointsAtFirst + 10);
    },
  );
});
