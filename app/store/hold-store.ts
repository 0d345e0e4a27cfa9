import type { Database } from 'better-sqlite3';
import type { HoldRow } from '../operations/holds.ts';
import { type OperationRow, operationColumns, toOperation } from './rows.ts';

/** Reserves, commits and releases that this till's own screen asked for. */
export class HoldStore {
  readonly #since;

  constructor(database: Database) {
    this.#since = database.prepare<[number], OperationRow & { path: string }>(
      `SELECT ${operationColumns}, path FROM operations
       WHERE intent IN ('reserve', 'commit', 'release') AND origin = 'till' AND saved_at >= ? ORDER BY row_id`,
    );
  }

  /** Oldest first. */
  since(savedAtMs: number): readonly HoldRow[] {
    return this.#since.all(savedAtMs).map((row) => ({ operation: toOperation(row), path: row.path }));
  }
}
