import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { readOpenMarker } from '../../app/store/files/open-marker.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { kill } from '../support/lying-files.ts';

/** The marker, as another program holds it: it can be read, and neither written nor given to another file. */
const marker = vi.hoisted(() => ({ isReadOnly: false, isHeld: false }));
vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const refuse = (path: unknown, isRefused: boolean): void => {
    if (!isRefused || basename(String(path)) !== 'till.sqlite-open') return;
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  const openSync: typeof actual.openSync = (path, flags, mode) => {
    refuse(path, (marker.isReadOnly || marker.isHeld) && (typeof flags === 'number' || flags === 'r+'));
    return actual.openSync(path, flags, mode);
  };
  const renameSync: typeof actual.renameSync = (from, to) => {
    refuse(to, marker.isHeld);
    actual.renameSync(from, to);
    marker.isReadOnly &&= basename(String(to)) !== 'till.sqlite-open';
  };
  return { ...actual, openSync, renameSync };
});

const options = { random: systemRandom(), nowMs: rowTimeMs + 60_000 };
let folder: ReturnType<typeof temporaryFolder>;
let own: string;
beforeEach(() => {
  folder = temporaryFolder();
  own = folder.file(join('own', 'till.sqlite'));
});
afterEach(() => {
  marker.isReadOnly = false;
  marker.isHeld = false;
  folder.remove();
});

const onUnmarked = vi.fn();
const start = (): Store => openOrRecover(own, { ...options, onUnmarked });

async function sell(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  }
}

const saleCount = (store: Store) => store.operations.counts.read().queued;

async function runOn(count: number): Promise<void> {
  const store = start();
  await sell(store, count);
  store.close();
}

/** @param count sold before all that is in the log goes into the file, and once more after that */
async function killOn(count: number): Promise<void> {
  const store = start();
  await sell(store, count);
  const beside = new BetterSqlite3(own);
  beside.pragma('wal_checkpoint(PASSIVE)');
  beside.close();
  await sell(store, count);
  kill(store, own);
}

describe('a marker that could not be written while the database was open', () => {
  beforeEach(() => onUnmarked.mockClear());

  it('is told, and costs no sale of the log after a kill', async () => {
    await runOn(5);
    marker.isHeld = true;
    await killOn(20);
    expect(onUnmarked).toHaveBeenCalledTimes(1);
    marker.isHeld = false;
    expect(checkDatabase(own, { isOpen: false }).filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    const store = start();
    expect(saleCount(store)).toBe(45);
    expect(store.recovery).toBeNull();
    store.close();
  });

  it('is made anew where it is only read-only', async () => {
    await runOn(5);
    marker.isReadOnly = true;
    await killOn(20);
    expect(onUnmarked).not.toHaveBeenCalled();
    expect(readOpenMarker(own)).toMatchObject({ ending: { kind: 'open' }, generation: 3 });
    expect(existsSync(`${own}-open.new`)).toBe(false);
    const store = start();
    expect(saleCount(store)).toBe(45);
    expect(store.recovery).toBeNull();
    store.close();
  });
});
