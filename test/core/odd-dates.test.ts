import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// A Date that no clock can have, two proxies with two clocks, one that gives yesterday's answers, and an answer without a Date.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

/** Each answer has the next Date of these. */
function tell(...dates: readonly (() => string)[]): void {
  let told = 0;
  shop.meddle = async (call, carry) => {
    const outcome = await carry(call);
    if (outcome.kind !== 'response') return outcome;
    const date = dates[told % dates.length]?.() ?? '';
    told += 1;
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
}

const off = (byMs: number) => () => new Date(shop.clock.now() + byMs).toUTCString();
const references = Array.from({ length: 20 }, (_, index) => `R-${index}`);

async function sellAll(): Promise<void> {
  for (const reference of references) {
    await shop.saved(reference);
    await shop.pass(2_000, 500);
  }
  await shop.pass(120_000, 1_000);
  expect(references.filter((reference) => shop.operation(reference).state !== 'applied')).toEqual([]);
  expect(await shop.points()).toBe(245.5 + 10 * references.length);
}

describe('every sale is saved, and applied once', () => {
  test.each([
    'Sat, 13 Sep 275760 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Mon, 01 Jan 0001 00:00:00 GMT',
    'Tue, 20 Apr -271821 00:00:00 GMT',
    'yesterday',
    '0',
    '-5',
  ])('behind a proxy that tells the Date %s', async (date) => {
    tell(() => date);
    await shop.pass(120_000, 1_000);
    await sellAll();
  });

  test.each([
    [[0, 600_000]],
    [[0, 0, 400 * 86_400_000]],
    [[-5 * 86_400_000, 5 * 86_400_000]],
    [[600_000, 600_000, 600_000, 0, 0, 0]],
  ])('behind proxies whose clocks are %j ms off by turns', async (offs) => {
    tell(...offs.map(off));
    await shop.pass(120_000, 1_000);
    await sellAll();
  });
});

const sentAtMs = (externalRef: string) =>
  Date.parse(JSON.parse(shop.core.sentRequest(shop.operation(externalRef).rowId)?.body ?? '').occurred_at);

test('a sale has its own time behind a proxy that still gives yesterday’s answers, each under its address', async () => {
  await shop.stop();
  const kept = new Map<string, Outcome>();
  shop.meddle = async (call, carry) => {
    const answer = kept.get(call.target) ?? (await carry(call));
    if (call.method === 'GET') kept.set(call.target, answer);
    return answer;
  };
  shop.start();
  await shop.pass(60_000, 1_000);
  await shop.stop();
  await shop.pass(86_400_000, 3_600_000);
  shop.start();
  await shop.pass(5_000);
  await shop.saved('R-1');
  const soldAtMs = shop.clock.now();
  await shop.pass(5_000);
  expect(sentAtMs('R-1')).toBe(soldAtMs);
  expect(shop.core.status().connection.state).toBe('online');
});

test('a sale has its own time where the first answer after the till’s clock was set has no Date', async () => {
  answerInstead(shop, callOf('GET', '/transactions'), () => said(200, { data: [] }), { times: 1 });
  shop.setTillClock(-3 * 3_600_000);
  await shop.saved('R-1');
  const soldAtMs = shop.clock.now();
  await shop.pass(5_000);
  expect(Math.abs(sentAtMs('R-1') - soldAtMs)).toBeLessThan(2_000);
});

test.each([-86_400_000, 86_400_000])(
  'a sale has its own time that was saved when one answer alone, with a Date %i ms off, had come',
  async (byMs) => {
    await shop.stop();
    const isLookUp = callOf('GET', '/transactions');
    answerInstead(shop, isLookUp, () => ({ kind: 'dropped' }), { times: 1 });
    const told = () => said(200, { data: [] }, { date: off(byMs)() });
    answerInstead(shop, isLookUp, told, { times: 1, isLost: true });
    shop.start();
    await shop.quiet();
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    await shop.pass(60_000, 1_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(Math.abs(sentAtMs('R-1') - soldAtMs)).toBeLessThan(2_000);
  },
);
