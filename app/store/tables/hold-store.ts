import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { holdStatements } from '../statements/holds.ts';
import { lastStatements } from '../statements/last.ts';

/** A reserve, a commit or a release of this till, with the path that it was sent to and the HTTP status of its refusal. */
export interface HoldRow {
  readonly operation: Operation;
  readonly path: string;
  readonly refusedStatus: number | null;
}

/** A hold that is still shown is hardly further back: each look reads these rows. */
const rowsPerLook = 500;

/** Reserves, commits and releases that this till's own screen asked for. */
export class HoldStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...holdStatements, ...lastStatements });
  }

  /**
   * What was saved since then by this machine's clock, or took place since by the service's. In no order.
   *
   * @param sinceMs milliseconds since 1970
   */
  since(sinceMs: number): readonly HoldRow[] {
    const afterRowId = (this.#statements.last.get()?.rowId ?? 0) - rowsPerLook;
    return [
      ...this.#statements.since.all({ sinceMs }),
      ...this.#statements.tookPlaceSince.all({ sinceMs, afterRowId }),
    ].map(({ path, refusedStatus, ...row }) => ({ operation: toOperation(row), path, refusedStatus }));
  }
}
