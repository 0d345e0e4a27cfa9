import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// Another till of the shop has the same key, and prints the same receipt numbers. It sells to the same customer for the
// same value.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const identifier = { loyalty_id: 'LC-1001' };
const instant = (laterMs = 0) => new Date(shop.clock.now() + laterMs).toISOString();
const otherTillSells = (ref: string, part: object = {}) =>
  shop.call('POST', '/v1/transactions/earn', {
    identifier,
    external_ref: ref,
    points: 10,
    occurred_at: instant(),
    ...part,
  });
const sell = (ref: string, request: object = {}) =>
  shop.saveEarn(ref, { identifier, points: 10, ...request }, { origin: 'bridge' });
const conflict = (...details: readonly string[]) => ({
  state: 'refused',
  found: null,
  error: { code: 'DUPLICATE_TRANSACTION', details },
});

describe('a sale that was refused because another till had its number first', () => {
  test('stays refused when it is looked for again', async () => {
    await otherTillSells('R-1');
    await shop.pass(5_000);
    await sell('R-1', { occurred_at: instant(-20 * minuteMs) });
    await shop.pass(10_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
    await shop.pass(26 * hourMs, minuteMs);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
  });

  test('stays refused when another one takes its place that is refused, too', async () => {
    await otherTillSells('R-1');
    await shop.pass(5_000);
    const occurred_at = instant(-20 * minuteMs);
    await sell('R-1', { occurred_at });
    await shop.pass(10_000);
    await sell('R-1', { occurred_at, points: 7 });
    await shop.pass(10_000);
    await shop.pass(26 * hourMs, minuteMs);
    expect(shop.operation('R-1')).toMatchObject({ ...conflict('points'), points: 7 });
  });
});
