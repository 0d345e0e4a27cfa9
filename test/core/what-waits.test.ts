import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// What waits is told apart: a sale to be sent has a deadline; what was sent, or is only checked, has none.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});
const hours = (count: number) => count * 3_600_000;
const status = () => shop.core.status();

/** Nobody knows whether the service holds it: its answer was lost, and then the connection. */
async function loseHold(): Promise<void> {
  await shop.fault('/redemptions/reserve', { type: 'drop_response' }, 1);
  const identifier = { loyalty_id: 'LC-1001' };
  const hold = shop.redemption(
    'CART-1',
    {},
    {
      intent: 'reserve',
      path: '/redemptions/reserve',
      body: { identifier, external_ref: 'CART-1', points: 40 },
      identifier,
    },
  );
  await shop.passUntil(shop.core.perform(hold, { waitMs: 0 }));
  shop.meddle = async () => ({ kind: 'dropped' });
  await shop.pass(60_000, 1_000);
}

describe('a hold of which nobody knows whether it was made', () => {
  beforeEach(loseHold);

  test('counts as checked, and has no deadline for sending', () => {
    expect(status()).toMatchObject({
      operations: { queued: 0, unknown: 1, checking: 1 },
      windowSecondsLeft: null,
      windowEndsAtMs: null,
    });
  });

  test('leaves a sale behind it its own deadline', async () => {
    await shop.pass(hours(1), 60_000);
    const { occurredAtMs } = await shop.saved('R-1');
    await shop.pass(10_000);
    const { operations, windowEndsAtMs, windowSecondsLeft } = status();
    expect(operations.queued + operations.unknown - operations.checking).toBe(1);
    expect(windowEndsAtMs).toBe(occurredAtMs + hours(72));
    expect(windowSecondsLeft).toBe(72 * 3_600 - 10);
  });
});

test('a sale that the service has accepted has no deadline any more', async () => {
  await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: hours(100) });
  await shop.saved('R-1');
  await shop.pass(5_000);
  expect(shop.operation('R-1').state).toBe('accepted');
  expect(status()).toMatchObject({ operations: { accepted: 1 }, windowSecondsLeft: null });
  expect(status().oldestWaitingAtMs).not.toBeNull();
});
