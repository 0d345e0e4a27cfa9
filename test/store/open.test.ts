import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom, systemRandom } from '../../app/machine/random.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { type MigrationStep, migrate } from '../../app/store/versions/migrate.ts';
import { StoreError } from '../../app/store/versions/store-error.ts';
import { newRow, temporaryFolder } from '../support/core-rows.ts';

let folder = temporaryFolder();
const folders = [folder];
beforeEach(() => {
  folder = temporaryFolder();
  folders.push(folder);
});
afterAll(() => {
  for (const each of folders) each.remove();
});

const openStores: Store[] = [];
function open(path = folder.file('till.sqlite')): Store {
  const store = openStore(path, { random: systemRandom() });
  openStores.push(store);
  return store;
}
afterEach(() => {
  for (const store of openStores.splice(0)) store.close();
});

async function fill(store: Store, count: number, from = 1, part: { body?: string } = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => newRow(from + index, part));
  await Promise.all(rows.map((row) => store.writer.urgent(() => store.operations.insert(row))));
}

/** A database of so many rows, closed. */
async function filled(count: number, part: { body?: string } = {}): Promise<string> {
  const path = folder.file('till.sqlite');
  const store = openStore(path, { random: systemRandom() });
  await fill(store, count, 1, part);
  store.close();
  return path;
}

function failure(path: string): StoreError {
  try {
    open(path);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('It opened');
}

describe('durability', () => {
  it.each(['when it is new', 'when it is opened again'])(
    'is WAL with synchronous FULL, after the first write, %s',
    async (when) => {
      const path = folder.file('till.sqlite');
      if (when === 'when it is opened again') {
        const first = openStore(path, { random: systemRandom() });
        await fill(first, 1);
        first.close();
      }
      const database = openDatabase(path);
      database.prepare(`UPDATE meta SET value = value`).run();
      expect(database.pragma('synchronous', { simple: true })).toBe(2);
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
      database.close();
    },
  );

  it('makes its folder, for nobody else to look into', () => {
    open(folder.file('new/deep/till.sqlite'));
    expect(statSync(folder.file('new/deep')).mode & 0o077).toBe(0);
  });
});

describe('a file that cannot be trusted', () => {
  it('a text file is told as damaged and left as it is', () => {
    const path = folder.file('till.sqlite');
    writeFileSync(path, 'Dear diary, today the till was renamed.\n'.repeat(200));
    const before = readFileSync(path);
    expect(failure(path).code).toBe('damaged');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('another program’s database is told as foreign and left as it is', () => {
    const path = folder.file('till.sqlite');
    const other = new BetterSqlite3(path);
    other.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY)');
    other.close();
    const before = readFileSync(path);
    expect(failure(path)).toMatchObject({ code: 'foreign', message: expect.stringContaining('another program') });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a zeroed header', async () => {
    const path = await filled(50);
    const bytes = readFileSync(path);
    bytes.fill(0, 0, 100);
    writeFileSync(path, bytes);
    expect(failure(path).code).toBe('damaged');
  });

  it('a file that was cut off', async () => {
    const path = await filled(400);
    truncateSync(path, statSync(path).size / 2);
    expect(failure(path).code).toBe('damaged');
  });

  it('a file that was emptied while its log still holds sales', async () => {
    const path = folder.file('till.sqlite');
    await fill(open(path), 20);
    const copy = folder.file('copy.sqlite');
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    writeFileSync(copy, '');
    expect(failure(copy).code).toBe('damaged');
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0);
  });

  it('flipped bytes never open as a database with fewer or other sales', async () => {
    const path = await filled(300);
    const good = readFileSync(path);
    const expected = rowsOf(path);
    const random = seededRandom(7);
    let refused = 0;
    for (let round = 0; round < 60; round += 1) {
      const damaged = Buffer.from(good);
      const at = Math.floor(random.next() * damaged.length);
      for (let offset = at; offset < Math.min(at + 16, damaged.length); offset += 1)
        damaged[offset] = (damaged[offset] ?? 0) ^ 0xff;
      const copy = folder.file(`flipped-${round}.sqlite`);
      writeFileSync(copy, damaged);
      try {
        const store = openStore(copy, { random });
        store.close();
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError);
        refused += 1;
        continue;
      }
      // It opened: then every row is still there (its text may be another: a check of the structure does not see that).
      expect(rowsOf(copy)).toHaveLength(expected.length);
    }
    expect(refused).toBeGreaterThan(5);
  });

  it('one whose tables are gone though it is ours', async () => {
    const path = await filled(1);
    const database = new BetterSqlite3(path);
    database.exec('DROP TABLE operation_events; DROP TABLE operations');
    database.close();
    expect(failure(path).code).toBe('damaged');
  });

  it('a folder that is a file, and a file that is a folder', () => {
    writeFileSync(folder.file('file'), '');
    expect(failure(folder.file('file/till.sqlite')).code).toBe('unreachable');
    mkdirSync(folder.file('till.sqlite'));
    expect(failure(folder.file('till.sqlite')).code).toBe('unreachable');
  });

  it.runIf(process.geteuid?.() === 0)('a folder that may not be written', async () => {
    const path = await filled(1);
    asNobody(() => {
      expect(failure(path).code).toBe('unreachable');
      expect(failure(folder.file('new.sqlite')).code).toBe('unreachable');
    });
    expect(existsSync(folder.file('new.sqlite'))).toBe(false);
    expect(open(path).operations.operation(1)).not.toBeNull();
  });
});

function asNobody(act: () => void): void {
  process.seteuid?.(65_534);
  try {
    act();
  } finally {
    process.seteuid?.(0);
  }
}

function rowsOf(path: string): readonly unknown[] {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return database.prepare('SELECT row_id FROM operations NOT INDEXED').all();
  } finally {
    database.close();
  }
}

describe('versions', () => {
  const newest = migrations.length;
  const newer = { version: newest + 1, sql: 'ALTER TABLE operations ADD COLUMN colour TEXT', oldestReader: newest };

  it('a newer schema that allows this program to open it is opened, and not changed', async () => {
    const path = await filled(3);
    upgrade(path, newer);
    const store = open(path);
    await fill(store, 1, 4);
    expect(store.operations.operation(4)).toMatchObject({ externalRef: 'R-4' });
    store.close();
    openStores.length = 0;
    const database = new BetterSqlite3(path, { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(newest + 1);
    database.close();
  });

  it('a newer schema that does not is refused, with what to do, and not changed', async () => {
    const path = await filled(3);
    upgrade(path, { ...newer, oldestReader: newest + 1 });
    expect(failure(path)).toMatchObject({ code: 'too_new', message: expect.stringContaining('newer version') });
    const database = new BetterSqlite3(path, { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(newest + 1);
    expect(database.prepare('SELECT count(*) AS n FROM operations').get()).toEqual({ n: 3 });
    database.close();
  });

  it('a step that fails leaves the database as it was', async () => {
    const path = await filled(3);
    const database = openDatabase(path);
    const broken = {
      version: newest + 1,
      sql: 'CREATE TABLE extra (id INTEGER) STRICT; CREATE TABLE meta (id INTEGER)',
      oldestReader: 1,
    };
    expect(() => migrate(database, [...migrations, broken])).toThrow();
    expect(database.pragma('user_version', { simple: true })).toBe(newest);
    expect(database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'extra'`).get()).toBeUndefined();
    database.close();
  });

  it('a step that would break a reference is undone', async () => {
    const path = await filled(3);
    const database = openDatabase(path);
    database.exec(
      'INSERT INTO operation_events (row_id, version, to_state, at, send) SELECT row_id, 1, state, saved_at, 0 FROM operations',
    );
    const careless = { version: newest + 1, sql: 'DELETE FROM operations WHERE row_id = 2', oldestReader: 1 };
    expect(() => migrate(database, [...migrations, careless])).toThrow(/references/);
    expect(database.prepare('SELECT count(*) AS n FROM operations').get()).toEqual({ n: 3 });
    database.close();
  });

  function upgrade(path: string, step: MigrationStep): void {
    const database = new BetterSqlite3(path);
    migrate(database, [...migrations, step]);
    database.close();
  }
});

describe('who the database is', () => {
  it('stays the same over restarts', () => {
    const first = open();
    const identity = first.identity;
    first.close();
    openStores.length = 0;
    const again = open().identity;
    expect(again).toMatchObject({ deviceId: identity.deviceId, epoch: identity.epoch });
    // A database that was put back in its own place looks just like this: no number may be given out twice.
    expect(again.runEpoch).not.toBe(identity.runEpoch);
    expect(identity.deviceId).toMatch(/^till_[0-9a-f]{16}$/);
    expect(identity.epoch).toMatch(/^[a-z0-9]{5}$/);
  });

  it('takes another epoch in a copy, and keeps its device', () => {
    const original = open();
    const identity = original.identity;
    original.close();
    openStores.length = 0;
    copyFileSync(folder.file('till.sqlite'), folder.file('copy.sqlite'));
    const copy = open(folder.file('copy.sqlite')).identity;
    expect(copy.deviceId).toBe(identity.deviceId);
    expect(copy.epoch).not.toBe(identity.epoch);
    // The original did not move: it goes on as before.
    expect(open().identity.epoch).toBe(identity.epoch);
  });

  it('takes another epoch when an older copy is put in its place', () => {
    const original = open();
    const identity = original.identity;
    original.close();
    openStores.length = 0;
    const path = folder.file('till.sqlite');
    copyFileSync(path, folder.file('backup.sqlite'));
    execFileSync('mv', [folder.file('backup.sqlite'), path]);
    expect(open().identity.epoch).not.toBe(identity.epoch);
  });
});

describe('row numbers', () => {
  it('are never given out twice, also when the newest rows were deleted', async () => {
    const store = open();
    for (let count = 0; count < 3; count += 1) {
      const rowId = store.operations.takeRowId();
      await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
    }
    store.close();
    openStores.length = 0;
    const database = new BetterSqlite3(folder.file('till.sqlite'));
    database.exec('DELETE FROM operations WHERE row_id > 1');
    database.close();
    expect(open().operations.takeRowId()).toBe(4);
  });
});
