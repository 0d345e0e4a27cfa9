import type { Database, Statement } from 'better-sqlite3';

/** A database whose file can be exchanged for another with the same content, under the statements that were prepared on it. */
export interface MovableDatabase {
  /** What the stores hold. */
  readonly database: Database;
  readonly current: () => Database;
  moveTo(next: Database): void;
}

/** Calls that set how a statement answers, and are made once, where it is prepared. */
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
