import { renameSync, rmSync, truncateSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noticesOf } from '../../app/core/notices.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { noteRecovery, type Recovery, recoveryToldMs } from '../../app/store/carrying/carrying.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { heldIn, sell } from '../support/lying-files.ts';

// References that stand in another file alone are named for their week, whatever befalls the database meanwhile.

let nowMs: number;
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  nowMs = rowTimeMs + 60_000;
  folder = temporaryFolder();
  path = folder.file('till.sqlite');
});
afterEach(() => folder.remove());

const options = () => ({ random: systemRandom(), nowMs, now: () => nowMs });
const start = (): Store => openOrRecover(path, options());
const restored = {
  why: 'restored',
  aside: 'till.before-restore-20261120T181400.sqlite',
  carried: 5,
  renewed: 0,
  unreadable: 2,
  gaveWay: ['R-1'],
  leftBehind: ['R-1', 'V-1'],
} as const;

/** A running till whose last note names references. */
async function runRestored(): Promise<Store> {
  const first = start();
  await sell(first, 'ONE', 5);
  first.close();
  const database = new BetterSqlite3(path);
  noteRecovery(database, { ...restored, atMs: nowMs });
  database.close();
  return start();
}

function told(recovery: Recovery | null) {
  const well = { freeBytes: null, waitingCount: 0, maxQueue: 10, notSaving: null, lastBackupAtMs: null };
  return noticesOf({ ...well, nowMs, recovery, isDamaged: false, hasOtherKey: false });
}

const named = {
  code: 'database_recovered',
  why: 'restored',
  aside: restored.aside,
  unreadable: 2,
  left_out_references: ['R-1'],
  left_behind_references: ['R-1', 'V-1'],
};

function loseFile(store: Store): void {
  nowMs += 1_000;
  renameSync(path, folder.file('elsewhere'));
  store.checkFiles('close');
}

describe('references that a notice names', () => {
  it('are named on after the database was renamed under the agent, and at the next start', async () => {
    const store = await runRestored();
    expect(told(store.recovery)).toMatchObject([named]);
    loseFile(store);
    // What was lost before is told with the references, and is not told twice.
    expect(told(store.recovery)).toMatchObject([{ why: 'moved', unreadable: 0 }, named]);
    store.close();
    const again = start();
    expect(told(again.recovery)).toMatchObject([{ why: 'moved', unreadable: 0 }, named]);
    loseFile(again);
    expect(told(again.recovery)).toMatchObject([{ why: 'moved', unreadable: 0 }, named]);
    expect(told(again.recovery)).toHaveLength(2);
    again.close();
  });

  it('are named on after the database was cut under the agent', async () => {
    const store = await runRestored();
    truncateSync(path, 0);
    nowMs += 1_000;
    store.checkFiles('close');
    expect(told(store.recovery)).toMatchObject([{ unreadable: 5 - heldIn(store, 'ONE', 5) }, named]);
    store.close();
  });

  it('are named on after a restore, and after damage that a start has found', async () => {
    (await runRestored()).close();
    const backup = folder.file('till.backup');
    await backUp(path, backup, { mode: 'sandbox', nowMs });
    nowMs += 1_000;
    const trust = { kind: 'from_elsewhere' } as const;
    const { recovery } = restoreBackup(backup, path, { ...options(), mode: 'sandbox', trust });
    // As of each file that tells of a loss: the backup may bring back all of it, or nothing.
    expect(told(recovery)).toMatchObject([{ why: 'restored', unreadable: null }, named]);
    expect(recovery?.leftBehind ?? []).toEqual([]);
    nowMs += 1_000;
    const database = new BetterSqlite3(path);
    database.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)').close();
    const store = start();
    expect(told(store.recovery)).toMatchObject([{ why: 'damaged', unreadable: null }, named]);
    store.close();
  });

  it('are named for a week from their own note on, also on a clock that was set', async () => {
    const store = await runRestored();
    loseFile(store);
    await store.shiftRecovery(-5_000);
    nowMs += recoveryToldMs - 1_000 - 5_001;
    expect(told(store.recovery)).toHaveLength(2);
    nowMs += 1;
    expect(told(store.recovery)).toMatchObject([{ why: 'moved' }]);
    // The next note keeps nothing that is told no more.
    loseFile(store);
    expect(store.recovery?.earlier).toBeUndefined();
    store.close();
    rmSync(folder.file('elsewhere'));
  });
});
