import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServiceDatabase, type ServiceDatabase } from '../../app/service/store/open.ts';
import {
  type NamedStatement,
  scanning,
  sorting,
  statementsIn,
  unusedPartialIndexes,
} from '../support/statement-plans.ts';

const store = join(import.meta.dirname, '..', '..', 'app', 'service', 'store');

describe('the statements of the service', () => {
  let statements: readonly NamedStatement[];
  let database: ServiceDatabase;
  beforeAll(async () => {
    statements = await statementsIn(join(store, 'statements'));
    database = openServiceDatabase({ kind: 'memory' });
  });
  afterAll(() => database.close());

  it('are all here: the stores write no SQL of their own', () => {
    expect(statements.length).toBeGreaterThan(45);
    const files = readdirSync(store).filter((name) => name.endsWith('-store.ts'));
    expect(files.length).toBeGreaterThan(7);
    for (const file of files) expect(readFileSync(join(store, file), 'utf8')).not.toMatch(/database\s*\.\w+/);
  });

  it('find their rows by an index, but for those that want them all', () => {
    const searching = statements.filter(({ name }) => !name.startsWith('clearing.'));
    expect(scanning(database, searching)).toEqual([
      // All cards, when the shop's owner names another currency.
      'cards.changeCurrency',
      // With a LIMIT, and in the order of an index.
      'customers.list',
      // A handful.
      'keys.list',
    ]);
  });

  it('sort nothing: an index already has the order', () => {
    expect(sorting(database, statements)).toEqual([]);
  });

  it('use every partial index', () => {
    expect(unusedPartialIndexes(database, statements)).toEqual([]);
  });

  it('are not planned again for each value that they are given', () => {
    const open = statements.filter(({ text }) =>
      /(?<!\+)\?/.test(text.replace(/^(insert|update)\b.*?( where |$)/s, '')),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('check no row against a list that would be built for it', () => {
    const latest = database.prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE name = 'transactions'`).pluck();
    expect(latest.get()).toContain('CHECK');
    expect(latest.get()).not.toMatch(/\bIN \(/);
  });
});
