import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

// A service that asks to wait in words that mean nothing, a clock that is set meanwhile, and a line that is never still.

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const hourMs = 3_600_000;

describe('a service that answers everything with 429', () => {
  it.each(['', '0', '-5', 'soon', '1e9', '12.5', '9'.repeat(400), 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'and Retry-After: %s is not asked in a rush, and has the sale within an hour of taking it',
    async (retryAfter) => {
      shop.service.script = () => refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter } });
      await shop.saved('R-1');
      await shop.pass(600_000, 1_000);
      expect(shop.service.requests.length).toBeLessThan(150);
      expect(shop.operation('R-1')).toMatchObject({ state: 'queued', attempts: 0 });
      shop.service.script = () => answer;
      await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: hourMs });
    },
  );
});

it.each([-24 * hourMs, -hourMs, hourMs, 365 * 24 * hourMs])(
  'a clock that is set by %i ms while look-ups wait gives the next sale the right time',
  async (byMs) => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? answer : refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '86400' } });
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    await shop.pass(5_000);
    const rightMs = shop.clock.now();
    shop.clock.jump(byMs);
    shop.service.skewMs = -byMs;
    await shop.saved('R-2');
    await shop.passUntil(() => shop.state('R-2') === 'accepted', { limitMs: 120_000 });
    const { occurred_at } = JSON.parse(shop.service.earnsOf('R-2')[0]?.body ?? '{}');
    expect(Math.abs(Date.parse(occurred_at) - rightMs)).toBeLessThan(5_000);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: hourMs + 120_000 });
  },
);

it('a line that comes and goes each second has each sale at the service once', async () => {
  const references = Array.from({ length: 40 }, (_, index) => `R-${index}`);
  for (const [index, reference] of references.entries()) {
    if (index % 2 === 0) await shop.service.stop();
    else await shop.service.start();
    await shop.saved(reference);
    await shop.pass(1_000);
  }
  await shop.passUntil(() => references.every((reference) => shop.state(reference) === 'applied'));
  expect(shop.service.recorded.size).toBe(references.length);
  expect(shop.errors).toEqual([]);
});
