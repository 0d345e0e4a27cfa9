import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { bytesOf, kill } from '../support/lying-files.ts';

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000, sealKey: new Uint8Array(32).fill(5) };
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file(join('own', 'till.sqlite'));
});
afterEach(() => folder.remove());

const start = () => openOrRecover(path, options);

async function sell(store: Store, word: string, count: number): Promise<readonly number[]> {
  const rowIds = Array.from({ length: count }, () => store.operations.takeRowId());
  await store.writer.urgent(() => {
    for (const [index, rowId] of rowIds.entries()) {
      const operationId = `${word}-0000-4000-8000-${String(index).padStart(12, '0')}`;
      store.operations.insert(newRow(rowId, { operationId, externalRef: `${word}-${index}` }));
    }
  });
  return rowIds;
}

interface StoredRow {
  readonly reference: string;
  readonly state: string;
  readonly isErased: number;
}

function rowsOf(word: string): readonly StoredRow[] {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database
      .prepare<[string], StoredRow>(
        `SELECT external_ref AS reference, state, body IS NULL AS isErased FROM operations
         WHERE external_ref LIKE ? ORDER BY row_id`,
      )
      .all(`${word}-%`);
  } finally {
    database.close();
  }
}

describe('sales of an older file, to which the pages of the present log do not lead', () => {
  const count = 400;
  /** So many that the page which led to them leads to pages that the older file does not have. */
  const lostCount = 8_000;
  /** So many that the log has that page. */
  const loggedCount = 2_000;

  /**
   * @param meanwhile with the store, and the rows that the older file has: what only the log holds of it
   * @returns the older file
   */
  async function putOlderFileBack(meanwhile: (store: Store, rowIds: readonly number[]) => unknown): Promise<Buffer> {
    const first = start();
    const rowIds = await sell(first, 'OLD', count);
    first.close();
    const older = folder.file('older.sqlite');
    copyFileSync(path, older);
    const second = start();
    await sell(second, 'LOST', lostCount);
    second.close();
    const third = start();
    await meanwhile(third, rowIds);
    await sell(third, 'LOG', loggedCount);
    kill(third, path);
    copyFileSync(older, path);
    return bytesOf(older);
  }

  it('are carried over, and may have been sent', async () => {
    const older = await putOlderFileBack(() => undefined);
    const store = start();
    const { recovery } = store;
    store.close();
    // What only the lost file had is not known.
    expect(recovery).toMatchObject({ why: 'damaged', unreadable: null });
    expect(bytesOf(join(path, '..', recovery?.aside ?? '')).equals(older)).toBe(true);
    const rows = rowsOf('OLD');
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['unknown']));
    expect(rowsOf('LOG')).toHaveLength(loggedCount);
  });

  it('are as the log says where it tells what became of them', async () => {
    await putOlderFileBack(async (store, [cancelled = 0, applied = 0, erased = 0]) => {
      await store.writer.lazy(() => {
        store.operations.change(newChange(cancelled, 'cancel'));
        store.operations.mark([applied, erased], { atMs: rowTimeMs, keyFingerprint: 'k1' });
        for (const rowId of [applied, erased])
          store.operations.change(newChange(rowId, 'apply', { send: 1, completedAtMs: rowTimeMs }));
        store.retention.erase({ from: erased, to: erased + 1 }, rowTimeMs + 1);
      });
    });
    start().close();
    const rows = rowsOf('OLD');
    expect(rows).toHaveLength(count);
    expect(rows.slice(0, 4)).toEqual([
      { reference: 'OLD-0', state: 'cancelled', isErased: 0 },
      { reference: 'OLD-1', state: 'applied', isErased: 0 },
      { reference: 'OLD-2', state: 'applied', isErased: 1 },
      { reference: 'OLD-3', state: 'unknown', isErased: 0 },
    ]);
  });
});
