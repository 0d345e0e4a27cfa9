import BetterSqlite3 from 'better-sqlite3';

/** A statement of a transaction that is about to run. */
export interface Step {
  /** 1 for the BEGIN, and for a statement that is a transaction of its own. */
  readonly number: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly database: BetterSqlite3.Database;
}

/** Sees the statements of every transaction in this process, and can make any of them fail. */
export interface StatementWatch {
  /** Asked before each step; when it throws, the statement does not run and fails with what was thrown. */
  onStep: ((step: Step) => void) | null;
  /** Told when something of a file was committed: it is on the disk now, and nobody has heard of it yet. */
  onCommitted: (() => void) | null;
  /** The one that a transaction ran on last. */
  readonly database: BetterSqlite3.Database;
  stop(): void;
}

interface Statement {
  readonly source: string;
  readonly database: BetterSqlite3.Database;
}
type Run = (this: Statement, ...parameters: unknown[]) => unknown;
const methods = ['run', 'get', 'all'] as const;

/** A ROLLBACK is no step: it never fails, and it is what must work when another one has. */
export function watchStatements(): StatementWatch {
  const prototype = statementPrototype();
  const originals = methods.map((method) => [method, prototype[method]] as const);
  let database: BetterSqlite3.Database | null = null;
  /** Steps of the transaction so far; null outside of one. */
  let steps: number | null = null;
  const watch: StatementWatch = {
    onStep: null,
    onCommitted: null,
    get database() {
      if (database === null) throw new Error('No transaction has run yet');
      return database;
    },
    stop() {
      for (const [method, original] of originals) prototype[method] = original;
    },
  };
  for (const [method, original] of originals) {
    prototype[method] = function watched(...parameters) {
      const sql = this.source;
      if (sql.startsWith('BEGIN')) {
        steps = 0;
        database = this.database;
      }
      if (sql === 'ROLLBACK') steps = null;
      if (steps !== null) steps += 1;
      const number = steps ?? (/^(insert|update|delete)/i.test(sql) ? 1 : null);
      try {
        if (number !== null) watch.onStep?.({ number, sql, parameters, database: this.database });
      } catch (error) {
        // What did not begin needs no end.
        if (sql.startsWith('BEGIN')) steps = null;
        throw error;
      }
      const result = original.apply(this, parameters);
      const isAlone = steps === null && number !== null;
      if (sql === 'COMMIT') steps = null;
      if ((sql === 'COMMIT' || isAlone) && !this.database.memory) watch.onCommitted?.();
      return result;
    };
  }
  return watch;
}

function statementPrototype(): Record<(typeof methods)[number], Run> {
  const database = new BetterSqlite3(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  return prototype;
}
