import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { HourCounter } from '../../app/store/tables/hour-counts.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { type OperationState, waitingStates } from '../../shared/machines/operation.ts';

const hourMs = 3_600_000;
const nowMs = Date.parse('2026-11-20T18:25:00.000Z');

interface Event {
  readonly rowId: number;
  readonly from: OperationState | null;
  readonly to: OperationState;
  readonly atMs: number;
}

/** @param options.isToldByRows as this program writes a normal life; else each line as an event */
function databaseOf(
  events: readonly Event[],
  { isToldByRows = false }: { readonly isToldByRows?: boolean } = {},
): BetterSqlite3.Database {
  const database = new BetterSqlite3(':memory:');
  migrate(database);
  const addRow = database.prepare(
    `INSERT INTO operations (row_id, operation_id, intent, delivery, origin, state, version, external_ref, occurred_at,
       occurred_at_from, business_date, till_time, monotonic_ms, path, body, body_version, saved_at, updated_at)
     VALUES (@rowId, 'op ' || @rowId, 'earn', 'deferred', 'bridge', 'queued', 1, 'R-' || @rowId, @atMs,
       'till', '2026-11-20', @atMs, 1, '/transactions/earn', printf('%300s', 'body'), 1, @atMs, @atMs)`,
  );
  const addEvent = database.prepare(
    'INSERT INTO operation_events (row_id, version, from_state, to_state, at, send) VALUES (@rowId, @version, @from, @to, @atMs, 0)',
  );
  const tell = lifeSteps.map((column, index) =>
    database.prepare(
      `UPDATE operations SET version = ${index + 2}, state = @to, service_transaction_id = 'txn', ${column} = @atMs WHERE row_id = @rowId`,
    ),
  );
  database.transaction(() => {
    const versions = new Map<number, number>();
    for (const event of events) {
      if (event.from === null) addRow.run({ rowId: event.rowId, atMs: event.atMs });
      const version = (versions.get(event.rowId) ?? 0) + 1;
      versions.set(event.rowId, version);
      const isNormal = event.to !== 'failed' && event.from !== 'unknown';
      if (!isToldByRows || !isNormal) addEvent.run({ ...event, version });
      else tell[version - 2]?.run({ rowId: event.rowId, to: event.to, atMs: event.atMs });
    }
  })();
  return database;
}

const lifeSteps = ['first_sent_at', 'answered_at', 'polled_at'];

const isWaiting = (state: OperationState | null) => waitingStates.some((waiting) => waiting === state);
const waitingAt = (events: readonly Event[], atMs: number) =>
  events
    .filter((event) => event.atMs < atMs)
    .reduce((sum, { from, to }) => sum + Number(isWaiting(to)) - Number(isWaiting(from)), 0);

it.each([false, true])('agrees with counting by hand, whatever happened; told by rows: %s', (isToldByRows) => {
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
    const { hours, isPartial } = new HourCounter(databaseOf(events, { isToldByRows })).read(
      nowMs,
      waitingAt(events, nowMs + 1),
    );
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

it.each([false, true])(
  'looks through the newest rows alone when there are very many, and says so; told by rows: %s',
  (isToldByRows) => {
    const events: Event[] = [];
    for (let rowId = 1; rowId <= 60_000; rowId += 1) {
      const atMs = nowMs - 2 * hourMs + rowId;
      events.push({ rowId, from: null, to: 'queued', atMs }, { rowId, from: 'queued', to: 'sending', atMs: atMs + 1 });
    }
    const counter = new HourCounter(databaseOf(events, { isToldByRows }));
    const { hours, isPartial } = counter.read(nowMs, 0);
    expect(isPartial).toBe(true);
    expect(hours.reduce((sum, { taken }) => sum + taken, 0)).toBe(30_000);
  },
);

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
