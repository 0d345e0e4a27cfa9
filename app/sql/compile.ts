import {
  Column,
  type GetColumnData,
  getTableColumns,
  is,
  Param,
  Placeholder,
  SQL,
  type SQLWrapper,
  StringChunk,
  sql,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Codec, ReadStatement, WriteStatement } from './statement.ts';

/** Builds queries; it reaches no database. For what is read, `select` below takes the place of its own. */
export const query = drizzle.mock();

/** A placeholder for each argument of a statement. */
export type Placeholders<Args> = { readonly [Name in keyof Args]: Placeholder<Name & string, Args[Name]> };

type NoArguments = Readonly<Record<never, never>>;
type Field = SQLiteColumn | SQL;
type FieldValue<F> = F extends SQLiteColumn ? GetColumnData<F> : F extends SQL<infer Value> ? Value : never;
type Selection<Fields> = { readonly [Name in keyof Fields]: SQL.Aliased<FieldValue<Fields[Name]>> };
type ColumnsOf<Table extends SQLiteTable> = Table['_']['columns'];

/** Begins a SELECT of these fields, each under its property's name: SQLite itself then makes the objects. */
export function select<const Fields extends Readonly<Record<string, Field>>>(fields: Fields) {
  const aliased = Object.entries(fields).map(([name, field]) => [name, sql`${field}`.as(name)] as const);
  return query.select(Object.fromEntries(aliased) as Selection<Fields>);
}

/** Some columns of a table, by their properties' names. */
export function pick<Table extends SQLiteTable, const Name extends keyof ColumnsOf<Table> & keyof Table>(
  table: Table,
  ...names: readonly Name[]
): Pick<Table, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;
}

/** The columns of a table but some, by their properties' names. */
export function except<Table extends SQLiteTable, const Name extends keyof ColumnsOf<Table>>(
  table: Table,
  ...names: readonly Name[]
): Omit<ColumnsOf<Table>, Name> {
  const left = Object.entries(getTableColumns(table)).filter(([name]) => !names.some((other) => other === name));
  return Object.fromEntries(left) as Omit<ColumnsOf<Table>, Name>;
}

/** The values of these columns in an INSERT or an UPDATE: each is the argument of the same name, in the column's form. */
export function given<Columns extends Readonly<Record<string, SQLiteColumn>>>(
  columns: Columns,
  placeholders: { readonly [Name in keyof Columns]: Placeholder<Name & string, GetColumnData<Columns[Name]>> },
): { readonly [Name in keyof Columns]: SQL } {
  const values = Object.keys(columns).map((name) => [name, sql`${sql.param(placeholders[name], columns[name])}`]);
  return Object.fromEntries(values) as { [Name in keyof Columns]: SQL };
}

/** As `given`, for an UPDATE; null leaves what stands in the column. */
export function givenOrKept<Columns extends Readonly<Record<string, SQLiteColumn>>>(
  columns: Columns,
  placeholders: { readonly [Name in keyof Columns]: Placeholder<Name & string, GetColumnData<Columns[Name]>> },
): { readonly [Name in keyof Columns]: SQL } {
  const values = Object.entries(given(columns, placeholders)).map(([name, value]) => [
    name,
    sql`coalesce(${value}, ${columns[name]})`,
  ]);
  return Object.fromEntries(values) as { [Name in keyof Columns]: SQL };
}

/** NULL for each of these columns. */
export function nulls<Columns extends Readonly<Record<string, SQLiteColumn>>>(
  columns: Columns,
): { readonly [Name in keyof Columns]: SQL<null> } {
  const values = Object.keys(columns).map((name) => [name, sql<null>`NULL`]);
  return Object.fromEntries(values) as { [Name in keyof Columns]: SQL<null> };
}

interface BuiltSelect<Row> extends SQLWrapper {
  readonly _: { readonly result: Row[]; readonly selectedFields: object };
}

/** A query that gives rows, begun by `select`. */
export function read<Row extends object, Args extends object = NoArguments>(
  build: ($: Placeholders<Args>) => BuiltSelect<Row>,
): ReadStatement<Args, Row> {
  const built = build(placeholders<Args>());
  const decoded = Object.entries(built._.selectedFields).flatMap(([name, field]) => {
    const codec = codecOfField(field);
    return codec === null ? [] : [{ name, codec }];
  });
  return { kind: 'read', ...compile(built), decoded };
}

/** A query that changes rows. */
export function write<Args extends object = NoArguments>(
  build: ($: Placeholders<Args>) => SQLWrapper,
): WriteStatement<Args> {
  return { kind: 'write', ...compile(build(placeholders<Args>())) };
}

/** One statement for each of these names, which stand in their texts: so each can use a partial index of its own. */
export function ofEach<const Name extends string, Statement>(
  names: readonly Name[],
  build: (name: Name) => Statement,
): Record<Name, Statement> {
  return Object.fromEntries(names.map((name) => [name, build(name)])) as Record<Name, Statement>;
}

function placeholders<Args>(): Placeholders<Args> {
  return new Proxy({} as Placeholders<Args>, { get: (_, name) => sql.placeholder(String(name)) });
}

/**
 * An argument in a condition or a LIMIT is written `+?`. For a bare one SQLite looks whether its value allows another
 * plan, and then plans the statement again for every value, which costs ten times the query itself.
 */
class FixedPlanDialect extends SQLiteSyncDialect {
  /** A name of more than one word is no keyword: a program has thousands of them, and is shorter without quotes. */
  override escapeName(name: string): string {
    return /^[a-z]+[A-Z_]\w*$/.test(name) ? name : `"${name}"`;
  }

  override escapeParam(_number: number, param?: unknown): string {
    return is(param, Placeholder) ? '+?' : '?';
  }
}

const dialect = new FixedPlanDialect();

function compile(built: SQLWrapper) {
  // Constants stand in the text: a partial index is not used for a value that comes later.
  const { sql: text, params } = dialect.sqlToQuery(built.getSQL().inlineParams());
  const binds = params.map(toBind);
  return {
    text,
    binds: binds.map(({ name }) => name),
    encoded: binds.flatMap(({ codec }, place) => (codec === null ? [] : [{ place, codec }])),
  };
}

function toBind(param: unknown): { readonly name: string; readonly codec: Codec | null } {
  if (is(param, Placeholder)) return { name: param.name, codec: null };
  if (is(param, Param) && is(param.value, Placeholder) && is(param.encoder, Column)) {
    return { name: param.value.name, codec: codecOf(param.encoder) };
  }
  throw new Error('A statement binds nothing but its arguments');
}

/** A field that is one column alone has that column's codec; what an expression gives is taken as it is. */
function codecOfField(field: unknown): Codec | null {
  if (!is(field, SQL.Aliased)) throw new Error('Begin the query by select(), which names its fields');
  const [column, ...others] = field.sql.queryChunks.flatMap(partsOf);
  return is(column, Column) && others.length === 0 ? codecOf(column) : null;
}

function partsOf(chunk: unknown): readonly unknown[] {
  if (is(chunk, SQL)) return chunk.queryChunks.flatMap(partsOf);
  return is(chunk, StringChunk) && chunk.value.join('') === '' ? [] : [chunk];
}

const codecs: Readonly<Record<string, Codec | null>> = {
  SQLiteText: null,
  SQLiteInteger: null,
  SQLiteReal: null,
  SQLiteBlobBuffer: null,
  SQLiteTextJson: 'json',
  SQLiteBoolean: 'boolean',
};

function codecOf(column: Column): Codec | null {
  const codec = codecs[column.columnType];
  if (codec === undefined) throw new Error(`${column.name}: no codec is known for a ${column.columnType}`);
  return codec;
}
