import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { callOf, holdCalls } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
});

/** Asked for by a program that does not wait, so that nobody knows what became of it. */
async function redeem(ref: string): Promise<void> {
  const asking = shop.core.perform(shop.redemption(ref, { points: 40 }), { waitMs: 0 });
  expect(await shop.passUntil(asking)).toMatchObject({ kind: 'unknown' });
}
const stateOf = (ref: string) => shop.core.operationsByReference(ref)[0]?.state;

describe('a redemption of which nobody knows what became, and which is asked for once more', () => {
  test('is given up half a minute after it was sent last, and not after it was first looked for', async () => {
    await redeem('R-1');
    await shop.pass(32_000);
    // The books do not show it, and the same bytes go out again.
    await redeem('R-1');
    await shop.pass(20_000);
    expect(stateOf('R-1')).toBe('unknown');
    await shop.pass(60_000);
    expect(stateOf('R-1')).toBe('cancelled');
  });

  test('while another one is looked up is not given up by what was known before', async () => {
    await redeem('R-1');
    await redeem('R-2');
    await shop.pass(30_000);
    const look = holdCalls(shop, callOf('GET', '/transactions', 'R-1'));
    await look.begun();
    await redeem('R-2');
    look.end();
    await shop.pass(5_000);
    expect(stateOf('R-2')).toBe('unknown');
    await shop.pass(90_000);
    expect(stateOf('R-2')).toBe('cancelled');
  });
});
