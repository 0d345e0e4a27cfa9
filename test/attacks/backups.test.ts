import { appendFileSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { type BackupTrust, backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { schemaDigest } from '../../app/store/versions/migrate.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// Whoever reaches the share where backups lie, or the folder of a till, with a viewer of databases.

const tillKey = Buffer.alloc(32, 5);
const nowMs = rowTimeMs + 3_600_000;
const options = { random: systemRandom(), nowMs };
const proven: BackupTrust = { kind: 'proven', tillKey };
const pin = { salt: Buffer.alloc(16, 1), hash: Buffer.alloc(32, 2), cost: 16 };

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let backup: string;
beforeEach(async () => {
  folder = temporaryFolder();
  path = folder.file('sandbox.sqlite');
  backup = folder.file('till.backup');
  const store = openOrRecover(path, options);
  await store.writer.urgent(() => {
    store.operations.insert(newRow(1));
    store.people.addManager('Mona', pin, nowMs);
  });
  store.close();
  await backUp(path, backup, { mode: 'sandbox', nowMs, tillKey });
});
afterEach(() => folder.remove());

const multiply = `CREATE TRIGGER more_points AFTER INSERT ON operations
  BEGIN UPDATE operations SET amount_minor = amount_minor * 100, body = replace(body, 'R-', 'X-') WHERE row_id = new.row_id; END`;

/** The database's own note of what it should look like is changed with it. */
function tamper(file: string, sql: string): void {
  const database = new BetterSqlite3(file);
  database.exec(sql);
  database.prepare(`UPDATE meta SET value = ? WHERE key = 'schema_digest'`).run(schemaDigest(database));
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

const restore = (trust: BackupTrust) => restoreBackup(backup, path, { ...options, mode: 'sandbox', trust });

async function savedNext(store: Store) {
  await store.writer.urgent(() => store.operations.insert(newRow(9)));
  const { amountMinor } = store.operations.operation(9) ?? {};
  return { amountMinor, body: store.rows.sent(9)?.body };
}
const asSaved = { amountMinor: 12_500, body: '{"external_ref":"R-9"}' };

describe('a backup that somebody has changed', () => {
  const manager = `INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', 'Mallory', x'01', x'02', 16, 1)`;

  it('is refused by the till that made it, and nothing changes', () => {
    const before = readFileSync(path);
    tamper(backup, multiply);
    expect(() => restore(proven)).toThrow('was not made by this till, or was changed since');
    expect(readFileSync(path)).toEqual(before);
  });

  it('brings no trigger and no manager, even where a person vouches for it', async () => {
    tamper(backup, `${multiply}; ${manager}`);
    expect(restore({ kind: 'from_elsewhere' })).toMatchObject({ foreign: ['trigger more_points'] });
    const store = openOrRecover(path, options);
    expect(await savedNext(store)).toEqual(asSaved);
    expect(store.people.read().believed.map(({ name }) => name)).toEqual(['Mona']);
    store.close();
  });

  it.each([
    [
      'a view in the place of a table',
      `ALTER TABLE operations RENAME TO kept; CREATE VIEW operations AS SELECT * FROM kept`,
    ],
    ['a table more', `CREATE TABLE shelf (a)`],
    ['an index more', `CREATE INDEX shelf ON operations (amount_minor * 100)`],
  ])('brings nothing of its schema: %s', (_, sql) => {
    tamper(backup, sql);
    try {
      restore({ kind: 'from_elsewhere' });
    } catch (error) {
      expect(String(error)).toContain('has no operations that can be read');
    }
    const names = (file: string) => {
      const database = new BetterSqlite3(file, { readonly: true });
      const found = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
      database.close();
      return found;
    };
    openStore(folder.file('model.sqlite'), options).close();
    expect(names(path)).toEqual(names(folder.file('model.sqlite')));
  });

  it('leads to no other file: what a database notes of itself is not taken', () => {
    copyFileSync(path, folder.file('victim.sqlite'));
    tamper(
      backup,
      `INSERT INTO meta VALUES ('carrying', '{"aside":"../victim.sqlite","reason":"x"}'), ('oldest_reader_x', '1')`,
    );
    restore({ kind: 'from_elsewhere' });
    const database = new BetterSqlite3(path, { readonly: true });
    expect(database.prepare(`SELECT count(*) FROM meta WHERE key LIKE '%_x' OR key = 'carrying'`).pluck().get()).toBe(
      0,
    );
    database.close();
  });
});

describe('the proof of a backup', () => {
  it('is the MAC beside it: as it was made it is restored, with the people of the till', () => {
    expect(restore(proven)).toMatchObject({ refusedRows: 0, foreign: [] });
    const store = openOrRecover(path, options);
    expect(store.operations.operation(1)).toMatchObject({ externalRef: 'R-1' });
    expect(store.people.read().believed.map(({ name }) => name)).toEqual(['Mona']);
    store.close();
  });

  it('brings no people, and keeps those of the till with what proves them, and the count of wrong PINs', async () => {
    const proof = { key: tillKey, mode: 'sandbox', knownVersion: null } as const;
    const before = openOrRecover(path, { ...options, peopleProof: proof });
    before.sealPeopleFirst();
    await before.writer.urgent(() => {
      before.people.addManager('Omar', pin, nowMs);
      before.people.setPinFailures(4);
    });
    const knownVersion = before.people.versionSaved();
    before.close();
    restore(proven);
    tamper(
      path,
      `INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', 'Mallory', x'01', x'02', 16, 1)`,
    );
    const store = openOrRecover(path, { ...options, peopleProof: { ...proof, knownVersion } });
    const { believed, doubts } = store.people.read();
    expect(believed.map(({ name }) => name)).toEqual(['Mona', 'Omar']);
    expect(doubts).toEqual({ changed: ['Mallory'], missing: [], isRollWhole: true });
    expect(store.people.pinFailures).toBe(4);
    store.close();
  });

  it('does not bring back a list that the replaced database had not: nobody is believed until store IT acts', async () => {
    const proof = { key: tillKey, mode: 'sandbox', knownVersion: 3 } as const;
    restore(proven);
    const store = openOrRecover(path, { ...options, peopleProof: proof });
    expect(store.people.read()).toMatchObject({ believed: [], doubts: { changed: ['Mona'], isRollWhole: false } });
    store.close();
  });

  it.each<[string, () => void, BackupTrust, string]>([
    ['of another till', () => undefined, { kind: 'proven', tillKey: Buffer.alloc(32, 6) }, 'not made by this till'],
    ['a byte more', () => appendFileSync(backup, 'x'), proven, 'not made by this till'],
    ['a log beside it', () => copyFileSync(backup, `${backup}-wal`), proven, 'not made by this till'],
    ['no key here', () => undefined, { kind: 'proven', tillKey: null }, 'not made by this till'],
  ])('fails: %s', (_, change, trust, message) => {
    change();
    expect(() => restore(trust)).toThrow(message);
    expect(() => restore(trust)).toThrow('--from-elsewhere');
  });

  it('is missing for a file that was made without one', async () => {
    const old = folder.file('old.backup');
    await backUp(path, old, { mode: 'sandbox', nowMs });
    expect(existsSync(`${old}.mac`)).toBe(false);
    expect(() => restoreBackup(old, path, { ...options, mode: 'sandbox', trust: proven })).toThrow('--from-elsewhere');
  });

  it('has nobody’s PIN in what it covers', () => {
    expect(readFileSync(backup).includes('Mona')).toBe(false);
  });
});

describe('the database of a till, changed where it lies', () => {
  it.each([
    ['with its own note of the schema', multiply],
    [
      'as one of a newer version',
      `${multiply}; UPDATE meta SET value = '99' WHERE key = 'schema_version'; PRAGMA user_version = 99`,
    ],
  ])('runs no trigger that somebody has added: %s', async (_, sql) => {
    tamper(path, sql);
    const told: string[] = [];
    const store = openOrRecover(path, { ...options, onForeign: (objects) => told.push(...objects) });
    expect(told).toEqual(['trigger more_points']);
    expect(await savedNext(store)).toEqual(asSaved);
    // The sale before is there, and the till's people.
    expect(store.operations.operation(1)).toMatchObject({ amountMinor: 12_500 });
    expect(store.people.read().believed.map(({ name }) => name)).toEqual(['Mona']);
    expect(store.recovery).toMatchObject({ why: 'damaged', carried: 1, unreadable: 0 });
    store.close();
  });
});
