import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { Shop } from '../support/core-shop.ts';
import { referencesInFile } from '../support/lying-files.ts';

let shop: Shop;
afterEach(() => shop.end());

const parts = ['', '-wal', '-shm', '-open'] as const;
type Part = (typeof parts)[number];

const referencesOf = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word}-${index + 1}`);
const before = referencesOf('BEFORE', 8);
const since = referencesOf('SINCE', 12);

/** A till that runs, and a copy of its files from before the last sales. */
async function sellingShop(): Promise<{ readonly path: string; readonly copy: ReadonlyMap<Part, Buffer> }> {
  shop = new Shop();
  shop.start();
  for (const reference of before) await shop.saved(reference);
  const path = shop.databasePath;
  const copy = new Map(
    parts.filter((part) => existsSync(path + part)).map((part) => [part, readFileSync(path + part)]),
  );
  for (const reference of since) await shop.saved(reference);
  return { path, copy };
}

/** As `cp` does: into the same files, which stay open. */
function putBack(path: string, copy: ReadonlyMap<Part, Buffer>, chosen: readonly Part[]): void {
  for (const part of chosen) {
    const bytes = copy.get(part);
    if (bytes === undefined) throw new Error(`There was no ${path}${part}`);
    writeFileSync(path + part, bytes);
  }
}

describe('older files that are copied over those of a running agent', () => {
  it.each<readonly [string, readonly Part[]]>([
    ['the index of the log', ['-shm']],
    ['the database and the index', ['', '-shm']],
    ['the index and the marker', ['-shm', '-open']],
  ])('%s: nothing is lost', async (_, chosen) => {
    const { path, copy } = await sellingShop();
    putBack(path, copy, chosen);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    expect(referencesInFile(path)).toEqual([...before, ...since, 'AFTER']);
    shop.crash();
    await shop.service.start();
    shop.start();
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    for (const reference of [...before, ...since, 'AFTER']) expect(shop.state(reference)).toBe('applied');
  });

  it('the index, just before the agent ends: nothing is lost', async () => {
    const { path, copy } = await sellingShop();
    putBack(path, copy, ['-shm']);
    await shop.stop();
    expect(referencesInFile(path)).toEqual([...before, ...since]);
  });

  it.each<readonly [string, readonly Part[]]>([
    ['the index and the log', ['-wal', '-shm']],
    ['all files', parts],
  ])('%s: what is lost is a number, and the next sale is kept', async (_, chosen) => {
    const { path, copy } = await sellingShop();
    putBack(path, copy, chosen);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    const held = referencesInFile(path);
    expect(held).toEqual(expect.arrayContaining([...before, 'AFTER']));
    const lost = before.length + since.length + 1 - held.length;
    const notice = shop.core.status().notices.find(({ code }) => code === 'database_recovered');
    const words = notice === undefined ? '' : noticeInWords(notice);
    expect(words).not.toMatch(/not known|may be missing|: newer operations are missing/);
    if (lost > 0) expect(words).toContain(`: ${lost} operations are missing`);
    if (lost > 0) expect(notice).toMatchObject({ unreadable: lost });
    shop.crash();
    shop.start();
    expect(referencesInFile(path)).toEqual(held);
  });
});
