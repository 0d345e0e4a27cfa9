import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { Shop } from '../support/core-shop.ts';
import { referencesInFile } from '../support/lying-files.ts';
import { moveMonotonic } from '../support/moved-monotonic.ts';

let shop: Shop;
afterEach(async () => {
  vi.restoreAllMocks();
  await shop.end();
});

const saleCount = 25;

/** For how long the folder of the database is left alone before it is harmed: the till looks at it in two ways. */
const quietTimes = [
  { when: 'at once', quietMs: 0 },
  { when: 'after a quiet time', quietMs: 10_000 },
] as const;
type QuietTime = Pick<(typeof quietTimes)[number], 'quietMs'>;

/** A till that runs with sales that nobody has sent yet. */
async function sellingShop({ quietMs }: QuietTime = quietTimes[0]): Promise<string> {
  shop = new Shop();
  shop.start();
  for (let number = 1; number <= saleCount; number += 1) {
    if (number === saleCount - 2) passOnTheFolder(quietMs);
    await shop.saved(`BEFORE-${number}`);
  }
  return shop.databasePath;
}

function passOnTheFolder(quietMs: number): void {
  moveMonotonic((realMs) => realMs + quietMs);
}

const inBothWays = <Damage>(damages: readonly (readonly [what: string, damage: Damage])[]) =>
  damages.flatMap(([what, damage]) => quietTimes.map(({ when, quietMs }) => ({ what, when, damage, quietMs })));

const everything = [...Array.from({ length: saleCount }, (_, index) => `BEFORE-${index + 1}`), 'AFTER'];
const parts = ['', '-wal', '-shm'] as const;

describe('files that are gone while the agent runs', () => {
  const damages: readonly [string, (path: string) => void][] = [
    ['the database', (path: string) => rmSync(path)],
    ['the log', (path: string) => rmSync(`${path}-wal`)],
    [
      'all three',
      (path: string) => {
        for (const part of parts) rmSync(path + part);
      },
    ],
    ['the whole folder', (path: string) => rmSync(dirname(path), { recursive: true })],
    ['the whole folder, renamed', (path: string) => renameSync(dirname(path), `${dirname(path)}-renamed`)],
    [
      'the database, replaced by another',
      (path: string) => {
        rmSync(path);
        new BetterSqlite3(path).exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)').close();
      },
    ],
    [
      'all three, with a folder in the place of the database',
      (path: string) => {
        for (const part of parts) rmSync(path + part);
        mkdirSync(path);
      },
    ],
    [
      'the log, with a folder in its place',
      (path: string) => {
        rmSync(`${path}-wal`);
        mkdirSync(`${path}-wal`);
      },
    ],
    [
      'the database and its log, replaced by older ones',
      (path: string) => {
        for (const part of ['', '-wal']) {
          copyFileSync(path + part, `${path}${part}.copy`);
          renameSync(`${path}${part}.copy`, path + part);
        }
      },
    ],
  ];

  it.each(inBothWays(damages))(
    '$what, $when: the next sale is saved, with everything before it, in a new file',
    async ({ damage, quietMs }) => {
      const path = await sellingShop({ quietMs });
      damage(path);
      expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
      expect(referencesInFile(path)).toEqual(everything);
      const notice = shop.core.status().notices.find(({ code }) => code === 'database_recovered');
      expect(notice).toMatchObject({ why: 'moved', carried: saleCount, unreadable: 0 });
      expect(shop.errors.join('\n')).toContain('deleted, replaced or cut');
      // Sales go out as ever, and nothing is lost in a kill either.
      shop.crash();
      await shop.service.start();
      shop.start();
      await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
      for (const reference of everything) expect(shop.state(reference)).toBe('applied');
      rmSync(`${dirname(path)}-renamed`, { recursive: true, force: true });
    },
  );

  it('are saved again within a minute, though nobody sells', async () => {
    const path = await sellingShop();
    for (const part of parts) rmSync(path + part);
    await shop.pass(61_000, 61_000);
    expect(referencesInFile(path)).toEqual(everything.slice(0, saleCount));
  });

  it('keep a file that somebody has put in their place', async () => {
    const path = await sellingShop();
    rmSync(path);
    writeFileSync(path, 'precious');
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('.replaced-'));
    expect(kept.some((name) => statSync(join(dirname(path), name)).size === 8)).toBe(true);
  });

  it('that cannot be made again refuse the sale loudly, and take the next one when they can', async () => {
    const path = await sellingShop({ quietMs: 10_000 });
    const folder = dirname(path);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file stands where the folder was');
    for (const again of ['1', '2', '3']) {
      expect(await shop.saveEarn(`REFUSED-${again}`)).toMatchObject({ kind: 'not_saved' });
    }
    rmSync(folder);
    mkdirSync(folder);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    expect(referencesInFile(path)).toEqual(everything);
  });
});

describe('files that were cut while the agent runs', () => {
  const damages: readonly [string, (path: string) => void][] = [
    ['the database to nothing', (path: string) => truncateSync(path, 0)],
    ['the database to a half', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    [
      'the database and its log to nothing',
      (path: string) => {
        for (const part of ['', '-wal']) truncateSync(path + part, 0);
      },
    ],
  ];
  const logDamages: readonly [string, (path: string) => void][] = [
    ['to nothing', (path: string) => truncateSync(`${path}-wal`, 0)],
    ['to a half', (path: string) => truncateSync(`${path}-wal`, Math.floor(statSync(`${path}-wal`).size / 2))],
  ];

  it.each(inBothWays(logDamages))(
    'the log $what, $when: what SQLite has in memory is saved before anything else is written',
    async ({ damage, quietMs }) => {
      const path = await sellingShop({ quietMs });
      damage(path);
      expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
      expect(referencesInFile(path)).toEqual(everything);
      expect(shop.core.counts().queued).toBe(saleCount + 1);
      expect(shop.core.status().notices).toContainEqual(
        expect.objectContaining({ code: 'database_recovered', why: 'moved', carried: saleCount, unreadable: 0 }),
      );
    },
  );

  it('the log: it is found within some seconds, though nobody sells', async () => {
    const path = await sellingShop();
    truncateSync(`${path}-wal`, 0);
    await shop.pass(11_000, 11_000);
    expect(referencesInFile(path)).toEqual(everything.slice(0, saleCount));
  });

  it('the log, with pages that SQLite has in memory no more: the rest is saved, and the missing are a number', async () => {
    const path = await sellingShop();
    // Each commit of another program has SQLite forget the pages that it had in memory.
    new BetterSqlite3(path)
      .exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE other (id INTEGER); DROP TABLE other')
      .close();
    truncateSync(`${path}-wal`, 0);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    const held = referencesInFile(path);
    expect(shop.core.counts().queued).toBe(held.length);
    expect(shop.core.status().notices).toContainEqual(
      expect.objectContaining({ code: 'database_recovered', unreadable: saleCount + 1 - held.length }),
    );
  });

  it.each(inBothWays(damages))('$what, $when: sales go on, and what is lost is told', async ({ damage, quietMs }) => {
    const path = await sellingShop({ quietMs });
    damage(path);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    const held = referencesInFile(path);
    expect(held).toContain('AFTER');
    const missing = everything.filter((reference) => !held.includes(reference));
    const notice = shop.core.status().notices.find(({ code }) => code === 'database_recovered');
    expect(notice).toBeDefined();
    expect(notice).toMatchObject({ unreadable: missing.length });
    const words = notice === undefined ? '' : noticeInWords(notice);
    if (missing.length === 0)
      expect(words).toMatch(/no operation is missing|25 operations were kept, 0 could not be read/);
    expect(words).not.toMatch(/not known|may be missing|0 operations are missing/);
    const { queued, unknown } = shop.core.counts();
    expect(queued + unknown).toBe(held.length);
  });
});

describe('what was saved when the files were gone, and did not come to its place before the end', () => {
  const parting = (path: string) => {
    for (const part of [...parts, '-open']) rmSync(path + part, { force: true });
  };
  /** A stopped till with its draft beside what is left of its database. */
  async function leftWithDraft(): Promise<{ readonly path: string; readonly draft: string }> {
    const path = await sellingShop();
    await shop.stop();
    const draft = `${path}.moving`;
    new BetterSqlite3(path).exec(`VACUUM INTO '${draft}'`).close();
    return { path, draft };
  }
  const leftovers: readonly [string, (path: string) => void][] = [
    ['nothing', parting],
    [
      'a folder',
      (path: string) => {
        parting(path);
        mkdirSync(path);
      },
    ],
    [
      'rubbish',
      (path: string) => {
        parting(path);
        writeFileSync(path, 'rubbish');
      },
    ],
    [
      'a database of another program',
      (path: string) => {
        parting(path);
        new BetterSqlite3(path).exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)').close();
      },
    ],
  ];

  it.each(leftovers)('is the database of the next start where %s stands', async (_, leave) => {
    const { path, draft } = await leftWithDraft();
    leave(path);
    shop.start();
    expect(referencesInFile(path)).toEqual(everything.slice(0, saleCount));
    expect(shop.core.counts().queued + shop.core.counts().unknown).toBe(saleCount);
    expect(shop.core.status().notices.some(({ code }) => code === 'database_recovered')).toBe(true);
    expect(existsSync(draft)).toBe(false);
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
  });

  it('is told as all that there was where nothing stands', async () => {
    const { path } = await leftWithDraft();
    parting(path);
    shop.start();
    expect(shop.core.status().notices).toContainEqual(
      expect.objectContaining({ why: 'moved', carried: saleCount, unreadable: 0, aside: null }),
    );
  });

  it('is taken in where an older database stands', async () => {
    const { path } = await leftWithDraft();
    const older = new BetterSqlite3(path);
    older.exec('DELETE FROM operation_events WHERE row_id > 20; DELETE FROM operations WHERE row_id > 20');
    older.close();
    shop.start();
    expect(referencesInFile(path)).toEqual(everything.slice(0, saleCount));
    expect(shop.core.status().notices).toContainEqual(
      expect.objectContaining({ code: 'database_recovered', why: 'moved', carried: 5 }),
    );
  });

  it('is read as far as it goes when it is not whole, and told so', async () => {
    const { path, draft } = await leftWithDraft();
    parting(path);
    truncateSync(draft, Math.floor(statSync(draft).size / 2));
    shop.start();
    expect(shop.core.status().notices).toContainEqual(
      expect.objectContaining({ code: 'database_recovered', unreadable: null }),
    );
    expect(readdirSync(dirname(path)).some((name) => name.endsWith('-part.sqlite'))).toBe(true);
  });
});
