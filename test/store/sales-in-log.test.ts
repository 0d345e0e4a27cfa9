import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { operationsInLog } from '../../app/store/carrying/rows-in-log.ts';
import { frameHeaderBytes } from '../../app/store/files/log-frame.ts';
import { newPageBytes, readLog } from '../../app/store/files/write-ahead-log.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { NewOperation } from '../../app/store/schema/new-operation.ts';
import type { Store } from '../../app/store/store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { columnsOf } from '../../app/store/versions/table-columns.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { Shop } from '../support/core-shop.ts';
import { bytesOf, copyFiles, kill } from '../support/lying-files.ts';

// What leads to a page of the log may stand in the lost file alone.

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000, sealKey: new Uint8Array(32).fill(5) };
/** So many that pages lead to pages that lead to the rows. */
const manyRows = 2_500;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file(join('own', 'till.sqlite'));
});
afterEach(() => folder.remove());

type StoredRow = Readonly<Record<string, string | number | Buffer | null>>;

const start = () => openOrRecover(path, options);
const kept = () => folder.file('kept.sqlite');

let saved = 0;
/** Each in a commit of its own, or all in one. */
async function sell(store: Store, count: number, part: Partial<NewOperation> = {}, atOnce = false): Promise<number[]> {
  const rows = Array.from({ length: count }, () => {
    saved += 1;
    const operationId = `00000000-0000-4000-8000-${String(saved).padStart(12, '0')}`;
    return newRow(store.operations.takeRowId(), { operationId, externalRef: `S-${saved}`, ...part });
  });
  const insert = (some: readonly NewOperation[]) =>
    store.writer.urgent(() => {
      for (const row of some) store.operations.insert(row);
    });
  if (atOnce) await insert(rows);
  else for (const row of rows) await insert([row]);
  return rows.map(({ rowId }) => rowId);
}

function rowsIn(file: string): ReadonlyMap<string, StoredRow> {
  const database = new BetterSqlite3(file, { readonly: true });
  const rows = database.prepare<[], StoredRow>('SELECT * FROM operations').all();
  database.close();
  return new Map(rows.map((row) => [String(row.external_ref), row]));
}

/** After a start on what stands there. */
function rowsAfterStart() {
  const store = start();
  const { recovery } = store;
  store.close();
  const checked = new BetterSqlite3(path, { readonly: true });
  expect(checked.pragma('integrity_check', { simple: true })).toBe('ok');
  checked.close();
  return { recovery, rows: rowsIn(path) };
}

/**
 * What a sound pair of files holds, and what of it stands whole on pages of its log: as SQLite itself tells where its rows
 * are.
 */
function heldIn(pair: string) {
  const copy = folder.file('sound.sqlite');
  for (const part of ['', '-wal']) if (existsSync(pair + part)) copyFileSync(pair + part, copy + part);
  const { pages } = readLog(`${copy}-wal`);
  const database = new BetterSqlite3(copy);
  const parts = database
    .prepare<[], { pageno: number; ncell: number; path: string; pagetype: string }>(
      `SELECT pageno, ncell, path, pagetype FROM dbstat WHERE name = 'operations' ORDER BY path`,
    )
    .all();
  const rows = database.prepare<[], StoredRow>('SELECT * FROM operations ORDER BY row_id').all();
  database.close();
  const isElsewhere = (page: number) => !pages.has(page);
  const cut = new Set(
    parts.filter((one) => one.pagetype === 'overflow' && isElsewhere(one.pageno)).map((one) => one.path.split('+')[0]),
  );
  const places = parts
    .filter(({ pagetype }) => pagetype === 'leaf')
    .flatMap((leaf) =>
      Array.from({ length: leaf.ncell }, (_, cell) => ({
        isInLog: !isElsewhere(leaf.pageno) && !cut.has(leaf.path + cell.toString(16).padStart(3, '0')),
      })),
    );
  expect(places).toHaveLength(rows.length);
  return { rows, inLog: rows.filter((_, place) => places[place]?.isInLog) };
}

/** In the state that it had, or as one that may have been sent; nothing that it says has changed. */
function expectCarried(row: StoredRow, here: StoredRow | undefined, what: string): void {
  expect(here, `${what}: is there`).toBeDefined();
  const doubted = ['queued', 'sending'].includes(String(row.state)) ? 'unknown' : row.state;
  expect(here?.state, `${what}: ${String(row.state)}`).toBe(doubted);
  for (const name of ['operation_id', 'intent', 'body', 'seal', 'identifier_value', 'service_transaction_id', 'path'])
    expect(here?.[name], `${what}: ${name}`).toEqual(row[name]);
}

describe('sales that only pages of the log hold', () => {
  /** @returns the references of five sales in the log, to which nothing in an older file leads */
  async function leaveFive(part: Partial<NewOperation> = {}): Promise<readonly string[]> {
    const store = start();
    await sell(store, 20);
    store.keptProfiles.wipe();
    copyFileSync(path, kept());
    await sell(store, manyRows, {}, true);
    store.close();
    const next = start();
    const five = [...(await sell(next, 1, part)), ...(await sell(next, 4))];
    const references = five.map((rowId) => next.operations.operation(rowId)?.externalRef ?? '');
    kill(next, path);
    return references;
  }

  it('are carried over from an older file under it, with their seals', async () => {
    const references = await leaveFive();
    const { rows: before } = heldIn(path);
    copyFileSync(kept(), path);
    const { recovery, rows } = rowsAfterStart();
    // What only the lost file had is not known.
    expect(recovery).toMatchObject({ why: 'damaged', unreadable: null });
    for (const row of before.filter(({ external_ref }) => references.includes(String(external_ref))))
      expectCarried(row, rows.get(String(row.external_ref)), String(row.external_ref));
    expect(rows.size).toBeLessThan(manyRows);
  });

  it('are carried over where nothing of the file can be read, or where it is empty', async () => {
    const references = await leaveFive();
    copyFiles(join(path, '..'), folder.file('both'));
    for (const bytes of [Buffer.alloc(bytesOf(path).length), Buffer.alloc(0)]) {
      copyFiles(folder.file('both'), join(path, '..'));
      writeFileSync(path, bytes);
      const { recovery, rows } = rowsAfterStart();
      expect(references.filter((reference) => !rows.has(reference))).toEqual([]);
      expect(recovery).toMatchObject({ why: 'damaged', unreadable: null });
    }
  });

  it('are carried over where the page that leads to them is damaged', async () => {
    const references = await leaveFive();
    const { pages } = readLog(`${path}-wal`);
    const database = new BetterSqlite3(path, { readonly: true });
    const leading = database
      .prepare<[], number>(`SELECT pageno FROM dbstat WHERE name = 'operations' AND pagetype = 'internal'`)
      .pluck()
      .all()
      .filter((page) => !pages.has(page));
    database.close();
    expect(leading.length).toBeGreaterThan(0);
    const bytes = bytesOf(path);
    for (const page of leading) bytes.fill(0xee, (page - 1) * newPageBytes, page * newPageBytes);
    writeFileSync(path, bytes);
    const { recovery, rows } = rowsAfterStart();
    expect(references.filter((reference) => !rows.has(reference))).toEqual([]);
    expect(recovery?.why).toBe('damaged');
  });

  it('are whole where the file is from before an update', async () => {
    const seals = migrations.find(({ sql }) => sql.includes('ADD COLUMN seal'))?.version ?? 0;
    start().close();
    const database = new BetterSqlite3(folder.file('earlier.sqlite'));
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    migrate(
      database,
      migrations.filter(({ version }) => version < seals),
    );
    database.close();
    const references = await leaveFive();
    const { rows: before } = heldIn(path);
    copyFileSync(folder.file('earlier.sqlite'), path);
    const { rows } = rowsAfterStart();
    for (const row of before.filter(({ external_ref }) => references.includes(String(external_ref))))
      expectCarried(row, rows.get(String(row.external_ref)), String(row.external_ref));
  });

  it('stay linked to what they take back', async () => {
    const first = start();
    const [original = 0] = await sell(first, 1);
    first.close();
    const [reversal = ''] = await leaveFive({ intent: 'reverse', reversesRowId: original });
    copyFileSync(kept(), path);
    const { rows } = rowsAfterStart();
    expect(rows.get(reversal)?.reverses_row_id).toBe(original);
  });

  it('keep what became of them since the file was copied', async () => {
    const store = start();
    await sell(store, manyRows, {}, true);
    const [cancelled = 0, applied = 0, erased = 0, decided = 0] = await sell(store, 4);
    await store.writer.lazy(() => {
      store.operations.mark([erased], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(erased, 'apply', { send: 1, completedAtMs: rowTimeMs }));
    });
    store.keptProfiles.wipe();
    copyFileSync(path, kept());
    await sell(store, manyRows, {}, true);
    store.keptProfiles.wipe();
    await store.writer.lazy(() => {
      store.operations.mark([applied, decided], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(applied, 'apply', { send: 1 }));
      store.operations.change(newChange(cancelled, 'cancel'));
      store.retention.erase({ from: erased, to: erased + 1 }, rowTimeMs + 1);
    });
    kill(store, path);
    const states = new Map(heldIn(path).rows.map((row) => [row.row_id, row]));
    expect(states.get(erased)?.body).toBeNull();
    copyFileSync(kept(), path);
    const { rows } = rowsAfterStart();
    for (const rowId of [cancelled, applied, erased, decided]) {
      const row = states.get(rowId) ?? {};
      expectCarried(row, rows.get(String(row.external_ref)), `row ${rowId}`);
    }
  });

  it('count before what the older file says of them on the pages that they stood on then', async () => {
    const store = start();
    const rowIds = await sell(store, 400, {}, true);
    store.keptProfiles.wipe();
    copyFileSync(path, kept());
    // Each second one grows, so that others move to other pages.
    const grown = rowIds.filter((rowId) => rowId % 2 === 0);
    const cancelled = rowIds.filter((rowId) => rowId % 9 === 7 && rowId % 2 === 1);
    await store.writer.lazy(() => {
      store.operations.mark(grown, { atMs: rowTimeMs, keyFingerprint: 'k1' });
      for (const rowId of grown)
        store.operations.change(newChange(rowId, 'apply', { send: 1, requestId: 'r'.repeat(300) }));
    });
    store.keptProfiles.wipe();
    await store.writer.lazy(() => {
      for (const rowId of cancelled) store.operations.change(newChange(rowId, 'cancel'));
    });
    kill(store, path);
    const { inLog } = heldIn(path);
    expect(inLog.filter(({ state }) => state === 'cancelled')).toHaveLength(cancelled.length);
    copyFileSync(kept(), path);
    const { rows } = rowsAfterStart();
    for (const row of inLog) expectCarried(row, rows.get(String(row.external_ref)), String(row.external_ref));
  });
});

describe('what counts of a log', () => {
  const columns = () => {
    const database = new BetterSqlite3(path, { readonly: true });
    const names = columnsOf(database, 'operations');
    database.close();
    return names;
  };
  const readIn = () => operationsInLog(`${path}-wal`, columns()).map(({ external_ref }) => external_ref);

  it('ends with its last whole commit', async () => {
    const store = start();
    const [last = 0] = await sell(store, 1);
    const reference = store.operations.operation(last)?.externalRef;
    kill(store, path);
    expect(readIn()).toContain(reference);
    const whole = bytesOf(`${path}-wal`);
    const frameBytes = frameHeaderBytes + newPageBytes;
    writeFileSync(`${path}-wal`, whole.subarray(0, whole.length - frameBytes));
    expect(readIn()).toEqual([]);
    const torn = Buffer.from(whole);
    torn.fill(0xee, whole.length - 100);
    writeFileSync(`${path}-wal`, torn);
    expect(readIn()).toEqual([]);
  });

  it('is nothing behind the end of the database, where what was erased may still stand', async () => {
    const store = start();
    const rowIds = await sell(store, 200, {}, true);
    const database = new BetterSqlite3(path);
    database.exec('DELETE FROM operations');
    // Without `secure_delete`: it leaves them as they are.
    expect(database.pragma('freelist_count', { simple: true })).toBeGreaterThan(10);
    expect(readIn().length).toBeGreaterThan(rowIds.length / 2);
    database.exec('VACUUM');
    expect(readIn()).toEqual([]);
    database.close();
    kill(store, path);
  });
});

describe('an older file under a log, whatever was done between', () => {
  const seeds = Array.from({ length: process.env.LONG_TESTS === '1' ? 200 : 8 }, (_, index) => index + 1);

  it.each(seeds)('costs no sale that is whole in the log, and none is as it was earlier (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random.next() * count);
    const copies: Buffer[] = [];
    const waiting: number[] = [];
    let store = start();
    const take = async (count: number, atOnce: boolean) => {
      const metadata = below(6) === 0 ? 'x'.repeat(below(6_000)) : '';
      waiting.push(...(await sell(store, count, { body: JSON.stringify({ metadata }) }, atOnce)));
    };
    const acts: readonly (() => unknown)[] = [
      () => take(1 + below(60), false),
      () => take(below(2_000), true),
      () => {
        const some = waiting.splice(below(waiting.length), 1 + below(40));
        return store.writer.lazy(() => {
          if (some.length === 0) return;
          store.operations.mark(some, { atMs: rowTimeMs, keyFingerprint: 'k1' });
          for (const rowId of some) {
            const event = (['accept', 'apply', 'lose'] as const)[below(4)];
            if (event !== undefined) store.operations.change(newChange(rowId, event, { send: 1 }));
          }
        });
      },
      () =>
        store.writer.lazy(() => {
          const [rowId] = waiting.splice(below(waiting.length), 1);
          if (rowId !== undefined) store.operations.change(newChange(rowId, 'cancel'));
        }),
      () => store.keptProfiles.wipe(),
      () => {
        store.close();
        store = start();
      },
      () => copies.push(readFileSync(path)),
      () => copies.push(readFileSync(path)),
    ];
    for (let step = 8 + below(20); step > 0; step -= 1) await acts[below(acts.length)]?.();
    copies.push(readFileSync(path));
    await take(1 + below(6), false);
    kill(store, path);
    const { inLog } = heldIn(path);
    copyFiles(join(path, '..'), folder.file('pair'));
    for (const [number, copy] of copies.slice(-4).entries()) {
      copyFiles(folder.file('pair'), join(path, '..'));
      writeFileSync(path, copy);
      const { rows } = rowsAfterStart();
      for (const row of inLog) {
        const what = `seed ${seed}, copy ${number}, ${String(row.external_ref)}`;
        const here = rows.get(String(row.external_ref));
        // The file may stand where one of the log's own commits has left it: then nothing was lost.
        if (here?.state !== row.state) expectCarried(row, here, what);
      }
      const ids = [...rows.values()].map(({ operation_id }) => operation_id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('a shop whose database is an older copy after a kill', () => {
  it('delivers what only the log holds, once and under its own reference', async () => {
    const shop = new Shop();
    try {
      await shop.service.start();
      await shop.service.stop();
      shop.start();
      const metadata = { filler: 'x'.repeat(1_200) };
      const fill = (word: string, count: number) =>
        Promise.all(Array.from({ length: count }, (_, index) => shop.saved(`${word}-${index}`, { metadata })));
      await fill('OLD', 20);
      await shop.stop();
      copyFileSync(shop.databasePath, kept());
      shop.start();
      await fill('LOST', 600);
      await shop.stop();
      shop.start();
      const numbers = [1, 2, 3, 4, 5];
      for (const number of numbers) await shop.saved(`LOG-${number}`);
      shop.crash();
      copyFileSync(kept(), shop.databasePath);
      await shop.service.start();
      shop.start();
      await shop.passUntil(() => numbers.every((number) => shop.state(`LOG-${number}`) === 'applied'));
      await shop.pass(600_000, 10_000);
      for (const number of numbers) expect(shop.service.earnsOf(`LOG-${number}`)).toHaveLength(1);
      for (let number = 0; number < 20; number += 1) expect(shop.service.recorded.has(`OLD-${number}`)).toBe(true);
      expect(shop.core.status().notices).toContainEqual(
        expect.objectContaining({ code: 'database_recovered', unreadable: null }),
      );
    } finally {
      await shop.end();
    }
  });
});
