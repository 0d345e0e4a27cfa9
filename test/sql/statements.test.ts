import Database from 'better-sqlite3';
import { asc, eq, lt, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { given, type Placeholders, pick, query, read, select, write } from '../../app/sql/compile.ts';
import { prepareAll } from '../../app/sql/prepare.ts';
import type { RowOf } from '../../app/sql/statement.ts';
import { planOf } from '../support/statement-plans.ts';

const parcels = sqliteTable('parcels', {
  parcelId: integer('parcel_id').primaryKey(),
  state: text({ enum: ['waiting', 'gone'] }).notNull(),
  isFragile: integer('is_fragile', { mode: 'boolean' }),
  labels: text({ mode: 'json' }).$type<readonly string[]>(),
});
type Parcel = typeof parcels.$inferSelect;

const everything = pick(parcels, 'parcelId', 'state', 'isFragile', 'labels');
const statements = {
  insert: write(($: Placeholders<Parcel>) => query.insert(parcels).values(given(everything, $))),
  find: read(($: Placeholders<{ parcelId: number }>) =>
    select(everything).from(parcels).where(eq(parcels.parcelId, $.parcelId)),
  ),
  waiting: read(($: Placeholders<{ before: number; limit: number }>) =>
    select(everything)
      .from(parcels)
      .where(sql`${eq(parcels.state, 'waiting')} AND ${lt(parcels.parcelId, $.before)}`)
      .orderBy(asc(parcels.parcelId))
      .limit($.limit),
  ),
  count: read(() => select({ parcels: sql<number>`count(*)` }).from(parcels)),
  label: write(($: Placeholders<Pick<Parcel, 'labels' | 'parcelId'>>) =>
    query
      .update(parcels)
      .set({ ...given(pick(parcels, 'labels'), $), isFragile: true })
      .where(eq(parcels.parcelId, $.parcelId)),
  ),
  clear: write(() => query.delete(parcels)),
};

let database: Database.Database;
beforeEach(() => {
  database = new Database(':memory:');
  database.exec(`
    CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, state TEXT NOT NULL, is_fragile INTEGER, labels TEXT) STRICT;
    CREATE INDEX parcels_waiting ON parcels (parcel_id) WHERE state = 'waiting';
  `);
});
afterEach(() => database.close());

describe('a compiled statement', () => {
  it('gives back what was put in: yes and no, JSON, and null for what is not there', () => {
    const { insert, find } = prepareAll(database, statements);
    const full: Parcel = { parcelId: 1, state: 'waiting', isFragile: false, labels: ['glass', "o'clock"] };
    const bare: Parcel = { parcelId: 2, state: 'gone', isFragile: null, labels: null };
    expect([insert.run(full), insert.run(bare)]).toEqual([1, 1]);
    expect([find.get({ parcelId: 1 }), find.get({ parcelId: 2 }), find.get({ parcelId: 3 })]).toEqual([
      full,
      bare,
      null,
    ]);
    expect(database.prepare('SELECT * FROM parcels').raw().all()).toEqual([
      [1, 'waiting', 0, `["glass","o'clock"]`],
      [2, 'gone', null, null],
    ]);
  });

  it('gives many rows, decoded each, and takes no argument where it has none', () => {
    const { insert, waiting, count, clear } = prepareAll(database, statements);
    for (const parcelId of [1, 2, 3, 4]) {
      insert.run({ parcelId, state: parcelId === 2 ? 'gone' : 'waiting', isFragile: true, labels: [String(parcelId)] });
    }
    const found = waiting.all({ before: 4, limit: 10 });
    expect(found.map(({ parcelId, isFragile, labels }) => ({ parcelId, isFragile, labels }))).toEqual([
      { parcelId: 1, isFragile: true, labels: ['1'] },
      { parcelId: 3, isFragile: true, labels: ['3'] },
    ]);
    expect(waiting.all({ before: 4, limit: 1 })).toHaveLength(1);
    expect([count.get(), clear.run(), count.get()]).toEqual([{ parcels: 4 }, 4, { parcels: 0 }]);
  });

  it('says how many rows it changed, and encodes what it sets', () => {
    const { insert, find, label } = prepareAll(database, statements);
    insert.run({ parcelId: 1, state: 'waiting', isFragile: null, labels: null });
    expect([label.run({ parcelId: 1, labels: ['heavy'] }), label.run({ parcelId: 9, labels: null })]).toEqual([1, 0]);
    expect(find.get({ parcelId: 1 })).toMatchObject({ isFragile: true, labels: ['heavy'] });
  });

  it('has its constants in its text, so that a partial index serves it', () => {
    expect(statements.waiting.binds).toEqual(['before', 'limit']);
    expect(planOf(database, statements.waiting)).toContain('INDEX parcels_waiting');
    const asArgument = read(($: Placeholders<{ state: string }>) =>
      select(everything).from(parcels).where(eq(parcels.state, $.state)),
    );
    expect(planOf(database, asArgument)).toContain('SCAN parcels');
  });

  it('is not planned again for each value in a condition or a LIMIT', () => {
    expect(statements.waiting.text).toMatch(/< \+\? .*limit \+\?$/);
    expect(statements.insert.text).toContain('(?, ?, ?, ?)');
  });

  it('refuses to run without one of its arguments', () => {
    const { find, insert } = prepareAll(database, statements);
    const missing: { parcelId: number } = JSON.parse('{}');
    expect(() => find.get(missing)).toThrow('The argument parcelId is missing');
    const without: Parcel = JSON.parse('{ "parcelId": 1, "state": "gone", "labels": null }');
    expect(() => insert.run(without)).toThrow('The argument isFragile is missing');
  });

  it('has the types of its columns', () => {
    expectTypeOf<RowOf<typeof statements.find>>().toEqualTypeOf<Readonly<Parcel>>();
    expectTypeOf<RowOf<typeof statements.count>>().toEqualTypeOf<{ readonly parcels: number }>();
    // @ts-expect-error: `labels` holds a list of text, so the compiler must refuse a number for it. This line is the test.
    write(($: Placeholders<{ labels: number }>) => query.update(parcels).set(given(pick(parcels, 'labels'), $)));
    // @ts-expect-error: `labels` is written and no argument has its name, so the compiler must refuse that too.
    write(($: Placeholders<{ state: 'gone' }>) => query.update(parcels).set(given(pick(parcels, 'labels'), $)));
  });
});

describe('what cannot be compiled is refused when it is built', () => {
  it('a field without a name of its own', () => {
    expect(() => read(() => query.select({ parcelId: parcels.parcelId }).from(parcels))).toThrow('select()');
  });

  it('a column of a kind whose values nobody would decode', () => {
    const visits = sqliteTable('visits', { at: integer({ mode: 'timestamp' }) });
    expect(() => read(() => select({ at: visits.at }).from(visits))).toThrow('SQLiteTimestamp');
  });
});
