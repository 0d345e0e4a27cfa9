import { appendFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { openStore } from '../../app/store/store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { prepareTrial, settleWayBack } from '../../app/updates/trial.ts';
import { readUpdateMemory, trialPath, wentBackPath } from '../../app/updates/update-files.ts';
import { sumWaiting } from '../../shared/machines/operation.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

/** Whether the power goes where a restored database is given its name. */
const power = vi.hoisted(() => ({ failsAtTheName: false, isGone: false }));

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const rename = (from: string, to: string) => {
    power.isGone ||= power.failsAtTheName && String(from).endsWith('.restoring');
    if (power.isGone) throw new Error('The power is cut');
    actual.renameSync(from, to);
  };
  const remove: typeof actual.rmSync = (...parameters) => {
    if (power.isGone) throw new Error('The power is cut');
    actual.rmSync(...parameters);
  };
  return { ...actual, renameSync: rename, rmSync: remove };
});

const tillKey = Buffer.alloc(32, 1);
const nextSchema = migrations.length + 1;

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let path: string;
beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = folder.file('data');
  mkdirSync(dataDir);
  path = folder.file('data/production.sqlite');
  await save(1);
  await save(2);
  await prepareTrial({ dataDir, from: '0.1.0', to: '0.2.0', pid: 1, tillKey, nowMs: rowTimeMs });
});
afterEach(() => folder.remove());

async function save(rowId: number): Promise<void> {
  const store = openStore(path, { random: systemRandom(), nowMs: rowTimeMs });
  await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  store.close();
}
/** What the first start of the new version does to the database. */
function upgrade(oldestReader: number): void {
  const database = new BetterSqlite3(path);
  migrate(database, [...migrations, { version: nextSchema, sql: 'CREATE TABLE of_later (a)', oldestReader }]);
  database.close();
}
function launcherWentBack(): void {
  appendFileSync(trialPath(dataDir), 'why=died\n');
  renameSync(trialPath(dataDir), wentBackPath(dataDir));
}
const settle = () => settleWayBack({ dataDir, tillKey, nowMs: rowTimeMs, random: systemRandom() });
function rows(): number {
  const database = new BetterSqlite3(path, { readonly: true });
  const row = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM operations').get();
  database.close();
  return row?.count ?? -1;
}
function schema(): unknown {
  const database = new BetterSqlite3(path, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  database.close();
  return version;
}

describe('the version before', () => {
  it('starts as ever when nothing was taken back', () => {
    expect(settle()).toEqual({ kind: 'none' });
    expect(existsSync(trialPath(dataDir))).toBe(true);
  });

  it('goes on with a database that it can read, as the new version has left it', () => {
    upgrade(1);
    launcherWentBack();
    expect(settle()).toEqual({ kind: 'went_back', from: '0.2.0', to: '0.1.0' });
    expect(schema()).toBe(nextSchema);
    expect(readUpdateMemory(dataDir)).toMatchObject({ failed_versions: ['0.2.0'], went_back: { restored: false } });
    expect(settle()).toEqual({ kind: 'none' });
  });

  it('gets its own database back where it would misread the one of the new version', async () => {
    upgrade(nextSchema);
    launcherWentBack();
    expect(settle()).toEqual({ kind: 'went_back', from: '0.2.0', to: '0.1.0' });
    expect(schema()).toBe(migrations.length);
    expect(rows()).toBe(2);
    expect(readUpdateMemory(dataDir).went_back).toMatchObject({ restored: true });
    // It sells on.
    const store = openStore(path, { random: systemRandom(), nowMs: rowTimeMs });
    expect(sumWaiting(store.operations.counts.read())).toBe(2);
    store.close();
  });

  it('keeps what the new version has done with its operations, also where the power went meanwhile', async () => {
    const store = openStore(path, { random: systemRandom(), nowMs: rowTimeMs });
    await store.writer.urgent(() => store.operations.change(newChange(1, 'cancel')));
    store.close();
    upgrade(nextSchema);
    launcherWentBack();
    power.failsAtTheName = true;
    expect(settle).toThrow('The power is cut');
    power.failsAtTheName = false;
    power.isGone = false;
    expect(settle()).toEqual({ kind: 'went_back', from: '0.2.0', to: '0.1.0' });
    const after = openStore(path, { random: systemRandom(), nowMs: rowTimeMs });
    expect([1, 2].map((rowId) => after.operations.operation(rowId)?.state)).toEqual(['cancelled', 'unknown']);
    after.close();
  });

  it('puts nothing back over an operation that the new version has taken', async () => {
    await save(3);
    upgrade(nextSchema);
    launcherWentBack();
    expect(settle()).toEqual({ kind: 'refused', line: expect.stringContaining('0.2.0 has taken 1 operations') });
    expect(schema()).toBe(nextSchema);
    expect(rows()).toBe(3);
    // Nor at the next start.
    expect(settle()).toMatchObject({ kind: 'refused' });
  });
});
