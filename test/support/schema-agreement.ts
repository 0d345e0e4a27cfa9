import type { Database } from 'better-sqlite3';
import { is, type SQL } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteSyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** What a table is like, in words that can be compared; each list is sorted. */
interface TableFacts {
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly string[];
  readonly indexes: readonly string[];
  readonly references: readonly string[];
  readonly checks: readonly string[];
}

/**
 * Where a database that the migrations made is not what the drizzle tables of `schema` say, as sentences: tables,
 * columns (type, NULL, default), keys, indexes with their conditions, references, CHECKs with their lists. What drizzle
 * cannot say has a rule: each table is STRICT, and WITHOUT ROWID unless its key is one INTEGER. Triggers are not looked at.
 */
export function schemaDifferences(database: Database, schema: object): readonly string[] {
  const described = new Map(tablesOf(schema).map((table) => [getTableConfig(table).name, describedFacts(table)]));
  const built = new Map(
    database
      .prepare<[], { name: string; strict: number; isRowless: number }>(
        `SELECT name, strict, wr AS isRowless FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
      )
      .all()
      .map(({ name, ...kind }) => [name, { ...kind, facts: builtFacts(database, name) }]),
  );
  const differences: string[] = [];
  for (const name of new Set([...described.keys(), ...built.keys()])) {
    const [wanted, found] = [described.get(name), built.get(name)];
    if (wanted === undefined) differences.push(`${name}: the schema does not know this table`);
    else if (found === undefined) differences.push(`${name}: no migration makes this table`);
    else {
      if (found.strict !== 1) differences.push(`${name}: not STRICT`);
      const hasRowId = wanted.columns.some((column) => column === `${wanted.primaryKey[0]} INTEGER NOT NULL`);
      if ((found.isRowless === 1) === hasRowId) differences.push(`${name}: ${hasRowId ? '' : 'not '}WITHOUT ROWID`);
      differences.push(...factDifferences(name, wanted, found.facts));
    }
  }
  return differences;
}

function factDifferences(table: string, wanted: TableFacts, found: TableFacts): string[] {
  const kinds = Object.keys(wanted) as (keyof TableFacts)[];
  return kinds.flatMap((kind) => [
    ...missing(wanted[kind], found[kind]).map((fact) => `${table}: ${kind}: only in the schema: ${fact}`),
    ...missing(found[kind], wanted[kind]).map((fact) => `${table}: ${kind}: only in the database: ${fact}`),
  ]);
}

/** Those of `some` that `others` lacks, each as often as it does. */
function missing(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return some.filter((fact) => {
    const place = left.indexOf(fact);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function tablesOf(schema: object): SQLiteTable[] {
  return Object.values(schema).filter((value): value is SQLiteTable => is(value, SQLiteTable));
}

function describedFacts(table: SQLiteTable): TableFacts {
  const config = getTableConfig(table);
  const [key] = config.primaryKeys;
  const keyColumns = key?.columns ?? config.columns.filter(({ primary }) => primary);
  return {
    columns: config.columns.map((column) =>
      describeColumn(column.name, {
        type: column.getSQLType(),
        isRequired: column.notNull || keyColumns.some(({ name }) => name === column.name),
        initial: column.default === undefined ? null : column.mapToDriverValue(column.default),
      }),
    ),
    primaryKey: [namesOf(keyColumns)],
    unique: [
      ...config.columns.filter(({ isUnique }) => isUnique).map(({ name }) => name),
      ...config.uniqueConstraints.map(({ columns }) => namesOf(columns)),
    ],
    indexes: config.indexes.map(({ config: { name, unique, columns, where } }) => {
      const names = columns.map((column) => ('name' in column ? column.name : textOf(column)));
      return describeIndex(name, unique, names.join(', '), where === undefined ? null : textOf(where));
    }),
    references: config.foreignKeys.map((foreignKey) => {
      const { columns, foreignTable, foreignColumns } = foreignKey.reference();
      return describeReference(`${namesOf(columns)} -> ${getTableConfig(foreignTable).name}`, {
        to: namesOf(foreignColumns),
        onDelete: foreignKey.onDelete ?? 'no action',
      });
    }),
    checks: [...config.columns.flatMap(listCheck), ...config.checks.map(({ value }) => plainCondition(textOf(value)))],
  };
}

/** The values that a column of names, or of yes and no, may have. */
function listCheck(column: SQLiteColumn): string[] {
  const values =
    column.columnType === 'SQLiteBoolean' ? ['0', '1'] : (column.enumValues ?? []).map((value) => `'${value}'`);
  return values.length === 0 ? [] : [plainCondition(`${column.name} IN (${values.join(', ')})`)];
}

function builtFacts(database: Database, table: string): TableFacts {
  const all = <Row>(sql: string, name: string) => database.prepare<[string], Row>(sql).all(name);
  const columns = all<{ name: string; type: string; required: number; initial: string | null; pk: number }>(
    `SELECT name, type, "notnull" AS required, dflt_value AS initial, pk FROM pragma_table_info(?)`,
    table,
  );
  const indexes = all<{ name: string; is_unique: number; origin: string; sql: string | null }>(
    `SELECT list.name, list."unique" AS is_unique, list.origin, entry.sql
     FROM pragma_index_list(?) AS list LEFT JOIN sqlite_schema AS entry ON entry.name = list.name`,
    table,
  ).map((index) => ({
    ...index,
    columns: all<{ name: string | null; desc: number }>(
      `SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno`,
      index.name,
    )
      .map(({ name, desc }) => `${name}${desc === 1 ? ' DESC' : ''}`)
      .join(', '),
  }));
  const keyColumns = columns.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
  const [definition] = all<{ sql: string }>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`, table);
  return {
    columns: columns.map(({ name, type, required, initial, pk }) =>
      describeColumn(name, { type, isRequired: required === 1 || pk > 0, initial }),
    ),
    primaryKey: [namesOf(keyColumns)],
    unique: indexes.filter(({ origin }) => origin === 'u').map((index) => index.columns),
    indexes: indexes
      .filter(({ origin }) => origin === 'c')
      .map(({ name, is_unique, columns: named, sql }) =>
        describeIndex(name, is_unique === 1, named, sql?.match(/\bWHERE\s+([\s\S]*)$/)?.[1] ?? null),
      ),
    references: all<{ from: string; table: string; to: string; onDelete: string }>(
      'SELECT "from", "table", "to", on_delete AS onDelete FROM pragma_foreign_key_list(?)',
      table,
    ).map((reference) => describeReference(`${reference.from} -> ${reference.table}`, reference)),
    checks: conditionsOf(definition?.sql ?? '').map(plainCondition),
  };
}

function describeColumn(
  name: string,
  { type, isRequired, initial }: { readonly type: string; readonly isRequired: boolean; readonly initial: unknown },
): string {
  const given = initial === null ? '' : ` DEFAULT ${typeof initial === 'string' ? initial : JSON.stringify(initial)}`;
  return `${name} ${type.toUpperCase()}${isRequired ? ' NOT NULL' : ''}${given}`;
}

function describeReference(
  reference: string,
  { to, onDelete }: { readonly to: string; readonly onDelete: string },
): string {
  return `${reference} (${to})${/^no action$/i.test(onDelete) ? '' : ` ON DELETE ${onDelete.toUpperCase()}`}`;
}

function describeIndex(name: string, isUnique: boolean, columns: string, where: string | null): string {
  const condition = where === null ? '' : ` WHERE ${plainText(where)}`;
  return `${isUnique ? 'UNIQUE ' : ''}${name} (${columns})${condition}`;
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(', ');
}

const dialect = new SQLiteSyncDialect();

function textOf(condition: SQL): string {
  return plainText(dialect.sqlToQuery(condition.inlineParams(), 'indexes').sql);
}

/** Without quotes around names, and with one space between words. */
function plainText(sql: string): string {
  return sql.replaceAll('"', '').replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
}

/** A list is written as `a IN (1, 2)` or as `a = 1 OR a = 2`: both come out as the first, sorted. */
function plainCondition(condition: string): string {
  const text = plainText(condition);
  const listed = /^(\w+) IN \((.*)\)$/.exec(text);
  const equals = text.split(' OR ').map((part) => /^(\w+) = ('[^']*'|\d+)$/.exec(part));
  const values = listed?.[2]?.split(', ') ?? equals.map((match) => match?.[2] ?? '');
  const name = listed?.[1] ?? equals[0]?.[1];
  const isList = listed !== null || equals.every((match) => match !== null && match[1] === name);
  return isList && name !== undefined ? `${name} IN (${values.toSorted().join(', ')})` : text;
}

/** What stands in the parentheses of each CHECK of a table's definition. */
function conditionsOf(definition: string): string[] {
  const text = definition.replace(/--[^\n]*/g, '');
  return [...text.matchAll(/\bCHECK\s*\(/g)].map(({ index, 0: { length } }) => {
    let depth = 1;
    let end = index + length;
    for (; depth > 0; end += 1) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    return text.slice(index + length, end - 1);
  });
}
