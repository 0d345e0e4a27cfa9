import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom, systemRandom } from '../../app/machine/random.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore(folder.file('sandbox.sqlite'), { random: systemRandom() });
});
afterEach(() => {
  store.close();
  folder.remove();
});

const learned = {
  serviceCardId: 'card_01JD3V9Z6R8Q4T2N5M7K1H0XYA',
  newBalances: {
    points: 1_200,
    cashback_minor: null,
    stamps: null,
    visits: null,
    rewards_available: 3,
    currency: null,
  },
};

/** A morning without a line, and all of it sent then: rows of all sizes grow after they were saved, and move about. */
async function trade(rowCount: number): Promise<void> {
  const random = seededRandom(1);
  const part = () => (random.bytes(1)[0] ?? 0) / 256;
  for (let rowId = 1; rowId <= rowCount; rowId += 1) {
    const name = `PERSON-${rowId}`;
    const body = JSON.stringify({ identifier: { loyalty_id: name }, note: 'y'.repeat(part() * part() * 900) });
    const customerName = part() < 0.5 ? name : null;
    void store.writer.lazy(() => store.operations.insert(newRow(rowId, { identifierValue: name, customerName, body })));
  }
  store.writer.flush();
  for (let from = 1; from <= rowCount; from += 8) {
    const rowIds = Array.from({ length: Math.min(8, rowCount + 1 - from) }, (_, place) => from + place);
    await store.writer.urgent(() => store.operations.mark(rowIds, { atMs: rowTimeMs, keyFingerprint: 'k'.repeat(16) }));
    for (const event of ['accept', 'apply'] as const) {
      for (const rowId of rowIds) void store.writer.lazy(() => settle(rowId, event));
      store.writer.flush();
    }
  }
}

function settle(rowId: number, event: 'accept' | 'apply'): void {
  const more = event === 'apply' ? { ...learned, serviceCustomerId: `cus_PERSON-${rowId}` } : {};
  store.operations.change(newChange(rowId, event, { ...more, send: 1 }));
}

const eraseAll = () => store.writer.urgent(() => store.retention.erase({ from: 0, to: 10_000 }, rowTimeMs + 1));

/** How many times a customer stands in the files. */
function namesLeft(): number {
  const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
  return files.reduce((sum, text) => sum + (text.match(/PERSON-\d/g) ?? []).length, 0);
}

describe('customers who were erased from many operations', () => {
  it('are in no file once it was tidied, not in the gaps of its pages either', async () => {
    await trade(3_000);
    expect(await eraseAll()).toBe(3_000);
    // Without it this test would prove nothing: secure_delete leaves copies.
    store.keptProfiles.wipe();
    expect(namesLeft()).toBeGreaterThan(0);
    expect(store.retention.tidy()).toBe(true);
    expect(namesLeft()).toBe(0);
    expect(store.operations.operation(700)).toMatchObject({
      state: 'applied',
      amountMinor: 12_500,
      externalRef: 'R-700',
    });
    expect(store.operations.history(700).map(({ to }) => to)).toEqual(['queued', 'sending', 'accepted', 'applied']);
  });

  it('are erased once: a second look changes nothing', async () => {
    await trade(100);
    await eraseAll();
    expect(await eraseAll()).toBe(0);
  });

  it('stay in the log while another program reads, which is said', async () => {
    await trade(100);
    await eraseAll();
    const reader = new BetterSqlite3(folder.file('sandbox.sqlite'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM operations').get();
    const startedMs = performance.now();
    expect(store.retention.tidy()).toBe(false);
    // The till's own wait for other programs is 2 s: nobody may be kept waiting for this.
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    reader.close();
    expect(store.retention.tidy()).toBe(true);
    expect(namesLeft()).toBe(0);
  });

  it('lose the seal of their request with it: whoever has the key could try names against it', async () => {
    store.close();
    store = openStore(folder.file('sandbox.sqlite'), { random: systemRandom(), sealKey: Buffer.alloc(32, 7) });
    await trade(8);
    const reader = new BetterSqlite3(folder.file('sandbox.sqlite'), { readonly: true });
    const seals = reader.prepare('SELECT count(seal) FROM operations').pluck();
    expect(seals.get()).toBe(8);
    await eraseAll();
    expect(seals.get()).toBe(0);
    reader.close();
  });
});

describe('the newest time that the service has told', () => {
  const insert = (from: number, to: number) => {
    for (let rowId = from; rowId <= to; rowId += 1)
      void store.writer.lazy(() => store.operations.insert(newRow(rowId)));
    store.writer.flush();
  };

  it('is found behind all sales that wait, two thousand rows further with each look: a sale would wait', async () => {
    insert(1, 1);
    await store.writer.urgent(() => store.operations.mark([1], { atMs: rowTimeMs, keyFingerprint: 'k'.repeat(16) }));
    void store.writer.lazy(() => settle(1, 'accept'));
    const completedAtMs = rowTimeMs + 5_000;
    void store.writer.lazy(() =>
      store.operations.change(
        newChange(1, 'apply', { ...learned, serviceCustomerId: 'cus_1', completedAtMs, send: 1 }),
      ),
    );
    const look = () => store.retention.lookForToldMs();
    insert(2, 2_000);
    expect(look()).toBe(completedAtMs);
    insert(2_001, 4_010);
    expect([look(), look(), look()]).toEqual([null, null, completedAtMs]);
    // The newest may have been told since.
    expect([look(), look(), look()]).toEqual([null, null, completedAtMs]);
  });

  it('is looked for among the newest again where none was told', () => {
    const look = () => store.retention.lookForToldMs();
    expect(look()).toBeNull();
    insert(1, 2_500);
    expect([look(), look()]).toEqual([null, null]);
    insert(2_501, 2_501);
    const reader = new BetterSqlite3(folder.file('sandbox.sqlite'));
    reader.prepare('UPDATE operations SET completed_at = ? WHERE row_id = 2501').run(rowTimeMs);
    reader.close();
    expect(look()).toBe(rowTimeMs);
  });
});
