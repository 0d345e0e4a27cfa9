import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

const nowMs = rowTimeMs + 3_600_000;
const options = { random: systemRandom(), nowMs };
const tillKey = new Uint8Array(32).fill(7);

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('a customer who was erased since the backup stays erased with its restore, and nobody else is', async () => {
  const path = folder.file('sandbox.sqlite');
  const backup = folder.file('own.backup');
  const store = openOrRecover(path, options);
  for (const rowId of [1, 2, 3]) {
    await store.writer.urgent(() => {
      store.operations.insert(newRow(rowId, { customerName: `PERSON-${rowId}` }));
      store.operations.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(rowId, 'apply', { send: 1 }));
    });
  }
  await backUp(path, backup, { mode: 'sandbox', nowMs, tillKey });
  await store.writer.urgent(() => store.retention.erase({ from: 2, to: 3 }, Number.MAX_SAFE_INTEGER, 'request'));
  const erased = store.operations.operation(2);
  expect(erased).toMatchObject({ identifier: null, customerName: null });
  store.close();
  const trust = { kind: 'proven', tillKey } as const;
  restoreBackup(backup, path, { ...options, nowMs: nowMs + 1_000, mode: 'sandbox', trust });
  const restored = openOrRecover(path, options);
  expect(restored.operations.operation(2)).toEqual(erased);
  for (const rowId of [1, 3]) {
    expect(restored.operations.operation(rowId)).toMatchObject({ customerName: `PERSON-${rowId}` });
  }
  // Nothing of it is left to be sent or looked up.
  expect(restored.operations.counts.read().applied).toBe(3);
  restored.close();
});
