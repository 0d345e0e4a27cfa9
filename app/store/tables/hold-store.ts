import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { holdStatements } from '../statements/holds.ts';

/** A reserve, a commit or a release of this till, with the path that it was sent to and the HTTP status of its refusal. */
export interface HoldRow {
  readonly operation: Operation;
  readonly path: string;
  readonly refusedStatus: number | null;
}

/** Reserves, commits and releases that this till's own screen asked for. */
export class HoldStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, holdStatements);
  }

  /** Oldest first. */
  since(savedAtMs: number): readonly HoldRow[] {
    return this.#statements.since
      .all({ savedAtMs })
      .map(({ path, refusedStatus, ...row }) => ({ operation: toOperation(row), path, refusedStatus }));
  }
}
