import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// A Date that no clock can have, and two proxies with two clocks.

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
