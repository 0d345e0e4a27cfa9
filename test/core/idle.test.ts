import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

/** Every file of the data folder, with all that a write would change. */
function filesOf(folder: string): object {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name, path: join(folder, name) }))
      .filter(({ path }) => statSync(path).isFile())
      .map(({ name, path }) => [
        name,
        [statSync(path, { bigint: true }).mtimeNs, readFileSync(path).toString('base64')],
      ]),
  );
}

it('a till that nobody uses writes to no file, though it looks at the line, the disk and what is old', async () => {
  await shop.saveEarn('R-1');
  await shop.passUntil(() => shop.state('R-1') === 'applied');
  await shop.pass(15_000);
  const before = filesOf(shop.dataDir);
  await shop.pass(3 * 3_600_000, 15_000);
  expect(filesOf(shop.dataDir)).toEqual(before);
});
