import { statSync, truncateSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { referencesInFile } from '../support/lying-files.ts';

let shop: Shop;
afterEach(() => shop.end());

const before = Array.from({ length: 8 }, (_, index) => `BEFORE-${index + 1}`);

/** Whoever reads behind the end of a file that is mapped into memory is ended by the operating system. */
async function sellingShop(): Promise<string> {
  shop = new Shop();
  shop.start();
  for (const reference of before) await shop.saved(reference);
  return shop.databasePath;
}

/** In bytes: nothing, a part of the head, the head without what tells where a page is, and half. */
const lengths = [0, 100, 4_096, 16_384];

describe('the index of the log (-shm) that is cut', () => {
  it.each(lengths)('to %i bytes while the agent runs is made anew before the next sale', async (bytes) => {
    const path = await sellingShop();
    const whole = statSync(`${path}-shm`).size;
    truncateSync(`${path}-shm`, bytes);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    expect(statSync(`${path}-shm`).size).toBe(whole);
    expect(referencesInFile(path)).toEqual([...before, 'AFTER']);
    expect(shop.warnings).toEqual([
      expect.stringMatching(/^The index of the log was cut or replaced.*nothing is lost .*-shm/),
    ]);
    shop.crash();
    await shop.service.start();
    shop.start();
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    for (const reference of [...before, 'AFTER']) expect(shop.state(reference)).toBe('applied');
  });

  it.each(lengths)('to %i bytes just before the agent ends loses nothing', async (bytes) => {
    const path = await sellingShop();
    truncateSync(`${path}-shm`, bytes);
    await shop.stop();
    expect(referencesInFile(path)).toEqual(before);
  });

  it.each(lengths)('to %i bytes after a crash loses nothing', async (bytes) => {
    await sellingShop();
    shop.crash();
    const path = shop.databasePath;
    truncateSync(`${path}-shm`, bytes);
    shop.start();
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    expect(referencesInFile(path)).toEqual([...before, 'AFTER']);
    expect(shop.core.status().notices).toEqual([]);
  });
});
