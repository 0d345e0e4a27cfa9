import BetterSqlite3, { type Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { carryOver, suspectWaiting } from '../../app/store/carrying/carry-over.ts';
import type { OperationHistoryEntry } from '../../app/store/schema/operation.ts';
import { countsIn } from '../../app/store/tables/counts.ts';
import { DayStore } from '../../app/store/tables/day-store.ts';
import { HourCounter } from '../../app/store/tables/hour-counts.ts';
import { OperationStore } from '../../app/store/tables/operation-store.ts';
import { RowStore } from '../../app/store/tables/row-store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { type OperationEvent, type OperationState, operationEvents } from '../../shared/machines/operation.ts';
import { newChange, newRow, rowTimeMs } from '../support/core-rows.ts';

type Line = OperationHistoryEntry;
type Lines = Map<number, Line[]>;

const rowCount = 8;
const rowIds = Array.from({ length: rowCount }, (_, index) => index + 1);
const stepMs = 20 * 60_000;

interface Found {
  readonly state: OperationState;
  readonly sends: number;
  readonly maybeSent: number;
  readonly key: string | null;
}

/** One database, and beside it every line of its history, written as each step was taken. */
class Shop {
  readonly database = emptyDatabase();
  readonly lines: Lines = new Map();
  readonly store = new OperationStore(this.database);
  readonly #rows = new RowStore(this.database, {
    operations: this.store,
    days: new DayStore(this.database),
  });

  take(step: Step): void {
    this.database.transaction(() => {
      this.#take(step);
      this.store.counts.beforeCommit();
    })();
    this.store.counts.afterCommit();
  }

  #take({ what, rowId, others, atMs, key, part, reason }: Step): void {
    const before = this.#found();
    if (what === 'insert') {
      if (this.store.insert(newRow(rowId, { savedAtMs: atMs })) === null) this.#add(rowId, { to: 'queued', atMs });
    } else if (what === 'mark') {
      this.store.mark(others, { atMs, keyFingerprint: key });
      for (const each of others) {
        const row = before.get(each);
        if (row?.state !== 'queued' && row?.state !== 'unknown') continue;
        const keyFingerprint = (row.maybeSent === 1 ? row.key : null) ?? key;
        this.#add(each, { from: row.state, to: 'sending', atMs, send: row.sends + 1, keyFingerprint });
      }
    } else if (what === 'annotate') {
      const lines = this.lines.get(rowId) ?? [];
      const last = lines.pop();
      if (last === undefined) return;
      this.#rows.annotate(rowId, { reason, person: 'Mona' });
      lines.push({ ...last, reason, person: 'Mona' });
    } else if (what === 'suspect') {
      suspectWaiting(this.database, { atMs, reason }, { refusedRowIds: new Set() });
      for (const [each, { state, sends, key: known }] of before) {
        if (state !== 'queued' && state !== 'refused' && state !== 'sending') continue;
        this.#add(each, { from: state, to: 'unknown', atMs, send: sends, reason, keyFingerprint: known });
      }
      this.store.counts.readAgain();
    } else {
      const row = before.get(rowId);
      const change = newChange(rowId, what, { ...part, atMs });
      const changed = this.store.change(change);
      if (changed === null || row === undefined) return;
      const { send, cause, httpStatus, requestId, error } = change;
      const said = { cause, httpStatus, requestId, code: error?.code ?? null, keyFingerprint: row.key };
      this.#add(rowId, { from: row.state, to: changed.state, atMs, send: send ?? row.sends, ...said });
    }
  }

  #add(rowId: number, line: Partial<Line> & Pick<Line, 'to' | 'atMs'>): void {
    const lines = this.lines.get(rowId) ?? [];
    lines.push({ ...nothing, ...line });
    this.lines.set(rowId, lines);
  }

  #found(): ReadonlyMap<number, Found> {
    const rows = this.database.prepare<[], Found & { rowId: number }>(
      'SELECT row_id AS rowId, state, sends, maybe_sent AS maybeSent, key_fingerprint AS key FROM operations',
    );
    return new Map(rows.all().map(({ rowId, ...found }) => [rowId, found]));
  }

  /** Makes of the database what a program would have left that writes each line as an event. */
  writeAllOut(): void {
    this.database.exec(`DELETE FROM operation_events;
      UPDATE operations SET first_sent_at = NULL, answered_at = NULL, answer_status = NULL, answer_request_id = NULL,
        polled_at = NULL, poll_status = NULL, poll_request_id = NULL`);
    const insert = this.database.prepare(`INSERT INTO operation_events VALUES
      (@rowId, @version, @from, @to, @atMs, @send, @cause, @httpStatus, @code, @requestId, @keyFingerprint, @reason, @person)`);
    for (const [rowId, lines] of this.lines) {
      for (const [index, line] of lines.entries()) insert.run({ ...line, rowId, version: index + 1 });
    }
  }

  histories(): readonly (readonly Line[])[] {
    return rowIds.map((rowId) => this.store.history(rowId));
  }
}

const nothing = {
  from: null,
  send: 0,
  cause: null,
  httpStatus: null,
  code: null,
  requestId: null,
  keyFingerprint: null,
  reason: null,
  person: null,
} as const;

interface Step {
  readonly what: 'insert' | 'mark' | 'annotate' | 'suspect' | OperationEvent;
  readonly rowId: number;
  readonly others: readonly number[];
  readonly atMs: number;
  readonly key: string;
  readonly part: Parameters<typeof newChange>[2];
  readonly reason: string;
}

/** Mostly normal lives, and everything else now and then. */
function drawSteps(random: RandomSource, count: number): readonly Step[] {
  const oneOf = <T>(from: readonly [T, ...T[]]): T => from[Math.floor(random.next() * from.length)] ?? from[0];
  const usual = ['insert', 'insert', 'mark', 'mark', 'mark', 'mark', 'accept', 'accept', 'apply'] as const;
  return Array.from({ length: count }, (_, index) => {
    const rare = random.next();
    const what =
      rare < 0.005 ? 'suspect' : rare < 0.03 ? 'annotate' : rare < 0.12 ? oneOf([...operationEvents]) : oneOf(usual);
    const isOdd = random.next() < 0.1;
    return {
      what,
      rowId: oneOf([1, 2, 3, 4, 5, 6, 7, 8]),
      others: rowIds.filter(() => random.next() < 0.5),
      atMs: rowTimeMs + index * stepMs,
      key: oneOf(['f00d', 'cafe']),
      reason: `because ${index}`,
      part: {
        send: oneOf([null, 1, 1, 1, 1, 2]),
        httpStatus: oneOf([200, 202, 404]),
        requestId: `req_${index}`,
        cause: isOdd ? oneOf(['timeout', 'refused']) : null,
        error:
          isOdd && random.next() < 0.5
            ? { code: 'ODD', message: 'Odd', retryable: false, request_id: `req_${index}` }
            : null,
        maybeSent: what === 'lose',
      },
    } as const;
  });
}

function emptyDatabase(): Database {
  const database = new BetterSqlite3(':memory:');
  migrate(database);
  return database;
}

/** By their operation_id: numbers may be others. */
function historiesById(database: Database): ReadonlyMap<string, readonly Line[]> {
  const store = new OperationStore(database);
  const rows = store.recent(1_000, Number.MAX_SAFE_INTEGER);
  return new Map(rows.map(({ operationId, rowId }) => [operationId, store.history(rowId)]));
}

function carried(from: Database, into: Database): ReadonlyMap<string, readonly Line[]> {
  carryOver([from], into, { atMs: rowTimeMs, reason: 'carried over', keepsRefusals: false, takesReferences: false });
  const counted = new Map(countsIn(into).map(({ state, count }) => [state, count]));
  for (const { state, count } of into
    .prepare<[], { state: OperationState; count: number }>(
      'SELECT state, count(*) AS count FROM operations GROUP BY state',
    )
    .all()) {
    expect(counted.get(state)).toBe(count);
  }
  return historiesById(into);
}

const seeds = Array.from({ length: process.env.LONG_TESTS === '1' ? 2_000 : 15 }, (_, index) => index + 1);

describe('the history', () => {
  it('is the same whether each line was written out or the row tells it, through every reader', () => {
    let told = 0;
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const steps = drawSteps(random, 60);
      const turn = Math.floor(random.next() * steps.length);
      const [plain, upgraded, earlier] = [new Shop(), new Shop(), new Shop()];
      for (const [index, step] of steps.entries()) {
        plain.take(step);
        upgraded.take(step);
        if (index < turn) earlier.take(step);
        // What came before was written by a program from before the columns.
        if (index === turn) upgraded.writeAllOut();
      }
      const where = `seed ${seed}`;
      const written = new Shop();
      for (const step of steps) written.take(step);
      written.writeAllOut();

      const expected = rowIds.map((rowId) => plain.lines.get(rowId) ?? []);
      expect(plain.histories(), where).toEqual(expected);
      expect(upgraded.histories(), where).toEqual(expected);
      expect(written.histories(), where).toEqual(expected);
      told +=
        expected.flat().length - Number(plain.database.prepare('SELECT count(*) FROM operation_events').pluck().get());

      const nowMs = rowTimeMs + steps.length * stepMs;
      const hours = [plain, upgraded, written].map(({ database }) => new HourCounter(database).read(nowMs, 3));
      expect(hours[0], where).toEqual(hours[2]);
      expect(hours[1], where).toEqual(hours[2]);

      // Into a new database, and into one that knew some of it.
      const intoNew = [plain, upgraded, written].map(({ database }) => carried(database, emptyDatabase()));
      expect(intoNew[0], where).toEqual(intoNew[2]);
      expect(intoNew[1], where).toEqual(intoNew[2]);
      const before = new Shop();
      for (const step of steps.slice(0, turn)) before.take(step);
      before.writeAllOut();
      expect(carried(plain.database, earlier.database), where).toEqual(carried(written.database, before.database));
    }
    // They would be the same, too, if no row told any.
    expect(told).toBeGreaterThan(seeds.length * rowCount * 1.5);
  });
});
