import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../app/service/store/migrations.ts';
import { newDatabase } from '../../app/service/store/new-database.ts';
import * as schema from '../../app/service/store/schema.ts';
import { contentOf } from '../support/database-content.ts';
import { schemaDifferences } from '../support/schema-agreement.ts';

function differencesAfter(...steps: readonly string[]): readonly string[] {
  const database = new Database(':memory:');
  database.pragma('foreign_keys = OFF');
  for (const step of [...migrations, ...steps]) database.exec(step);
  try {
    return schemaDifferences(database, schema);
  } finally {
    database.close();
  }
}

/** A table made again with one part of its definition changed, as a migration would. */
function changed(table: string, from: string, to: string): string {
  const database = new Database(':memory:');
  for (const step of migrations) database.exec(step);
  const entries = database
    .prepare<[string], { sql: string }>('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL')
    .all(table);
  database.close();
  const script = entries.map(({ sql }) => sql).join(';\n');
  if (!script.includes(from)) throw new Error(`${table} has no ${from}`);
  return `DROP TABLE ${table};\n${script.replace(from, to)}`;
}

it('a new database made in one is what all steps make, one after another', () => {
  const contentAfter = (...steps: readonly string[]) => {
    const database = new Database(':memory:');
    for (const step of steps) database.exec(step);
    const content = contentOf(database);
    database.close();
    return content;
  };
  expect(contentAfter(newDatabase.sql)).toEqual(contentAfter(...migrations));
});

describe('the described tables of the service', () => {
  it('are those that the migrations make', () => {
    expect(differencesAfter()).toEqual([]);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['a column more', 'ALTER TABLE cards ADD COLUMN tier TEXT', ['cards: columns: only in the database: tier TEXT']],
    [
      'a column less',
      changed('enrollments', 'channel TEXT,', ''),
      ['enrollments: columns: only in the schema: channel TEXT'],
    ],
    [
      'another type',
      changed('customers', 'email TEXT UNIQUE', 'email BLOB UNIQUE'),
      ['customers: columns: only in the schema: email TEXT', 'customers: columns: only in the database: email BLOB'],
    ],
    [
      'a value that may be missing',
      changed('customers', 'created_at_ms INTEGER NOT NULL', 'created_at_ms INTEGER'),
      [
        'customers: columns: only in the schema: created_at_ms INTEGER NOT NULL',
        'customers: columns: only in the database: created_at_ms INTEGER',
      ],
    ],
    [
      'another default',
      changed('cards', 'DEFAULT 0', 'DEFAULT 1'),
      [
        'cards: columns: only in the schema: suspended INTEGER NOT NULL DEFAULT 0',
        'cards: columns: only in the database: suspended INTEGER NOT NULL DEFAULT 1',
      ],
    ],
    [
      'another primary key',
      changed('external_ids', 'PRIMARY KEY (source, external_id)', 'PRIMARY KEY (external_id, source)'),
      [
        'external_ids: primaryKey: only in the schema: source, external_id',
        'external_ids: primaryKey: only in the database: external_id, source',
      ],
    ],
    [
      'a value that may stand twice',
      changed('cards', 'loyalty_id TEXT NOT NULL UNIQUE', 'loyalty_id TEXT NOT NULL'),
      ['cards: unique: only in the schema: loyalty_id'],
    ],
    [
      'another condition of an index',
      `DROP INDEX holds_by_card; CREATE INDEX holds_by_card ON reservations (card_id) WHERE state = 'committed'`,
      [
        `reservations: indexes: only in the schema: holds_by_card (card_id) WHERE state = 'reserved'`,
        `reservations: indexes: only in the database: holds_by_card (card_id) WHERE state = 'committed'`,
      ],
    ],
    [
      'another order of an index',
      'DROP INDEX cards_by_customer; CREATE INDEX cards_by_customer ON cards (customer_id, position DESC)',
      [
        'cards: indexes: only in the schema: cards_by_customer (customer_id, position)',
        'cards: indexes: only in the database: cards_by_customer (customer_id, position DESC)',
      ],
    ],
    [
      'an index that is no longer unique',
      changed('transactions', 'CREATE UNIQUE INDEX one_reversal_each', 'CREATE INDEX one_reversal_each'),
      [
        `transactions: indexes: only in the schema: UNIQUE one_reversal_each (reverses_transaction_id) WHERE reverses_transaction_id IS NOT NULL AND status <> 'failed'`,
        `transactions: indexes: only in the database: one_reversal_each (reverses_transaction_id) WHERE reverses_transaction_id IS NOT NULL AND status <> 'failed'`,
      ],
    ],
    [
      'a reference less',
      changed('cards', ' REFERENCES customers (customer_id)', ''),
      ['cards: references: only in the schema: customer_id -> customers (customer_id)'],
    ],
    [
      'a reference that deletes',
      changed('cards', 'REFERENCES customers (customer_id)', 'REFERENCES customers (customer_id) ON DELETE CASCADE'),
      [
        'cards: references: only in the schema: customer_id -> customers (customer_id)',
        'cards: references: only in the database: customer_id -> customers (customer_id) ON DELETE CASCADE',
      ],
    ],
    ['rows in no order of their key', changed('api_keys', ', WITHOUT ROWID', ''), ['api_keys: not WITHOUT ROWID']],
    [
      'a name more in a list',
      changed('transactions', `OR intent = 'adjust'`, `OR intent = 'adjust' OR intent = 'gift'`),
      [
        `transactions: checks: only in the schema: intent IN ('adjust', 'earn', 'enroll', 'redeem', 'reverse')`,
        `transactions: checks: only in the database: intent IN ('adjust', 'earn', 'enroll', 'gift', 'redeem', 'reverse')`,
      ],
    ],
    [
      'a rule less',
      changed('reservations', 'CHECK (points > 0)', ''),
      ['reservations: checks: only in the schema: points > 0'],
    ],
    ['a table that takes any value', changed('transactions', ') STRICT', ')'), ['transactions: not STRICT']],
    ['a table more', 'CREATE TABLE gifts (gift_id TEXT) STRICT', ['gifts: the schema does not know this table']],
    ['a table less', 'DROP TABLE state', ['state: no migration makes this table']],
  ])('are not once a migration leaves %s', (_, step, differences) => {
    expect(differencesAfter(step)).toEqual(differences);
  });
});
