import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { bytesOf } from '../support/lying-files.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock(import('../../app/store/versions/meta.ts'), async (original) => {
  const meta = await original();
  return {
    ...meta,
    writeMeta(database, key, value) {
      if (disk.isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      meta.writeMeta(database, key, value);
    },
  };
});

const folder = temporaryFolder();
afterAll(() => folder.remove());

const nowMs = rowTimeMs + 60_000;

it('a damaged database on a full disk leaves no set of names behind with each start that fails', async () => {
  const path = folder.file(join('own', 'till.sqlite'));
  const start = (atMs: number) => openOrRecover(path, { random: systemRandom(), nowMs: atMs });
  const store = start(nowMs);
  const rowId = store.operations.takeRowId();
  await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  store.close();
  const damaged = bytesOf(path).fill(0, 0, 100);
  writeFileSync(path, damaged);
  const setsAside = () => readdirSync(join(path, '..')).filter((name) => name.includes('damaged-'));

  disk.isFull = true;
  for (let again = 1; again <= 3; again += 1) {
    expect(() => start(nowMs + again * 1_000)).toThrow('disk is full');
    expect(setsAside()).toEqual([]);
    expect(bytesOf(path).equals(damaged)).toBe(true);
  }
  disk.isFull = false;
  const opened = start(nowMs + 10_000);
  expect(opened.recovery).toMatchObject({ why: 'damaged', carried: 1 });
  expect(setsAside()).toEqual([opened.recovery?.aside]);
  opened.close();
});
