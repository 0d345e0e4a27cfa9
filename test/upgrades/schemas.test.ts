import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { migrations as serviceMigrations } from '../../app/service/store/migrations.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { openStore } from '../../app/store/store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { StoreError } from '../../app/store/versions/store-error.ts';
import { contentOf } from '../crash/service-file.ts';
import { type FrozenSet, readFrozenSets } from './frozen-set.ts';
import { Home } from './home.ts';
import { serviceFile, tillFile } from './shop.ts';

const sets = readFrozenSets();
const newest = migrations.length;

let home: Home | null = null;
const open: Database[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
  home?.remove();
  home = null;
});

function openFrozen(set: FrozenSet, file: string): Database {
  home = new Home(set.files);
  const database = new BetterSqlite3(join(home.path, file));
  open.push(database);
  return database;
}

function inMemory(): Database {
  const database = new BetterSqlite3(':memory:');
  open.push(database);
  return database;
}

function schemaOf(database: Database): readonly unknown[] {
  return database
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`)
    .all();
}

describe('every schema has a frozen database', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('of the agent: a new migration needs `npm run freeze`', () => {
    expect([...new Set(sets.map(({ schema }) => schema))]).toEqual(upTo(newest));
  });

  it('of the sandbox service: a new migration needs `npm run freeze`', () => {
    const found = new Set(sets.map(({ serviceSchema }) => serviceSchema));
    expect([...found].toSorted((one, other) => one - other)).toEqual(upTo(serviceMigrations.length));
  });

  const allStates = ['accepted', 'applied', 'cancelled', 'failed', 'queued', 'refused', 'sending', 'unknown'];
  const intents = ['commit', 'earn', 'enroll', 'redeem', 'release', 'reserve', 'reverse', 'verify'];

  it.each(sets)('with rows in every state and of every intent: $name', ({ schema, told }) => {
    const states = new Set(told.map(({ operation }) => String(operation.state)));
    // Nothing of schema 1 could be taken back or given up.
    const own = schema === 1 ? allStates : [...allStates, 'reversed', 'written_off'].toSorted();
    expect([...states].toSorted()).toEqual(own);
    const found = new Set(told.map(({ operation }) => String(operation.intent)));
    expect([...found].toSorted()).toEqual(schema === 1 ? ['earn'] : intents);
  });
});

describe.each(sets)('$name', (set) => {
  it('has the tables that its migrations still make: none was changed after its release', () => {
    const fresh = inMemory();
    migrate(fresh, migrations.slice(0, set.schema));
    expect(schemaOf(openFrozen(set, tillFile))).toEqual(schemaOf(fresh));
  });

  it('has the tables that the service’s migrations still make', () => {
    const fresh = inMemory();
    for (const step of serviceMigrations.slice(0, set.serviceSchema)) fresh.exec(step);
    expect(schemaOf(openFrozen(set, serviceFile))).toEqual(schemaOf(fresh));
  });

  it('keeps every row of every table in every step to the newest', () => {
    const database = openFrozen(set, tillFile);
    for (let schema = set.schema; schema < newest; schema += 1) {
      // Which step it is stands there.
      const before = withoutTable(rowsOf(database), 'meta');
      migrate(database, migrations.slice(0, schema + 1));
      expect(missingFrom(database, before, {}), `step ${schema + 1}`).toEqual([]);
    }
  });

  it('keeps every row of the service in every step to the newest', () => {
    const database = openFrozen(set, serviceFile);
    database.pragma('foreign_keys = OFF');
    for (const [index, step] of serviceMigrations.entries()) {
      if (index < set.serviceSchema) continue;
      const before = rowsOf(database);
      database.exec(step);
      expect(missingFrom(database, before, recounted[index + 1] ?? {}), `step ${index + 1}`).toEqual([]);
    }
  });
});

/** Columns that a step counts again, of the service's tables. */
const recounted: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>> = {
  6: { cards: ['stamps', 'rewards_available'], transactions: ['deltas'] },
};

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

function rowsOf(database: Database): Rows {
  return contentOf(database);
}

function withoutTable(rows: Rows, name: string): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => table !== name));
}

/** Rows that no longer are, in the columns that they had. */
function missingFrom(
  database: Database,
  before: Rows,
  changed: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const after = rowsOf(database);
  return Object.entries(before).flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => changed[table]?.includes(column) !== true);
    const textOf = (row: Readonly<Record<string, unknown>>) => JSON.stringify(columns.map((column) => row[column]));
    const there = new Set((after[table] ?? []).map(textOf));
    return rows
      .map(textOf)
      .filter((text) => !there.has(text))
      .map((text) => `${table} ${text}`);
  });
}

describe('no path drops a table with rows', () => {
  const appFolder = join(import.meta.dirname, '..', '..', 'app');
  const files = readdirSync(appFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  it('the agent drops none and deletes from none in any migration', () => {
    for (const { version, sql } of migrations) {
      expect(withoutTriggers(sql), `step ${version}`).not.toMatch(/drop\s+table|delete\s+from|drop\s+column/i);
    }
  });

  it('the service drops one only when all of its rows were copied into the one that takes its name', () => {
    for (const [index, step] of serviceMigrations.entries()) {
      expect(withoutTriggers(step), `step ${index + 1}`).not.toMatch(/delete\s+from|drop\s+column/i);
      for (const [, table] of step.matchAll(/drop\s+table\s+(?:if\s+exists\s+)?(\w+)/gi)) {
        const copied = new RegExp(
          `INSERT INTO (\\w+) SELECT \\* FROM ${table};\\s+DROP TABLE ${table};\\s+ALTER TABLE \\1 RENAME TO ${table};`,
        );
        expect(step, `step ${index + 1}`).toMatch(copied);
      }
    }
  });

  it('and no other part of the product drops one', () => {
    const dropping = files.filter((name) => /drop\s+table/i.test(readFileSync(join(appFolder, name), 'utf8')));
    expect(dropping).toEqual([join('service', 'store', 'migrations.ts')]);
  });
});

function withoutTriggers(sql: string): string {
  return sql.replaceAll(/CREATE TRIGGER[\s\S]*?\bEND;/gi, '').replaceAll(/--[^\n]*/g, '');
}

describe('an older program', () => {
  /** The newest database, as the program that knew so many steps would open it. */
  function openAs(schema: number): StoreError | null {
    const newestSet = sets.at(-1);
    if (newestSet === undefined) throw new Error('There is no frozen database');
    home = new Home(newestSet.files);
    openStore(home.database, { random: seededRandom(1) }).close();
    const database = new BetterSqlite3(home.database);
    open.push(database);
    try {
      migrate(database, migrations.slice(0, schema));
      return null;
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    } finally {
      expect(database.pragma('user_version', { simple: true })).toBe(newest);
    }
  }

  const oldestReader = migrations.at(-1)?.oldestReader ?? 0;
  const older = migrations.slice(0, -1).map(({ version }) => ({ version }));

  it.each(older.filter(({ version }) => version < oldestReader))(
    'of schema $version is refused, since it would misread the newest, and is told the way back',
    ({ version }) => {
      expect(openAs(version)).toMatchObject({
        code: 'too_new',
        message: expect.stringMatching(/Install the newer version again.*nothing was changed.*Going back/is),
      });
    },
  );

  it.each(older.filter(({ version }) => version >= oldestReader))('of schema $version opens the newest', (at) => {
    expect(openAs(at.version)).toBeNull();
  });

  it('that was refused once stays refused: no step lets older programs in again', () => {
    const readers = migrations.map(({ oldestReader: reader }) => reader);
    expect(readers).toEqual(readers.toSorted((one, other) => one - other));
    for (const { version, oldestReader: reader } of migrations) expect(reader).toBeLessThanOrEqual(version);
  });
});
