import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { seededRandom } from '../../app/random.ts';
import { HourCounter } from '../../app/store/hour-counts.ts';
import { type OperationState, waitingStates } from '../../shared/machines/operation.ts';

const hourMs = 3_600_000;
const nowMs = Date.parse('2026-11-20T18:25:00.000Z');

interface Event {
  readonly rowId: number;
  readonly from: OperationState | null;
  readonly to: OperationState;
  readonly atMs: number;
}

/** The columns that are read, and no more. */
function databaseOf(events: readonly Event[]): BetterSqlite3.Database {
  const database = new BetterSqlite3(':memory:');
  database.exec(`
    CREATE TABLE operations (row_id INTEGER PRIMARY KEY, saved_at INTEGER NOT NULL, operation_id TEXT);
    CREATE TABLE operation_events (row_id INTEGER, version INTEGER, from_state TEXT, to_state TEXT, at INTEGER,
      PRIMARY KEY (row_id, version)) WITHOUT ROWID;`);
  const addRow = database.prepare('INSERT INTO operations (row_id, saved_at) VALUES (?, ?)');
  const addEvent = database.prepare('INSERT INTO operation_events VALUES (?, ?, ?, ?, ?)');
  database.transaction(() => {
    let version = 0;
    for (const { rowId, from, to, atMs } of events) {
      if (from === null) addRow.run(rowId, atMs);
      version += 1;
      addEvent.run(rowId, version, from, to, atMs);
    }
  })();
  return database;
}

const isWaiting = (state: OperationState | null) => waitingStates.some((waiting) => waiting === state);
const waitingAt = (events: readonly Event[], atMs: number) =>
  events
    .filter((event) => event.atMs < atMs)
    .reduce((sum, { from, to }) => sum + Number(isWaiting(to)) - Number(isWaiting(from)), 0);

it('agrees with counting by hand, whatever happened', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const events: Event[] = [];
    let savedAtMs = nowMs - 60 * hourMs;
    for (let rowId = 3; rowId < 200; rowId += 1 + Math.floor(random.next() * 3)) {
      savedAtMs = Math.min(nowMs, savedAtMs + Math.floor(random.next() * hourMs));
      let atMs = savedAtMs;
      let from: OperationState | null = null;
      for (const to of ['queued', 'sending', 'accepted', random.next() < 0.8 ? 'applied' : 'failed'] as const) {
        if (atMs > nowMs) break;
        events.push({ rowId, from, to, atMs });
        from = to;
        atMs += Math.floor(random.next() ** 4 * 30 * hourMs);
      }
    }
    const { hours, isPartial } = new HourCounter(databaseOf(events)).read(nowMs, waitingAt(events, nowMs + 1));
    expect(isPartial).toBe(false);
    for (const [index, { fromMs, taken, delivered, stuck, waiting }] of hours.entries()) {
      const within = events.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + hourMs);
      const expected = {
        taken: within.filter(({ from }) => from === null).length,
        delivered: within.filter(({ to }) => to === 'applied').length,
        stuck: within.filter(({ to }) => to === 'failed').length,
        waiting: waitingAt(events, fromMs + hourMs),
      };
      expect({ taken, delivered, stuck, waiting }, `seed ${seed}, hour ${index}`).toEqual(expected);
    }
  }
});

it('looks through the newest rows alone when there are very many, says so, and is quick', () => {
  const events: Event[] = [];
  for (let rowId = 1; rowId <= 60_000; rowId += 1) {
    const atMs = nowMs - 2 * hourMs + rowId;
    events.push({ rowId, from: null, to: 'queued', atMs }, { rowId, from: 'queued', to: 'applied', atMs: atMs + 1 });
  }
  const counter = new HourCounter(databaseOf(events));
  const startedAt = performance.now();
  const { hours, isPartial } = counter.read(nowMs, 0);
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(isPartial).toBe(true);
  expect(hours.reduce((sum, { taken }) => sum + taken, 0)).toBe(30_000);
});

it('of an empty till is a day of nothing', () => {
  const { hours } = new HourCounter(databaseOf([])).read(nowMs, 0);
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toEqual({
    fromMs: Date.parse('2026-11-20T18:00:00.000Z'),
    taken: 0,
    delivered: 0,
    stuck: 0,
    waiting: 0,
  });
});
