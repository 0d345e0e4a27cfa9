import type { Database } from 'better-sqlite3';
import type { Operation } from '../operations/operation.ts';
import { type OperationRow, operationColumns, toOperation } from './rows.ts';

/** One part looks at no more rows than this, so that a million of them never hold a sale up. */
const rowsPerLook = 20_000;

/** Goes through what the till shows as applied or taken back, oldest first. */
export class VerifyStore {
  readonly #part;
  readonly #last;

  constructor(database: Database) {
    this.#part = database.prepare<
      [{ after: number; to: number; sinceMs: number; untilMs: number; limit: number }],
      OperationRow
    >(
      `SELECT ${operationColumns} FROM operations
       WHERE row_id > :after AND row_id <= :to AND state IN ('applied', 'reversed')
         AND intent IN ('earn', 'redeem', 'commit', 'reverse') AND updated_at >= :sinceMs AND updated_at < :untilMs
       ORDER BY row_id LIMIT :limit`,
    );
    this.#last = database.prepare<[], { last: number | null }>('SELECT max(row_id) AS last FROM operations');
  }

  /** @returns operations that were changed in that time, and where to go on; null when all were seen */
  part(
    range: { readonly afterRowId: number; readonly sinceMs: number; readonly untilMs: number },
    limit: number,
  ): { readonly operations: readonly Operation[]; readonly afterRowId: number | null } {
    const { afterRowId, sinceMs, untilMs } = range;
    const to = afterRowId + rowsPerLook;
    const rows = this.#part.all({ after: afterRowId, to, sinceMs, untilMs, limit });
    const seenTo = rows.length === limit ? (rows.at(-1)?.row_id ?? to) : to;
    const isAll = seenTo >= (this.#last.get()?.last ?? 0);
    return { operations: rows.map(toOperation), afterRowId: isAll ? null : seenTo };
  }
}
