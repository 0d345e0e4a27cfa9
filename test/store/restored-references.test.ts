import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { connect } from '../../app/store/database/connect.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { NewOperation } from '../../app/store/schema/new-operation.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// Two tills number their receipts alike, and the backup of the one is restored at the other.

const nowMs = rowTimeMs + 3_600_000;
const options = { random: systemRandom(), nowMs };
const othersId = (rowId: number) => `11111111-0000-4000-8000-${String(rowId).padStart(12, '0')}`;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let backup: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('sandbox.sqlite');
  backup = folder.file('other.backup');
});
afterEach(() => folder.remove());

async function save(file: string, rows: readonly NewOperation[]): Promise<void> {
  const store = openOrRecover(file, options);
  for (const row of rows) await store.writer.urgent(() => store.operations.insert(row));
  store.close();
}

async function restoreOther(rows: readonly NewOperation[]) {
  const other = folder.file('other.sqlite');
  await save(other, rows);
  await backUp(other, backup, { mode: 'sandbox', nowMs });
  return restoreBackup(backup, path, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
}

it('keeps the till’s own operation where another one of the backup stands under its reference, and names it', async () => {
  await save(path, [newRow(1, { amountMinor: 7_000 }), newRow(2, { externalRef: 'OWN-2' })]);
  const { recovery, refusedRows } = await restoreOther([
    newRow(1, { operationId: othersId(1), amountMinor: 9_000 }),
    newRow(2, { operationId: othersId(2), externalRef: 'OTHER-2' }),
    newRow(3, {
      operationId: othersId(3),
      externalRef: 'OTHER-3',
      intent: 'reverse',
      path: '/transactions/reverse-by-reference',
      reversesRowId: 1,
    }),
  ]);
  expect(refusedRows).toBe(0);
  // What takes the other till's sale back names it by reference alone, and would take back this till's.
  expect(recovery).toMatchObject({ carried: 2, renewed: 0, unreadable: 0, gaveWay: ['R-1', 'OTHER-3'] });
  const store = openOrRecover(path, options);
  const rowIds = [1, 2, 3, 4, 5, 6].filter((rowId) => store.operations.operation(rowId) !== null);
  const rows = rowIds.map((rowId) => store.operations.operation(rowId));
  expect(new Set(rows.map((row) => row?.externalRef))).toEqual(new Set(['OTHER-2', 'OWN-2', 'R-1']));
  expect(rows.find((row) => row?.externalRef === 'R-1')).toMatchObject({
    operationId: newRow(1).operationId,
    amountMinor: 7_000,
  });
  store.close();
});

it('loses none of two own operations that a damaged database has under one reference', async () => {
  await save(path, [newRow(1, { amountMinor: 7_000 }), newRow(2, { externalRef: 'R-1-again', amountMinor: 8_000 })]);
  const database = connect(path);
  database.exec("DROP INDEX operations_natural_key; UPDATE operations SET external_ref = 'R-1' WHERE row_id = 2");
  database.close();
  const { recovery } = await restoreOther([newRow(1, { operationId: othersId(1), amountMinor: 9_000 })]);
  expect(recovery).toMatchObject({ carried: 1, unreadable: 0, gaveWay: ['R-1'], leftBehind: ['R-1'] });
  const store = openOrRecover(path, options);
  expect(store.operations.operationsByReference('R-1')).toMatchObject([{ amountMinor: 7_000 }]);
  store.close();
});

it('puts the till’s own operations back, whatever another till’s backup has brought before', async () => {
  await save(path, [newRow(1, { amountMinor: 7_000 })]);
  const own = folder.file('own.backup');
  const tillKey = new Uint8Array(32).fill(7);
  await backUp(path, own, { mode: 'sandbox', nowMs, tillKey });
  for (const part of ['', '-wal', '-shm', '-open']) rmSync(path + part, { force: true });
  await restoreOther([newRow(1, { operationId: othersId(1), amountMinor: 9_000 })]);
  const { recovery } = restoreBackup(own, path, {
    ...options,
    nowMs: nowMs + 1_000,
    mode: 'sandbox',
    trust: { kind: 'proven', tillKey },
  });
  // Its database was gone before, and nobody knows what was in that one alone.
  expect(recovery).toMatchObject({ carried: 0, unreadable: null, leftBehind: ['R-1'] });
  const store = openOrRecover(path, options);
  expect(store.operations.operation(1)).toMatchObject({ operationId: newRow(1).operationId, amountMinor: 7_000 });
  store.close();
});

it('names what a till that began anew has sold under a number of its own backup, and leaves what takes that back with it', async () => {
  const monday = newRow(1, { amountMinor: 1_000 });
  await save(path, [monday]);
  const own = folder.file('own.backup');
  const tillKey = new Uint8Array(32).fill(7);
  await backUp(path, own, { mode: 'sandbox', nowMs, tillKey });
  for (const part of ['', '-wal', '-shm', '-open']) rmSync(path + part, { force: true });
  await save(path, [
    newRow(1, { operationId: othersId(1), amountMinor: 77_000 }),
    newRow(2, {
      operationId: othersId(2),
      externalRef: 'V-1',
      intent: 'reverse',
      path: '/transactions/reverse-by-reference',
      reversesRowId: 1,
    }),
    newRow(3, { operationId: othersId(3), externalRef: 'NEW-1' }),
  ]);
  const { recovery } = restoreBackup(own, path, { ...options, mode: 'sandbox', trust: { kind: 'proven', tillKey } });
  expect(recovery).toMatchObject({ carried: 1, renewed: 0, unreadable: null, leftBehind: ['R-1', 'V-1'] });
  const store = openOrRecover(path, options);
  expect(store.operations.operationsByReference('R-1')).toMatchObject([{ amountMinor: 1_000 }]);
  expect(store.operations.operationsByReference('V-1')).toEqual([]);
  expect(store.operations.operationsByReference('NEW-1')).toHaveLength(1);
  // The operations that are told to be only there.
  const aside = connect(folder.file(recovery?.aside ?? ''), { readonly: true });
  expect(aside.prepare('SELECT external_ref FROM operations ORDER BY row_id').pluck().all()).toEqual([
    'R-1',
    'V-1',
    'NEW-1',
  ]);
  aside.close();
  store.close();
});

it('keeps both where they are of different kinds under one reference', async () => {
  await save(path, [newRow(1)]);
  const { recovery } = await restoreOther([
    newRow(1, {
      operationId: othersId(1),
      intent: 'redeem',
      delivery: 'immediate',
      path: '/transactions/redeem',
      points: 5,
    }),
  ]);
  expect(recovery).toMatchObject({ carried: 1, unreadable: 0, gaveWay: [] });
});
