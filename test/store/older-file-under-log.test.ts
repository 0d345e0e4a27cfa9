import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp } from '../../app/store/copies/backup.ts';
import { beginPeopleBeside } from '../../app/store/copies/other-databases.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { bytesOf, copyFiles, heldIn, kill, sell } from '../support/lying-files.ts';

const options = { random: systemRandom(), nowMs: rowTimeMs + 60_000 };
/** Above it nothing looks at the whole file at a start. */
const wholeCheckMaxBytes = 8 * 1024 * 1024;
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file(join('own', 'till.sqlite'));
});
afterEach(() => folder.remove());

const start = (nowMs = options.nowMs): Store => openOrRecover(path, { ...options, nowMs });

async function runOn(word: string, count: number): Promise<void> {
  const store = start();
  await sell(store, word, count);
  store.close();
}

/** @param work with the open store, before the kill */
async function killOn(word: string, count: number, work: (store: Store) => unknown = () => undefined): Promise<void> {
  const store = start();
  await work(store);
  await sell(store, word, count);
  kill(store, path);
}

function makeLarge(): void {
  const database = openDatabase(path);
  database.exec(`INSERT INTO meta (key, value) VALUES ('large', hex(zeroblob(${wholeCheckMaxBytes / 2})))`);
  database.close();
  expect(statSync(path).size).toBeGreaterThan(wholeCheckMaxBytes);
}

/** What is told, what is held of each word, and that the till goes on. */
async function startAgain(...words: readonly (readonly [string, number])[]) {
  const store = start();
  const { recovery } = store;
  const held = words.map(([word, count]) => heldIn(store, word, count));
  await sell(store, 'NEW', 1);
  store.close();
  const again = openDatabase(path);
  expect(again.pragma('integrity_check', { simple: true })).toBe('ok');
  again.close();
  const later = start(options.nowMs + 1);
  expect(later.recovery).toEqual(recovery);
  expect(heldIn(later, 'NEW', 1)).toBe(1);
  later.close();
  return { recovery, held };
}

const kept = () => folder.file('kept.sqlite');
const pageBytesOf = (file: Buffer) => file.readUInt16BE(16);
/** More than go into one log. */
const manySales = 450;

describe.each([
  { size: 'a large database', prepare: makeLarge },
  { size: 'a small database', prepare: () => undefined },
])('$size: an older copy of the file under the present log is never played over, and is told', ({ prepare }) => {
  const expectTold = async (...words: readonly (readonly [string, number])[]) => {
    expect(checkDatabase(path, { isOpen: false })).toMatchObject([
      { verdict: 'problem', says: expect.stringContaining('lies under its log') },
    ]);
    const present = bytesOf(path);
    const log = bytesOf(`${path}-wal`);
    const { recovery, held } = await startAgain(...words);
    expect(recovery).toMatchObject({ why: 'damaged', unreadable: null });
    const aside = join(path, '..', recovery?.aside ?? '');
    expect(bytesOf(aside).equals(present)).toBe(true);
    expect(bytesOf(`${aside}-wal`).equals(log)).toBe(true);
    return held;
  };

  it('that was made after an earlier run', async () => {
    prepare();
    await runOn('ONE', 30);
    copyFileSync(path, kept());
    await runOn('TWO', 60);
    await killOn('THREE', 5);
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that was made before a run of a single sale', async () => {
    prepare();
    await runOn('ONE', 30);
    copyFileSync(path, kept());
    await runOn('TWO', 1);
    await killOn('THREE', 1);
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that was made in the same run, before the log began anew', async () => {
    prepare();
    await runOn('ONE', 30);
    await killOn('TWO', manySales, async (store) => {
      await sell(store, 'FIRST', manySales);
      copyFileSync(path, kept());
    });
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that was made in an earlier run, after which little was sold', async () => {
    prepare();
    const store = start();
    await sell(store, 'ONE', 30);
    store.keptProfiles.wipe();
    copyFileSync(path, kept());
    await sell(store, 'TWO', 2);
    store.close();
    await killOn('THREE', 1);
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that is a backup', async () => {
    prepare();
    await killOn('TWO', manySales, async (store) => {
      await sell(store, 'ONE', 30);
      await backUp(path, kept(), { mode: 'sandbox', nowMs: options.nowMs });
    });
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that came with what lay beside it then', async () => {
    prepare();
    await runOn('ONE', 30);
    copyFiles(join(path, '..'), folder.file('all'));
    await runOn('TWO', 60);
    await killOn('THREE', manySales);
    for (const name of ['till.sqlite', 'till.sqlite-open', 'databases.json']) {
      copyFileSync(join(folder.file('all'), name), join(path, '..', name));
    }
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });

  it('that was begun anew since', async () => {
    prepare();
    await runOn('ONE', 30);
    copyFileSync(path, kept());
    await killOn('TWO', 30, () => {
      const database = new BetterSqlite3(path);
      database.exec('VACUUM');
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    });
    copyFileSync(kept(), path);
    const [one] = await expectTold(['ONE', 30]);
    expect(one).toBe(30);
  });
});

describe('a file that is the one under its log', () => {
  const expectNothingTold = async (...words: readonly (readonly [string, number])[]) => {
    expect(checkDatabase(path, { isOpen: false }).filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    const { recovery, held } = await startAgain(...words);
    expect(recovery).toBeNull();
    expect(held).toEqual(words.map(([, count]) => count));
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('damaged'))).toEqual([]);
  };

  it('as a kill has left it, wherever in its log', async () => {
    await runOn('ONE', 3);
    const store = start();
    const left: string[] = [];
    for (let number = 1; number <= 20; number += 1) {
      await sell(store, `SALE${number}`, 26);
      left.push(folder.file(`left-${number}`));
      copyFiles(join(path, '..'), folder.file(`left-${number}`));
    }
    store.close();
    for (const one of left) {
      copyFiles(one, join(path, '..'));
      await expectNothingTold(['ONE', 3]);
    }
  });

  it('where a reader has kept the log from beginning anew, and the file has moved on under it', async () => {
    await runOn('ONE', 3);
    const readers: BetterSqlite3.Database[] = [];
    await killOn('TWO', manySales, async (store) => {
      await sell(store, 'FIRST', 100);
      const reader = new BetterSqlite3(path, { readonly: true });
      readers.push(reader);
      reader.prepare('BEGIN').run();
      reader.prepare('SELECT count(*) FROM operations').get();
    });
    for (const reader of readers) reader.close();
    await expectNothingTold(['ONE', 3], ['FIRST', 100], ['TWO', manySales]);
  });

  it('where an older marker was copied over it while the agent runs', async () => {
    await killOn('FOUR', 3, async (store) => {
      await sell(store, 'ONE', 30);
      const older = bytesOf(`${path}-open`);
      for (const word of ['TWO', 'THREE']) {
        store.keptProfiles.wipe();
        await sell(store, word, 60);
      }
      writeFileSync(`${path}-open`, older);
    });
    await expectNothingTold(['ONE', 30], ['TWO', 60], ['THREE', 60], ['FOUR', 3]);
  });

  it('where a kill came within a checkpoint, and a power cut took back what was not synced of that', async () => {
    await runOn('ONE', 30);
    await killOn('TWO', 60);
    const before = bytesOf(path);
    const beside = folder.file('beside');
    copyFiles(join(path, '..'), beside);
    const other = new BetterSqlite3(join(beside, 'till.sqlite'));
    other.pragma('wal_checkpoint(PASSIVE)');
    const after = bytesOf(join(beside, 'till.sqlite'));
    other.close();
    const pagesCopied = 5 * pageBytesOf(before);
    writeFileSync(path, Buffer.concat([after.subarray(0, pagesCopied), before.subarray(pagesCopied)]));
    await killOn('THREE', 1);
    writeFileSync(path, before);
    await expectNothingTold(['ONE', 30], ['TWO', 60], ['THREE', 1]);
  });

  it('after the people of the other mode were sealed in it, as its killed agent had left it', async () => {
    await killOn('ONE', 30);
    expect(beginPeopleBeside(path, { key: new Uint8Array(32), mode: 'sandbox', knownVersion: null })).not.toBeNull();
    await expectNothingTold(['ONE', 30]);
  });

  it('after several kills, also of starts that had no time', async () => {
    await killOn('ONE', 250);
    await killOn('TWO', 5);
    const begun = openDatabase(path);
    copyFiles(join(path, '..'), folder.file('half'));
    begun.close();
    copyFiles(folder.file('half'), join(path, '..'));
    await killOn('THREE', 120);
    await expectNothingTold(['ONE', 250], ['TWO', 5], ['THREE', 120]);
  });

  it('where everything was copied together', async () => {
    await runOn('ONE', 30);
    await killOn('TWO', 30);
    copyFiles(join(path, '..'), folder.file('all'));
    copyFiles(folder.file('all'), join(path, '..'));
    await runOn('THREE', 30);
    copyFiles(folder.file('all'), join(path, '..'));
    await expectNothingTold(['ONE', 30], ['TWO', 30]);
  });

  it('where an earlier version has left it, or its list is cut', async () => {
    await runOn('ONE', 30);
    await killOn('TWO', manySales);
    const earlierMarker = bytesOf(`${path}-open`);
    earlierMarker.writeUInt32LE(0, 12);
    writeFileSync(`${path}-open`, earlierMarker);
    writeFileSync(join(path, '..', 'databases.json'), '{"till.sqlite": {');
    expect(existsSync(`${path}-wal`)).toBe(true);
    await expectNothingTold(['ONE', 30], ['TWO', manySales]);
  });
});
