import type { Database, Statement } from 'better-sqlite3';
import type { Codec, ReadStatement, WriteStatement } from './statement.ts';

type Given<Args> = [keyof Args] extends [never] ? [] : [args: Args];

interface Read<Args extends object, Row extends object> {
  get(...given: Given<Args>): Row | null;
  all(...given: Given<Args>): Row[];
}

interface Write<Args extends object> {
  /** @returns how many rows were changed */
  run(...given: Given<Args>): number;
}

export type Prepared<Statements> = {
  readonly [Name in keyof Statements]: Statements[Name] extends ReadStatement<infer Args, infer Row>
    ? Read<Args, Row>
    : Statements[Name] extends WriteStatement<infer Args>
      ? Write<Args>
      : never;
};

type AnyStatement = ReadStatement<never, object> | WriteStatement<never>;

/**
 * Statements under their names, each prepared once, when it is first used: a start would wait for all of them. Running
 * one throws a TypeError when an argument is missing, and what SQLite throws.
 */
export function prepareAll<const Statements extends Readonly<Record<string, AnyStatement>>>(
  database: Database,
  statements: Statements,
): Prepared<Statements> {
  const prepared = Object.entries(statements).map(([name, statement]) => [
    name,
    statement.kind === 'read' ? prepareRead(database, statement) : prepareWrite(database, statement),
  ]);
  return Object.fromEntries(prepared) as Prepared<Statements>;
}

type Values = Readonly<Record<string, unknown>>;
const noValues: Values = {};

function prepareRead(database: Database, { text, decoded, ...binding }: ReadStatement<never, object>) {
  let made: Statement<unknown[], Record<string, unknown>> | null = null;
  const statement = () => (made ??= database.prepare<unknown[], Record<string, unknown>>(text));
  const bind = binder(binding);
  const decode = (row: Record<string, unknown>) => {
    for (const { name, codec } of decoded) row[name] = decodeAs(codec, row[name]);
    return row;
  };
  return {
    get(values: Values = noValues) {
      const row = statement().get(...bind(values));
      return row === undefined ? null : decode(row);
    },
    all(values: Values = noValues) {
      const rows = statement().all(...bind(values));
      if (decoded.length > 0) rows.forEach(decode);
      return rows;
    },
  };
}

function prepareWrite(database: Database, { text, ...binding }: WriteStatement<never>) {
  let made: Statement<unknown[]> | null = null;
  const statement = () => (made ??= database.prepare<unknown[]>(text));
  const bind = binder(binding);
  return { run: (values: Values = noValues) => statement().run(...bind(values)).changes };
}

/** Values by place: to look up twenty-odd names would take a quarter of an insert. */
function binder({ binds, encoded }: Pick<WriteStatement<never>, 'binds' | 'encoded'>): (values: Values) => unknown[] {
  return (values) => {
    const bound: unknown[] = [];
    for (const name of binds) {
      const value = values[name];
      // The driver would bind it as null.
      if (value === undefined) throw new TypeError(`The argument ${name} is missing`);
      bound.push(value);
    }
    for (const { place, codec } of encoded) bound[place] = encodeAs(codec, bound[place]);
    return bound;
  };
}

function encodeAs(codec: Codec, value: unknown): unknown {
  if (value === null) return null;
  if (codec === 'json') return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

function decodeAs(codec: Codec, value: unknown): unknown {
  if (value === null) return null;
  // The statement that wrote the column encoded a value of the type that it is read as.
  if (codec !== 'json') return value === 1;
  if (typeof value !== 'string') throw new TypeError('A column of JSON holds something else than text');
  return JSON.parse(value);
}
