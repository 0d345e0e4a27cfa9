import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../app/store/database/open.ts';
import { Writer } from '../../app/store/database/writer.ts';
import { newlySaved } from '../../app/store/rows/rows.ts';
import { countsIn } from '../../app/store/tables/counts.ts';
import { OperationStore } from '../../app/store/tables/operation-store.ts';
import { identifierKinds } from '../../shared/contract/identifier.ts';
import { advance } from '../../shared/machines/machine.ts';
import {
  type OperationEvent,
  operationEvents,
  operationMachine,
  operationStates,
} from '../../shared/machines/operation.ts';
import { operationIntents } from '../../shared/machines/operation-intents.ts';
import { causes } from '../../shared/till/views.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

const folder = temporaryFolder();
let database: Database;
let store: OperationStore;
let writer: Writer;
let files = 0;

beforeEach(() => {
  files += 1;
  database = openDatabase(folder.file(`${files}.sqlite`));
  store = new OperationStore(database);
  writer = new Writer(database, undefined, store.counts);
});
afterEach(() => database.close());
afterAll(() => folder.remove());

const write = <T>(run: () => T): Promise<T> => {
  const writing = writer.urgent(run);
  writer.flush();
  return writing;
};
const insert = (rowId: number, part: Parameters<typeof newRow>[1] = {}) =>
  write(() => store.insert(newRow(rowId, part)));
const change = (...args: Parameters<typeof newChange>) => write(() => store.change(newChange(...args))?.state ?? null);
const mark = (...rowIds: number[]) => write(() => store.mark(rowIds, { atMs: rowTimeMs, keyFingerprint: 'f00d' }));
const state = (rowId: number) => store.operation(rowId)?.state;

describe('the names that the database checks', () => {
  const schema = () =>
    (database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'operations'`).get() as { sql: string }).sql;

  it.each([
    ['state', operationStates],
    ['intent', operationIntents],
    ['cause', causes],
    ['identifier_kind', identifierKinds],
  ] as const)('for %s are those of the shared list', (column, names) => {
    const check = new RegExp(`CHECK \\((${column} = '\\w+'(?: OR ${column} = '\\w+')*)\\)`).exec(schema())?.[1] ?? '';
    expect([...check.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...names]);
  });

  it('are counted, each', () => {
    const counted = database.prepare('SELECT state FROM state_counts ORDER BY state').pluck().all();
    expect(counted).toEqual([...operationStates].sort());
  });

  it('are enforced', async () => {
    await insert(1);
    for (const [column, value] of [
      ['state', 'vanished'],
      ['intent', 'give'],
      ['cause', 'bad luck'],
      ['identifier_kind', 'face'],
      ['amount_minor', 0],
      ['amount_minor', -1],
      ['amount_minor', 1.5],
      ['points', 0],
      ['currency', 'KD'],
      ['error', 'not json'],
      ['maybe_sent', 2],
    ] as const) {
      expect(() => database.prepare(`UPDATE operations SET ${column} = ?`).run(value), `${column} ${value}`).toThrow();
    }
    expect(() => database.exec(`UPDATE operations SET state = 'queued', maybe_sent = 1`)).toThrow();
    expect(() => database.exec(`UPDATE operations SET state = 'applied', service_transaction_id = NULL`)).toThrow();
  });
});

describe('a change', () => {
  it('that the machine allows happens, with a line of history; any other changes nothing', async () => {
    let rowId = 0;
    for (const from of operationStates) {
      for (const event of operationEvents) {
        rowId += 1;
        await insert(rowId);
        database
          .prepare(
            `UPDATE operations SET state = ?, sends = 1, maybe_sent = 0, service_transaction_id = 'txn_before' WHERE row_id = ?`,
          )
          .run(from, rowId);
        const before = database.prepare('SELECT * FROM operations WHERE row_id = ?').get(rowId);
        const expected = advance(operationMachine, from, event);
        const event_ = newChange(rowId, event, { maybeSent: expected !== 'queued' && expected !== null });
        expect(await write(() => store.change(event_)?.state ?? null), `${from} ${event}`).toBe(expected);
        const history = store.history(rowId);
        if (expected === null) {
          expect(database.prepare('SELECT * FROM operations WHERE row_id = ?').get(rowId)).toEqual(before);
          expect(history).toHaveLength(1);
        } else {
          expect(state(rowId)).toBe(expected);
          expect(history.at(-1)).toMatchObject({ from, to: expected, send: 1 });
        }
      }
    }
    expect(rowId).toBe(operationStates.length * operationEvents.length);
  });

  it('about an older send never overwrites what a newer one has learned', async () => {
    for (const event of ['lose', 'refuse', 'fail', 'not_sent', 'reverse', 'miss'] as const) {
      const rowId = operationEvents.indexOf(event) + 1;
      await insert(rowId);
      await mark(rowId);
      await change(rowId, 'lose', { send: 1, maybeSent: true });
      await mark(rowId);
      expect(await change(rowId, event, { send: 1 }), event).toBeNull();
      expect(state(rowId)).toBe('sending');
    }
  });

  it.each(['accept', 'apply'] as const)('that is a late success (%s) is never ignored', async (event) => {
    const reached = event === 'accept' ? 'accepted' : 'applied';
    await insert(1);
    await mark(1);
    await change(1, 'lose', { send: 1, maybeSent: true });
    await mark(1);
    expect(await change(1, event, { send: 1 })).toBe(reached);
    // The newer send's own answer then says nothing new, whatever it is.
    expect(await change(1, 'refuse', { send: 2 })).toBeNull();
    expect(await change(1, 'lose', { send: 2 })).toBeNull();
    expect(state(1)).toBe(reached);

    await insert(2);
    await mark(2);
    await change(2, 'refuse', { send: 1 });
    expect(await change(2, event, { send: 1 })).toBe(reached);
  });

  it('keeps the service’s id, balances and time once they are known', async () => {
    await insert(1);
    await mark(1);
    await change(1, 'accept', { serviceTransactionId: 'txn_a' });
    const balances = {
      points: 1,
      cashback_minor: null,
      stamps: null,
      visits: null,
      rewards_available: null,
      currency: null,
    };
    await change(1, 'apply', { serviceTransactionId: null, newBalances: balances, completedAtMs: 7 });
    expect(store.operation(1)).toMatchObject({
      serviceTransactionId: 'txn_a',
      newBalances: balances,
      completedAtMs: 7,
    });
    await change(1, 'reverse');
    expect(store.operation(1)).toMatchObject({
      serviceTransactionId: 'txn_a',
      newBalances: balances,
      completedAtMs: 7,
    });
  });

  it('of a row that is not there changes nothing', async () => {
    expect(await change(99, 'accept')).toBeNull();
  });
});

describe('the service’s id', () => {
  const accepted = async (rowId: number, id: string) => {
    await insert(rowId);
    await write(() => store.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'key' }));
    await write(() => store.change(newChange(rowId, 'accept', { serviceTransactionId: id })));
  };

  it('of two rows that were told the same one is nobody’s until a poll has told whose it is', async () => {
    await accepted(1, 'txn_9');
    expect(store.operationByServiceTransactionId('txn_9')?.rowId).toBe(1);
    await accepted(2, 'txn_9');
    expect(store.operationByServiceTransactionId('txn_9')).toBeNull();
    await write(() => store.change(newChange(2, 'apply', { serviceTransactionId: 'txn_9' })));
    expect(store.operationByServiceTransactionId('txn_9')?.rowId).toBe(2);
  });

  it('is forgotten, with all that was told under it, when it turns out to be another’s', async () => {
    await insert(1);
    await write(() => store.mark([1], { atMs: rowTimeMs, keyFingerprint: 'key' }));
    const told = {
      serviceTransactionId: 'txn_9',
      serviceCustomerId: 'cus_9',
      serviceCardId: 'card_9',
      completedAtMs: 5,
    };
    await write(() => store.change(newChange(1, 'accept', told)));
    await write(() => store.change(newChange(1, 'miss')));
    expect(store.operation(1)).toMatchObject({
      state: 'unknown',
      serviceTransactionId: null,
      serviceCustomerId: null,
      serviceCardId: null,
      completedAtMs: null,
    });
    expect(store.operationByServiceTransactionId('txn_9')).toBeNull();
  });
});

describe('marking', () => {
  it('takes queued and unknown rows, in one commit, and no others', async () => {
    for (let rowId = 1; rowId <= 4; rowId += 1) await insert(rowId);
    await mark(2, 3);
    await change(2, 'lose', { maybeSent: true });
    await change(3, 'accept');
    await change(4, 'cancel');
    await mark(1, 2, 3, 4, 77);
    expect([1, 2, 3, 4].map(state)).toEqual(['sending', 'sending', 'accepted', 'cancelled']);
    expect(store.history(2).map(({ send, keyFingerprint }) => [send, keyFingerprint])).toEqual([
      [0, null],
      [1, 'f00d'],
      [1, 'f00d'],
      [2, 'f00d'],
    ]);
  });
});

describe('inserting', () => {
  it('makes what is told of a new operation without reading it back', async () => {
    const rows = [newRow(1), newRow(2, { identifierKind: null, identifierValue: null, points: 2.5, replacesRowId: 1 })];
    for (const row of rows) {
      await write(() => store.insert(row));
      expect(newlySaved(row)).toEqual(store.operation(row.rowId));
    }
  });

  it('gives back the row that has the reference, or the operation_id, and changes nothing', async () => {
    expect(await insert(1)).toBeNull();
    expect(await insert(2, { externalRef: 'R-1', amountMinor: 5 })).toMatchObject({ rowId: 1, amountMinor: 12_500 });
    const sameId = newRow(1).operationId;
    expect(await insert(3, { externalRef: 'R-3', operationId: sameId })).toMatchObject({ rowId: 1 });
    expect(database.prepare('SELECT count(*) AS n FROM operations').get()).toEqual({ n: 1 });
    expect(store.counts.read().queued).toBe(1);
  });

  it('takes the same reference for another intent', async () => {
    await insert(1);
    expect(await insert(2, { externalRef: 'R-1', intent: 'redeem' })).toBeNull();
    expect(store.operationsByReference('R-1').map(({ intent }) => intent)).toEqual(['earn', 'redeem']);
  });
});

describe('pages', () => {
  it('of recent operations go on by key, newest first, without a gap or a double', async () => {
    for (let rowId = 1; rowId <= 25; rowId += 1) await insert(rowId);
    const seen: number[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = store.recent(7, before);
      if (page.length === 0) break;
      seen.push(...page.map(({ rowId }) => rowId));
      before = seen.at(-1) ?? 0;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  it('of queued operations go on by key, oldest sale first', async () => {
    for (let rowId = 1; rowId <= 10; rowId += 1) await insert(rowId, { occurredAtMs: rowTimeMs - (rowId % 3) });
    const first = store.queued(null, 4);
    const rest = store.queued(first.at(-1) ?? null, 100);
    expect([...first, ...rest].map(({ rowId }) => rowId)).toEqual([2, 5, 8, 1, 4, 7, 10, 3, 6, 9]);
  });
});

describe('a row whose JSON no longer parses', () => {
  it('is still shown, without that part', async () => {
    await insert(1);
    database.exec(`UPDATE operations SET error = '{"code":1}', new_balances = '["many"]' WHERE row_id = 1`);
    expect(store.operation(1)).toMatchObject({ externalRef: 'R-1', error: null, newBalances: null });
  });
});

describe('the counts', () => {
  it('are always what counting the rows gives, and the history is always a chain', async () => {
    const events = fc.constantFrom<readonly ('insert' | 'mark' | 'spoil' | OperationEvent)[]>(
      ...(['insert', 'mark', 'spoil', ...operationEvents] as const).map((name) => [name]),
    );
    const step = fc.record({
      what: events,
      rows: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      flush: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        files += 1;
        const own = openDatabase(folder.file(`${files}.sqlite`));
        const ownStore = new OperationStore(own);
        const ownWriter = new Writer(own, { soon: () => undefined, later: () => () => undefined }, ownStore.counts);
        const writing: Promise<unknown>[] = [];
        for (const { what, rows, flush } of steps) {
          const [name] = what;
          for (const rowId of rows) {
            writing.push(
              ownWriter.urgent<unknown>(() => {
                if (name === 'insert') return ownStore.insert(newRow(rowId));
                if (name === 'mark') return ownStore.mark(rows, { atMs: 1, keyFingerprint: 'k' });
                if (name === 'spoil') {
                  ownStore.insert(newRow(rowId));
                  ownStore.counts.saved(rowId, 'applied');
                  throw new Error('spoiled');
                }
                return name === undefined ? null : ownStore.change(newChange(rowId, name));
              }),
            );
          }
          if (flush) ownWriter.flush();
        }
        ownWriter.flush();
        await Promise.allSettled(writing);
        const counted = Object.fromEntries(operationStates.map((each) => [each, 0]));
        for (const row of own.prepare('SELECT state, count(*) AS n FROM operations GROUP BY state').all() as {
          state: string;
          n: number;
        }[]) {
          counted[row.state] = row.n;
        }
        expect(ownStore.counts.read()).toEqual(counted);
        expect(Object.fromEntries(countsIn(own).map((row) => [row.state, row.count]))).toEqual(counted);
        expect(new OperationStore(own).counts.read()).toEqual(counted);
        for (let rowId = 1; rowId <= 12; rowId += 1) {
          const history = ownStore.history(rowId);
          const operation = ownStore.operation(rowId);
          expect(history.at(-1)?.to).toBe(operation?.state);
          for (const [index, line] of history.entries()) expect(line.from).toBe(history[index - 1]?.to ?? null);
        }
        own.close();
      }),
      { numRuns: process.env.LONG_TESTS === '1' ? 1_000 : 60 },
    );
  });
});

describe('the first answer to the first send', () => {
  it('of a reversal tells whose it is, so that its original is settled with it', async () => {
    store.insert(newRow(1));
    store.insert(newRow(2, { intent: 'reverse', reversesRowId: 1 }));
    store.mark([2], { atMs: rowTimeMs, keyFingerprint: 'f00d' });
    expect(store.change(newChange(2, 'apply', { send: 1 }))).toEqual({ state: 'applied', reversesRowId: 1 });
  });

  it('makes the third version of the row, and the steps after it the next ones', async () => {
    const version = () => database.prepare('SELECT version FROM operations').pluck().get();
    store.insert(newRow(1));
    store.mark([1], { atMs: rowTimeMs, keyFingerprint: 'f00d' });
    store.change(newChange(1, 'accept', { send: 1 }));
    expect(version()).toBe(3);
    store.change(newChange(1, 'apply', { send: 1 }));
    expect(version()).toBe(4);
    expect(store.history(1).map(({ to }) => to)).toEqual(['queued', 'sending', 'accepted', 'applied']);
  });
});
