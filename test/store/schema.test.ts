import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../app/store/database/open.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { historyColumns } from '../../app/store/schema/operation-columns.ts';
import * as people from '../../app/store/schema/people-schema.ts';
import * as operations from '../../app/store/schema/schema.ts';
import { applicationId, describeNew, migrate, schemaDigest } from '../../app/store/versions/migrate.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { contentOf } from '../support/database-content.ts';
import { schemaDifferences } from '../support/schema-agreement.ts';

/** What a next migration would leave different. */
function differencesAfter(sql: string | null): readonly string[] {
  const database = new Database(':memory:');
  const version = migrations.length + 1;
  try {
    migrate(database, sql === null ? migrations : [...migrations, { version, sql, oldestReader: 2 }]);
    return schemaDifferences(database, { ...operations, ...people });
  } finally {
    database.close();
  }
}

describe('a new database', () => {
  const numbersOf = (database: Database.Database) =>
    ['application_id', 'user_version', 'foreign_keys'].map((name) => database.pragma(name));

  it('made in one is what all steps make, one after another', () => {
    const [atOnce, byStep] = [new Database(':memory:'), new Database(':memory:')];
    describeNew(atOnce);
    migrate(byStep);
    const made = contentOf(atOnce);
    expect(made).toEqual(contentOf(byStep));
    expect(numbersOf(atOnce)).toEqual(numbersOf(byStep));
    expect(made.rows).toContainEqual(['pin_failures', [{ one: 1, count: 0 }]]);
    expect(numbersOf(atOnce)).toContainEqual([{ application_id: applicationId }]);
    for (const database of [atOnce, byStep]) database.close();
  });

  it('waits for the disk with few commits, and not with one for each step', () => {
    const folder = temporaryFolder();
    const path = folder.file('till.sqlite');
    const database = openDatabase(path);
    const log = readFileSync(`${path}-wal`);
    // The frame that ends a commit tells how many pages the database has then; the others have 0 there.
    const frameBytes = 24 + newPageBytes;
    const frames = Array.from({ length: (log.length - 32) / frameBytes }, (_, index) => 32 + index * frameBytes);
    const commitCount = frames.filter((at) => log.readUInt32BE(at + 4) > 0).length;
    database.close();
    folder.remove();
    expect(commitCount).toBeGreaterThan(0);
    expect(commitCount).toBeLessThan(5);
  });
});

describe('the described tables of the agent', () => {
  it('have at each version the digest that is known of it', () => {
    for (const { version, digest } of migrations) {
      const database = new Database(':memory:');
      migrate(
        database,
        migrations.filter((migration) => migration.version <= version),
      );
      expect([version, digest]).toEqual([version, schemaDigest(database)]);
      database.close();
    }
  });

  it('are those that the migrations make', () => {
    expect(differencesAfter(null)).toEqual([]);
  });

  it('have a view of the whole history with the columns of its written lines, in their order', () => {
    const database = new Database(':memory:');
    migrate(database);
    const columnsOf = (name: string) =>
      database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(name);
    expect(columnsOf('operation_history')).toEqual(columnsOf('operation_events'));
    expect(Object.values(historyColumns).map(({ name }) => name)).toEqual(columnsOf('operation_events'));
    database.close();
  });

  it.each<readonly [string, string, readonly string[]]>([
    [
      'a column more',
      'ALTER TABLE operations ADD COLUMN shelf TEXT',
      ['operations: columns: only in the database: shelf TEXT'],
    ],
    [
      'a column less',
      'ALTER TABLE watches DROP COLUMN since',
      ['watches: columns: only in the schema: since INTEGER NOT NULL'],
    ],
    [
      'a list that has a name more',
      `ALTER TABLE operations ADD COLUMN tone TEXT CHECK (tone = 'low' OR tone = 'high')`,
      [
        'operations: columns: only in the database: tone TEXT',
        `operations: checks: only in the database: tone IN ('high', 'low')`,
      ],
    ],
    [
      'another condition of an index',
      `DROP INDEX operations_sending; CREATE INDEX operations_sending ON operations (occurred_at, row_id) WHERE state = 'queued'`,
      [
        `operations: indexes: only in the schema: operations_sending (occurred_at, row_id) WHERE state = 'sending'`,
        `operations: indexes: only in the database: operations_sending (occurred_at, row_id) WHERE state = 'queued'`,
      ],
    ],
    ['an index less', 'DROP INDEX watches_due', ['watches: indexes: only in the schema: watches_due (due_at)']],
    [
      'a table of which the schema says nothing',
      'CREATE TABLE coupons (code TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
      ['coupons: the schema does not know this table'],
    ],
  ])('are not once a migration leaves %s', (_, sql, differences) => {
    expect(differencesAfter(sql)).toEqual(differences);
  });
});
