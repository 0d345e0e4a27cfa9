import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { startCarrying } from '../../app/store/carrying/carrying.ts';
import { replaceDatabase } from '../../app/store/carrying/recover-database.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };

/** A database of `count` sales of which some are further on, closed. */
async function filled(name: string, count: number): Promise<string> {
  const path = folder.file(name);
  const store = openStore(path, options);
  await store.writer.urgent(() => {
    for (let row = 1; row <= count; row += 1) store.operations.insert(newRow(row));
  });
  await store.writer.urgent(() => {
    store.operations.mark([1, 2, 3, 4], { atMs: rowTimeMs, keyFingerprint: 'k1' });
    store.operations.change(newChange(1, 'apply', { send: 1 }));
    store.operations.change(newChange(2, 'accept', { send: 1 }));
    store.operations.change(newChange(3, 'refuse', { send: 1 }));
  });
  store.close();
  return path;
}

const statesOf = (store: Store) =>
  store.activity
    .look({}, { limit: 1_000 }, store.operations.counts.read())
    .operations.toReversed()
    .map(({ externalRef, state }) => `${externalRef} ${state}`);

/** Writes rubbish over a page in the middle of a table or an index. */
function spoil(path: string, name: string, leaf = 0): void {
  const database = new BetterSqlite3(path);
  const page = database
    .prepare<[string, number], { pageno: number }>(
      `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET ?`,
    )
    .get(name, leaf)?.pageno;
  database.close();
  if (page === undefined) throw new Error(`${name} is too small to be spoiled`);
  const bytes = readFileSync(path);
  bytes.fill(0xee, (page - 1) * newPageBytes, page * newPageBytes);
  writeFileSync(path, bytes);
}

describe('a database that fails its integrity check', () => {
  it('says that nobody knows how many are lost where the counters did not tell of all of them yet', async () => {
    const path = await filled('till.sqlite', 300);
    const database = new BetterSqlite3(path);
    database.exec(`UPDATE state_counts SET count = iif(state = 'queued', 180, 0);
      UPDATE meta SET value = '180' WHERE key = 'counted_through'`);
    database.close();
    spoil(path, 'operations', 2);
    const store = openOrRecover(path, options);
    expect(store.recovery).toMatchObject({ why: 'damaged', carried: statesOf(store).length, unreadable: null });
    expect(store.operations.counts.read().queued).toBe(0);
    store.close();
  });

  it('is put aside as it is, and all that can be read goes on in a new one', async () => {
    const path = await filled('till.sqlite', 300);
    spoil(path, 'operations', 2);
    const bytes = readFileSync(path);
    const store = openOrRecover(path, options);
    const states = statesOf(store);
    expect(store.recovery).toMatchObject({ atMs: options.nowMs, carried: states.length });
    expect(store.recovery?.unreadable).toBe(300 - states.length);
    expect(states.length).toBeGreaterThan(250);
    expect(states.length).toBeLessThan(300);
    expect(store.operations.counts.read().unknown).toBe(states.filter((state) => state.endsWith(' unknown')).length);
    store.close();
    const aside = folder.file(store.recovery?.aside ?? '');
    const now = readFileSync(aside);
    expect([now.length, bytes.findIndex((byte, at) => now[at] !== byte)]).toEqual([bytes.length, -1]);
    // From now on it is a database like any other, which remembers.
    const again = openOrRecover(path, { ...options, nowMs: options.nowMs + 1 });
    expect(statesOf(again)).toEqual(states);
    expect(again.recovery?.atMs).toBe(options.nowMs);
    again.close();
  });

  it('loses nothing when only an index is damaged', async () => {
    const path = await filled('till.sqlite', 400);
    spoil(path, 'operations_natural_key');
    const store = openOrRecover(path, options);
    expect(store.recovery).toMatchObject({ carried: 400, unreadable: 0 });
    expect(statesOf(store).slice(0, 5)).toEqual([
      'R-1 applied',
      'R-2 accepted',
      'R-3 unknown',
      'R-4 unknown',
      'R-5 unknown',
    ]);
    const [carried] = store.operations.operationsByReference('R-5');
    expect(carried).toMatchObject({ maybeSent: true, amountMinor: 12_500 });
    const history = store.operations.history(carried?.rowId ?? 0);
    expect(history.map(({ to }) => to)).toEqual(['queued', 'unknown']);
    expect(history.at(-1)?.reason).toBe('carried over from a damaged database');
    store.close();
  });

  it('finishes what a crash has cut short, once', async () => {
    const path = await filled('till.sqlite', 20);
    replaceDatabase(path, folder.file('draft.sqlite'), { name: 'damaged', reason: 'carried over', nowMs: 0 });
    // The crash is here. The next start finds the note.
    const store = openOrRecover(path, options);
    expect(store.recovery).toMatchObject({ carried: 20, unreadable: 0 });
    const aside = store.recovery?.aside ?? '';
    store.close();
    startCarrying(path, { aside, reason: 'carried over' });
    const again = openOrRecover(path, options);
    expect(again.recovery).toMatchObject({ carried: 0, renewed: 0, unreadable: 0 });
    expect(statesOf(again)).toHaveLength(20);
    again.close();
  });

  it.each([
    ['a text file', (path: string) => writeFileSync(path, 'Dear diary\n'.repeat(500))],
    ['a file that was cut off', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    [
      'a zeroed header',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0, 0, 100);
        writeFileSync(path, bytes);
      },
    ],
  ])('%s is put aside too, and the till goes on', async (_, damage) => {
    const path = await filled('till.sqlite', 200);
    damage(path);
    const store = openOrRecover(path, options);
    expect(store.recovery).not.toBeNull();
    await store.writer.urgent(() =>
      store.operations.insert(newRow(store.operations.takeRowId(), { externalRef: 'NEW' })),
    );
    expect(store.operations.operationsByReference('NEW')).toHaveLength(1);
    store.close();
    expect(readdirSync(folder.path).filter((name) => name.includes('damaged'))).not.toEqual([]);
  });

  it('of another program is left alone', () => {
    const path = folder.file('till.sqlite');
    const other = new BetterSqlite3(path);
    other.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)');
    other.close();
    expect(() => openOrRecover(path, options)).toThrow('another program');
    expect(readdirSync(folder.path)).toEqual(['till.sqlite']);
  });

  it('keeps reversals with their originals', async () => {
    const path = folder.file('till.sqlite');
    const store = openStore(path, options);
    await store.writer.urgent(() => {
      for (let row = 1; row <= 300; row += 1) store.operations.insert(newRow(row));
      store.operations.insert(newRow(301, { intent: 'reverse', externalRef: 'R-300', reversesRowId: 300 }));
      store.operations.insert(newRow(302, { externalRef: 'R-299-2', replacesRowId: 299 }));
    });
    store.close();
    spoil(path, 'operations_natural_key');
    const recovered = openOrRecover(path, options);
    expect(recovered.rows.reversalOf(300)?.rowId).toBe(301);
    expect(recovered.rows.replacementOf(299)?.rowId).toBe(302);
    recovered.close();
  });
});

describe('what was to be looked up again', () => {
  it('is looked up after a damage, too, with what it was sent as before', async () => {
    const path = folder.file('till.sqlite');
    const store = openStore(path, options);
    await store.writer.urgent(() => {
      for (let row = 1; row <= 300; row += 1) store.operations.insert(newRow(row));
      store.operations.mark([7], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(7, 'lose', { send: 1 }));
      store.operations.mark([7], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(7, 'refuse', { send: 2 }));
      store.operations.change(newChange(7, 'resend'));
      store.rows.correct(7, { ...newRow(7), body: '{"n":2}', amountMinor: 5, points: null });
    });
    store.close();
    spoil(path, 'operations', 2);
    const mended = openOrRecover(path, options);
    const { watches } = mended.operations;
    expect(watches.due(rowTimeMs + 3 * 60_000, 10)).toContainEqual(
      expect.objectContaining({ rowId: 7, why: 'refused', schedule: 'whole' }),
    );
    expect(watches.versions(7).map(({ body }) => body)).toEqual(['{"n":2}', JSON.stringify({ external_ref: 'R-7' })]);
    mended.close();
  });
});
