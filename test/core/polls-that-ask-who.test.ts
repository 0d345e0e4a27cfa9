import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

// A record of another time than the sale may be another till's: a poll then asks who the customer is, whom this till has not
// seen before.

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
  shop.clock.advance(437);
});
afterEach(() => shop.end());

const identifies = () => shop.service.requests.filter(({ call }) => call === 'identify').length;
const isIdentify = ({ call }: SeenRequest) => call === 'identify';

/** From here on the service tells another time of each sale than was sent. */
function notes(timeOf: (sentMs: number) => number, isLimited: (request: SeenRequest) => boolean): void {
  const sent = new Map<string, number>();
  shop.service.script = (request) => {
    for (const [ref, record] of shop.service.recorded) {
      const sentMs = sent.get(ref) ?? Date.parse(record.occurred_at);
      sent.set(ref, sentMs);
      shop.service.recorded.set(ref, { ...record, occurred_at: new Date(timeOf(sentMs)).toISOString() });
    }
    return isLimited(request) ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } }) : answer;
  };
}

describe('a service that keeps the times of sales in whole seconds', () => {
  it('is not asked who the customer of each sale is', async () => {
    notes((sentMs) => Math.floor(sentMs / 1_000) * 1_000, isIdentify);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 10_000 });
    expect(identifies()).toBe(0);
  });

  it('is believed at once by whoever reads the last transactions', async () => {
    notes(
      (sentMs) => Math.floor(sentMs / 1_000) * 1_000,
      ({ call }) => call === 'transaction',
    );
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'accepted');
    await shop.pass(5_000);
    const record = { ...shop.service.recorded.get('R-1'), status: 'success' };
    shop.service.script = ({ call }) =>
      call === 'history'
        ? { kind: 'say', status: 200, body: JSON.stringify({ data: [record], next_cursor: null }) }
        : answer;
    await shop.core.lastTransactions('cus_1');
    expect(shop.state('R-1')).toBe('applied');
  });
});

describe('a service that notes when sales arrived, and limits who may be asked for', () => {
  const refs = Array.from({ length: 10 }, (_, index) => `R-${index}`);
  const areApplied = () => refs.every((ref) => shop.state(ref) === 'applied');

  it('is left alone for as long as it has asked for, and then tells what became of them', async () => {
    notes((sentMs) => sentMs + 30_000, isIdentify);
    for (const ref of refs) await shop.saved(ref);
    await shop.passUntil(() => identifies() > 0, { limitMs: 10_000 });
    expect(shop.core.status().connection.look_ups_wait_until).toBeDefined();
    await shop.pass(58_000, 500);
    // Those that were under way when the first was refused.
    expect(identifies()).toBeLessThanOrEqual(4);
    expect(shop.core.status().connection).toMatchObject({ state: 'online', cause: null });
    notes(
      (sentMs) => sentMs,
      () => false,
    );
    await shop.passUntil(areApplied, { limitMs: 120_000 });
  });
});
