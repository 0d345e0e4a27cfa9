import { copyFileSync, truncateSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { noteRecovery, recoveryToldMs } from '../../app/store/carrying/carrying.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { referencesInFile, sell } from '../support/lying-files.ts';

// What was told as lost is still lost when the files of the running agent are cut, too.

let nowMs: number;
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  nowMs = rowTimeMs + 60_000;
  folder = temporaryFolder();
  path = folder.file('till.sqlite');
});
afterEach(() => folder.remove());

const start = (): Store => openOrRecover(path, { random: systemRandom(), nowMs, now: () => nowMs });

async function run(word: string, count: number): Promise<void> {
  const store = start();
  await sell(store, word, count);
  store.close();
}

async function runOnOlderCopy(): Promise<Store> {
  await run('ONE', 5);
  copyFileSync(path, folder.file('older'));
  await run('TWO', 5);
  copyFileSync(folder.file('older'), path);
  const store = start();
  await sell(store, 'THREE', 3);
  expect(store.recovery).toMatchObject({ why: 'older', unreadable: null });
  return store;
}

/** Of what the running agent had, some may be gone. */
function cut(store: Store): void {
  truncateSync(path, 0);
  nowMs += 1_000;
  store.checkFiles('close');
  expect(store.recovery).toMatchObject({ atMs: nowMs });
}

function noteLost(unreadable: number): void {
  const database = new BetterSqlite3(path);
  noteRecovery(database, { atMs: nowMs, aside: 'kept', why: 'damaged', carried: 5, renewed: 0, unreadable });
  database.close();
}

describe('a cut under the running agent', () => {
  it('leaves unknown what was unknown before, at the next start, too', async () => {
    const store = await runOnOlderCopy();
    cut(store);
    expect(store.recovery?.unreadable).toBeNull();
    store.close();
    const again = start();
    expect(again.recovery?.unreadable).toBeNull();
    again.close();
  });

  it.each([
    ['is added to a number that is still told', 0, 3],
    ['is told alone once the one before is told no more', recoveryToldMs, 0],
  ])('%s', async (_, laterMs, before) => {
    await run('ONE', 5);
    noteLost(3);
    const store = start();
    await sell(store, 'TWO', 4);
    nowMs += laterMs;
    cut(store);
    const missing = 9 - referencesInFile(path).length;
    expect(store.recovery?.unreadable).toBe(before + missing);
    store.close();
  });
});
