import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { lastStatements } from '../statements/last.ts';
import { verifyStatements } from '../statements/verify.ts';

/** One part looks at no more rows than this, so that a million of them never hold a sale up. */
const rowsPerLook = 20_000;

/** Goes through what the till shows as applied or taken back, oldest first. */
export class VerifyStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...verifyStatements, ...lastStatements });
  }

  /** @returns operations that were changed in that time, by this machine's clock or the service's, and where to go on; null when all were seen */
  part(
    range: { readonly afterRowId: number; readonly sinceMs: number; readonly untilMs: number },
    limit: number,
  ): { readonly operations: readonly Operation[]; readonly afterRowId: number | null } {
    const { afterRowId, sinceMs, untilMs } = range;
    const to = afterRowId + rowsPerLook;
    const rows = this.#statements.part.all({ after: afterRowId, to, sinceMs, untilMs, limit });
    const seenTo = rows.length === limit ? (rows.at(-1)?.rowId ?? to) : to;
    const isAll = seenTo >= (this.#statements.last.get()?.rowId ?? 0);
    return { operations: rows.map(toOperation), afterRowId: isAll ? null : seenTo };
  }
}
