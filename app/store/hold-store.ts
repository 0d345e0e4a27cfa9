import type { Database } from 'better-sqlite3';
import type { HoldRow } from '../operations/holds.ts';
import { prepareAll } from '../sql/prepare.ts';
import { toOperation } from './rows.ts';
import { holdStatements } from './statements/holds.ts';

/** Reserves, commits and releases that this till's own screen asked for. */
export class HoldStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, holdStatements);
  }

  /** Oldest first. */
  since(savedAtMs: number): readonly HoldRow[] {
    return this.#statements.since.all({ savedAtMs }).map(({ path, ...row }) => ({ operation: toOperation(row), path }));
  }
}
