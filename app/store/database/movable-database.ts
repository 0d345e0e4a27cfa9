import type { Database, Statement } from 'better-sqlite3';

/** A database whose file can be replaced by another with the same content. Statements that were prepared before go on. */
export interface MovableDatabase {
  /** The object that the stores keep: it passes each call on to the current database. */
  readonly database: Database;
  readonly current: () => Database;
  moveTo(next: Database): void;
}

/** Methods that set how a statement answers. They are called once, so they are called again for the new database. */
const settingNames: ReadonlySet<string | symbol> = new Set(['pluck', 'expand', 'raw', 'safeIntegers', 'bind']);

export function movableDatabase(first: Database): MovableDatabase {
  let current = first;
  const database = new Proxy(first, {
    get(_first, property): unknown {
      if (property === 'prepare') return (sql: string) => movableStatement(() => current, sql);
      const value: unknown = Reflect.get(current, property, current);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
  return {
    database,
    current: () => current,
    moveTo(next) {
      current = next;
    },
  };
}

function movableStatement(current: () => Database, sql: string): Statement {
  let owner = current();
  let statement = owner.prepare(sql);
  let methods = new Map<string | symbol, unknown>();
  const settings: { readonly name: string | symbol; readonly values: readonly unknown[] }[] = [];
  const proxy = new Proxy(statement, {
    get(_statement, property): unknown {
      if (current() !== owner) {
        owner = current();
        statement = owner.prepare(sql);
        methods = new Map();
        for (const { name, values } of settings) call(statement, name, values);
      }
      const known = methods.get(property);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(statement, property, statement);
      if (typeof value !== 'function') return value;
      const method: unknown = settingNames.has(property)
        ? (...values: readonly unknown[]) => {
            settings.push({ name: property, values });
            call(statement, property, values);
            return proxy;
          }
        : value.bind(statement);
      methods.set(property, method);
      return method;
    },
  });
  return proxy;
}

function call(statement: Statement, name: string | symbol, values: readonly unknown[]): void {
  const method: unknown = Reflect.get(statement, name, statement);
  if (typeof method === 'function') Reflect.apply(method, statement, values);
}
