import { copyFileSync, rmSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { dayLines } from '../../app/operations/days/day-lines.ts';
import { carryOver } from '../../app/store/carrying/carry-over.ts';
import { startCarrying } from '../../app/store/carrying/carrying.ts';
import { restoreBackup } from '../../app/store/copies/backup.ts';
import { connect } from '../../app/store/database/connect.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { DayStore } from '../../app/store/tables/day-store.ts';
import { OperationStore } from '../../app/store/tables/operation-store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { dayOutcomes } from '../../shared/till/day-names.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// A till loses its database in the middle of a day, begins anew, and gets an older one back after that day was closed.

const today = '2026-11-20';

interface Figures {
  readonly count: number;
  readonly total: number;
}
const summed = (tallies: readonly Figures[]): Figures =>
  tallies.reduce((sum, { count, total }) => ({ count: sum.count + count, total: sum.total + total }), {
    count: 0,
    total: 0,
  });

interface CountedDay {
  /** Null: not closed. */
  readonly closed: Figures | null;
  readonly late: Figures | null;
  /** All that stands there on that day. */
  readonly all: Figures;
}

function countedIn(days: DayStore, businessDate: string): CountedDay {
  const all = summed(days.tally(businessDate));
  const closing = days.closeOf(businessDate);
  if (closing === null) return { closed: null, late: null, all };
  const closed = closing.lines.flatMap((line) => dayOutcomes.map((outcome) => line[outcome]));
  return {
    closed: summed(closed),
    late: summed(days.tally(businessDate, days.rowIdOf(closing.lastOperationId))),
    all,
  };
}

function expectCountedOnce({ closed, late, all }: CountedDay, where?: string): void {
  if (closed !== null && late !== null) expect(summed([closed, late]), where).toEqual(all);
}

function closeDay(days: DayStore, businessDate: string, closedAtMs: number): void {
  if (days.closeOf(businessDate) !== null) return;
  const { lastOperationId } = days;
  const lines = dayLines(days.tally(businessDate));
  const close = { businessDate, closedAtMs, closedBy: 'Huda', lastOperationId, lines, openCount: 0, cashiers: null };
  days.insert(close, businessDate);
}

const reversalOf = (rowId: number) =>
  ({
    intent: 'reverse',
    path: '/transactions/reverse-by-reference',
    amountMinor: null,
    currency: null,
    reversesRowId: rowId,
  }) as const;

function emptyDatabase(): Database {
  const database = new BetterSqlite3(':memory:');
  migrate(database);
  return database;
}

const idsOf = (operations: OperationStore) =>
  operations
    .recent(1_000, Number.MAX_SAFE_INTEGER)
    .map(({ operationId }) => operationId)
    .toSorted();

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let nowMs: number;
/** By the operation_id: each amount is another power of two, so that a sum says which sales are in it. */
let saved: string[];
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('sandbox.sqlite');
  nowMs = rowTimeMs + 3_600_000;
  saved = [];
});
afterEach(() => folder.remove());

async function opened<Result>(work: (store: Store) => Result | Promise<Result>): Promise<Result> {
  const store = openOrRecover(path, { random: seededRandom(3), nowMs });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** @param reverses row id of what is taken back */
const save = (businessDate: string, reverses: number | null = null) =>
  opened((store) => {
    const number = saved.length + 1;
    const name = `S-${number}`;
    saved.push(name);
    const what = reverses === null ? { amountMinor: 2 ** number } : reversalOf(reverses);
    return store.writer.urgent(() => {
      const rowId = store.operations.takeRowId();
      const row = newRow(rowId, { operationId: name, externalRef: name, businessDate, ...what });
      expect(store.operations.insert(row)).toBeNull();
    });
  });
const saveAll = async (businessDate: string, count: number) => {
  for (let done = 0; done < count; done += 1) await save(businessDate);
};

const close = (businessDate: string) =>
  opened((store) => {
    nowMs += 1;
    return store.writer.urgent(() => closeDay(store.days, businessDate, nowMs));
  });

function backUp(name: string): string {
  const backup = folder.file(name);
  copyFileSync(path, backup);
  return backup;
}

function lose(): void {
  for (const part of ['', '-wal', '-shm', '-open']) rmSync(path + part, { force: true });
}

function deleteRows(...rowIds: readonly number[]): void {
  const database = connect(path);
  database.exec(`DELETE FROM operations WHERE row_id IN (${rowIds.join(', ')})`);
  database.close();
}

/** @returns name of the file that was put aside */
function restore(backup: string): string | null {
  nowMs += 1_000;
  const trust = { kind: 'from_elsewhere' } as const;
  return (
    restoreBackup(backup, path, { random: seededRandom(3), nowMs, mode: 'sandbox', trust }).recovery?.aside ?? null
  );
}

/** As after a crash: what was put aside is carried over once more. */
async function carryAgain(aside: string): Promise<void> {
  startCarrying(path, { aside, reason: 'restored', why: 'restored' });
  await opened(() => undefined);
}

/** What stands in the till counts once, on its own day. */
async function expectOnce(businessDate: string): Promise<CountedDay> {
  const day = await opened(({ days }) => countedIn(days, businessDate));
  expectCountedOnce(day);
  return day;
}

const heldIds = () => opened(({ operations }) => idsOf(operations));

describe('a day that was closed while earlier sales of it were lost', () => {
  it('has them among what came later when they come back', async () => {
    await saveAll(today, 3);
    await save(today, 2);
    const backup = backUp('morning.backup');
    lose();
    await saveAll(today, 2);
    await close(today);
    const aside = restore(backup) ?? expect.fail();
    // The reversal counts what it takes back.
    const morning = { count: 4, total: 2 + 4 + 8 + 4 };
    expect(await expectOnce(today)).toMatchObject({ closed: { count: 2, total: 32 + 64 }, late: morning });
    await carryAgain(aside);
    expect(await expectOnce(today)).toMatchObject({ late: morning });
    const evening = backUp('evening.backup');
    await save(today);
    restore(evening);
    expect(await expectOnce(today)).toMatchObject({ late: { count: 5, total: morning.total + 128 } });
    expect(await heldIds()).toEqual(saved);
  });

  it('and had come back before that counts in its figures, also where the rows come to stand behind its last one', async () => {
    await saveAll(today, 2);
    const morning = backUp('morning.backup');
    lose();
    await saveAll(today, 2);
    const noon = backUp('noon.backup');
    restore(morning);
    await close(today);
    await save(today);
    restore(noon);
    expect(await expectOnce(today)).toMatchObject({ closed: { total: 2 + 4 + 8 + 16 }, late: { total: 32 } });
    await save(today);
    expect(await expectOnce(today)).toMatchObject({ late: { total: 32 + 64 } });
  });

  it('and was closed before it was lost, too, keeps the figures of the backup', async () => {
    await saveAll(today, 2);
    const morning = backUp('morning.backup');
    await save(today);
    await close(today);
    const evening = backUp('evening.backup');
    lose();
    await save(today);
    await close(today);
    restore(morning);
    expect(await expectOnce(today)).toMatchObject({ closed: { total: 16 }, late: { total: 2 + 4 } });
    restore(evening);
    expect(await expectOnce(today)).toMatchObject({ closed: { total: 2 + 4 + 8 }, late: { total: 16 } });
  });

  it('is told what comes in a row that was free before its closing', async () => {
    await saveAll(today, 3);
    deleteRows(2);
    await close(today);
    const backup = backUp('evening.backup');
    lose();
    await saveAll(today, 2);
    restore(backup);
    expect(await expectOnce(today)).toMatchObject({ closed: { total: 2 + 8 }, late: { total: 16 + 32 } });
  });
});

it('a sale that its day has counted, and that was lost with a page, counts once when it comes back', async () => {
  await saveAll(today, 6);
  const backup = backUp('noon.backup');
  await close(today);
  await save(today);
  deleteRows(2, 6);
  restore(backup);
  expect(await expectOnce(today)).toMatchObject({ closed: { count: 6 }, late: { total: 128 } });
  expect(await heldIds()).toEqual(saved);
});

describe('whatever a till saves, closes, loses and gets back', () => {
  const seeds = Array.from({ length: process.env.LONG_TESTS === '1' ? 500 : 12 }, (_, index) => index + 1);

  it.each(seeds)('counts each operation once (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const oneOf = <One>(list: readonly One[]): One | undefined => list[Math.floor(random.next() * list.length)];
    let database = emptyDatabase();
    const backups: Database[] = [];
    const dates = [today];
    let savedCount = 0;
    /** Each once, wherever its reversal stands. */
    const reversed = new Set<string>();

    const saveOne = () => {
      savedCount += 1;
      const name = `S-${savedCount}`;
      const operations = new OperationStore(database);
      const earns = operations
        .recent(1_000, Number.MAX_SAFE_INTEGER)
        .filter((row) => row.intent === 'earn' && !reversed.has(row.operationId));
      const taken = random.next() < 0.25 ? oneOf(earns) : undefined;
      if (taken !== undefined) reversed.add(taken.operationId);
      const what = taken === undefined ? { amountMinor: 2 ** savedCount } : reversalOf(taken.rowId);
      const named = { operationId: name, externalRef: name, businessDate: oneOf(dates) ?? today };
      expect(operations.insert(newRow(operations.takeRowId(), { ...named, ...what }))).toBeNull();
    };
    const restoreOne = () => {
      const backup = oneOf(backups);
      if (backup === undefined) return;
      const ids = new Set([database, backup].flatMap((one) => idsOf(new OperationStore(one))));
      const note = { atMs: rowTimeMs, reason: 'restored', keepsRefusals: true, takesReferences: random.next() < 0.5 };
      const restored = emptyDatabase();
      carryOver([backup], restored, null);
      carryOver([database], restored, note);
      // Once more, as after a crash.
      if (random.next() < 0.5) carryOver([database], restored, note);
      database = restored;
      expect(new Set(idsOf(new OperationStore(database)))).toEqual(ids);
    };

    for (let step = 0; step < 50; step += 1) {
      const chance = random.next();
      if (chance < 0.36) saveOne();
      else if (chance < 0.42)
        dates.push(new Date(Date.parse(today) + dates.length * 86_400_000).toISOString().slice(0, 10));
      else if (chance < 0.53) closeDay(new DayStore(database), oneOf(dates) ?? today, step);
      else if (chance < 0.68) backups.push(new BetterSqlite3(database.serialize()));
      else if (chance < 0.8) database = emptyDatabase();
      else restoreOne();
      const days = new DayStore(database);
      for (const date of dates) expectCountedOnce(countedIn(days, date), `seed ${seed}, step ${step}, ${date}`);
    }
  });
});
