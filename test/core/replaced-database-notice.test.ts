import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

const dayMs = 86_400_000;
const isTold = (shop: CounterShop) => shop.core.status().notices.some(({ code }) => code === 'database_recovered');

/** A till whose clock is so far off, and whose database is replaced then. */
async function replacedAt(byMs: number): Promise<CounterShop> {
  const shop = await openShop();
  await shop.saved('R-1');
  await shop.stop();
  shop.setTillClock(byMs);
  shop.start();
  await shop.pass(1_000);
  rmSync(join(shop.dataDir, 'sandbox.sqlite'));
  await shop.pass(11_000);
  expect(shop.errors.splice(0).join('\n')).toContain('replaced or cut');
  expect(isTold(shop)).toBe(true);
  return shop;
}

test.each([-400, 400])(
  'that a database was replaced while the clock was %i days off is told for a week',
  async (byDays) => {
    const shop = await replacedAt(byDays * dayMs);
    await shop.fault('/*', { type: 'offline' });
    shop.setTillClock(-byDays * dayMs);
    await shop.pass(11_000);
    expect(isTold(shop)).toBe(true);
    shop.crash();
    shop.start();
    await shop.pass(1_000);
    expect(isTold(shop)).toBe(true);
    await shop.stop();
    shop.clock.jump(8 * dayMs);
    shop.start();
    expect(isTold(shop)).toBe(false);
  },
);

test('the clock may be set right in the last seconds before a stop', async () => {
  const shop = await replacedAt(-400 * dayMs);
  shop.setTillClock(400 * dayMs);
  await shop.stop();
  shop.start();
  await shop.pass(1_000);
  expect(isTold(shop)).toBe(true);
});
