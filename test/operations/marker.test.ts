import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { Marker } from '../../app/operations/delivery/marker.ts';
import { Suspects } from '../../app/operations/delivery/suspects.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { fillBacklog } from '../bench/sample-earns.ts';
import { ManualClock } from '../support/manual-clock.ts';

const clock = new ManualClock();
let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marker-'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** Marks for a large window, of sales that so many customers have made in turn. */
function openMarker(customers: number, sales = 1_000) {
  const path = fillBacklog(folder, { mode: 'production', rows: sales, savedAtMs: clock.now(), customers });
  store = openStore(path, { random: systemRandom() });
  const { operations, rows, writer } = store;
  const marker = new Marker({
    operations,
    rows,
    writer,
    clock,
    waits: clock,
    keyFingerprint: 'key',
    correction: { apply: (rows) => rows },
    suspects: new Suspects(),
  });
  const looks = [vi.spyOn(operations, 'queued'), vi.spyOn(operations, 'queuedOfOthers')];
  return async (taken: readonly string[], { looksFar = false, isQuick = true } = {}) => {
    for (const look of looks) look.mockClear();
    const room = (isQuick ? 1_024 : 64) - taken.length;
    const rows = await marker.mark({ room, taken, gate: 'open', isQuick, looksFar });
    const results = looks.flatMap(({ mock }) => mock.results);
    return { rows, read: results.reduce((sum, { value }) => sum + value.length, 0) };
  };
}

/** Gives some of the sales to somebody else, by the places in which they wait. */
function giveTo(identifier: string, places: readonly number[]): void {
  const database = new BetterSqlite3(join(folder, 'production.sqlite'));
  const give = database.prepare(
    'UPDATE operations SET identifier_value = ? WHERE row_id = (SELECT min(row_id) FROM operations) + ?',
  );
  for (const place of places) give.run(identifier, place);
  database.close();
}

it('reads of one busy customer only the rows that it can take', async () => {
  const mark = openMarker(1);
  const first = await mark([]);
  // Whose the rows are is not known before: a whole page is read.
  expect([first.rows.length, first.read]).toEqual([128, 256]);
  const stillReady = first.rows.slice(64).map(({ lane }) => lane);
  const next = await mark(stillReady);
  expect([next.rows.length, next.read]).toEqual([64, 64]);
});

it('reads on while others have a row that fits', async () => {
  const { rows, read } = await openMarker(8)([]);
  expect([rows.length, read]).toEqual([1_000, 1_000]);
});

it('finds those far behind one busy customer, and reads no row of that customer for it', async () => {
  const mark = openMarker(1, 6_000);
  giveTo('LC-far', [3_000, 4_100]);
  giveTo('LC-farther', [5_000]);
  const { rows, read } = await mark([], { looksFar: true });
  expect(rows.map(({ lane }) => lane).filter((lane) => lane.includes('LC-far'))).toHaveLength(2);
  expect(rows.map(({ lane }) => lane).filter((lane) => lane.includes('LC-farther'))).toHaveLength(0);
  expect([rows.length, read]).toEqual([130, 258]);
});

it('looks behind rows that nobody can take, where they stand in front of others', async () => {
  const mark = openMarker(1, 6_000);
  giveTo('LC-far', [3_000]);
  const busy = (await mark([])).rows.slice(0, 8).map(({ lane }) => lane);
  const { rows, read } = await mark(busy, { isQuick: false });
  expect(rows.map((row) => row.lane)).toEqual([expect.stringContaining('LC-far')]);
  expect(read).toBe(56 + 256 + 1);
});
