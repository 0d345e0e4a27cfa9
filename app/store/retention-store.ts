import type { Database } from 'better-sqlite3';
import { emptyLog } from './empty-log.ts';

/** States after which nothing needs to be known of the customer any more. */
const finalStates = `state IN ('applied', 'reversed', 'cancelled', 'written_off')`;

/** A database of this size is written anew in a fraction of a second; a larger one would keep a sale waiting. */
const mostRewrittenBytes = 64 * 1024 * 1024;

/** Erases who the customers were from operations that are long over; what was earned and spent stays. */
export class RetentionStore {
  readonly #database: Database;
  readonly #erase;
  readonly #last;

  constructor(database: Database) {
    this.#database = database;
    // The words of an error may name the customer. What is still looked up is not over: it may stand at the service, and
    // nothing but its request tells it from another's.
    this.#erase = database.prepare<[{ from: number; to: number; before: number }]>(
      `UPDATE operations SET identifier_kind = NULL, identifier_value = NULL, customer_name = NULL, card_id = NULL,
         service_customer_id = NULL, service_card_id = NULL, body = NULL, idempotency_key = NULL, answer = NULL,
         error = json_set(json_remove(error, '$.details'), '$.message', 'Erased after the retention time.')
       WHERE row_id >= :from AND row_id < :to AND updated_at < :before AND ${finalStates}
         AND NOT EXISTS (SELECT 1 FROM watches WHERE watches.row_id = operations.row_id)
         AND (body IS NOT NULL OR identifier_value IS NOT NULL OR answer IS NOT NULL)`,
    );
    this.#last = database.prepare<[], { rowId: number; savedAtMs: number }>(
      'SELECT row_id AS rowId, saved_at AS savedAtMs FROM operations ORDER BY row_id DESC LIMIT 1',
    );
  }

  /** Inside a transaction of the Writer. @returns how many operations were erased among these rows */
  erase(rows: { readonly from: number; readonly to: number }, settledBeforeMs: number): number {
    return this.#erase.run({ ...rows, before: settledBeforeMs }).changes;
  }

  /** The operation that was saved last; null when there is none. */
  get last(): { readonly rowId: number; readonly savedAtMs: number } | null {
    return this.#last.get() ?? null;
  }

  /**
   * Removes what was erased from the file and its log too, outside of any transaction: when SQLite moves rows from page
   * to page it leaves copies in the gaps, `secure_delete` or not. A large file keeps those until they are overwritten.
   *
   * @returns false while another program reads the database: the log is as it was
   */
  tidy(): boolean {
    const [pages, free, pageBytes] = ['page_count', 'freelist_count', 'page_size'].map((fact) =>
      Number(this.#database.pragma(fact, { simple: true })),
    );
    const usedBytes = ((pages ?? 0) - (free ?? 0)) * (pageBytes ?? 0);
    if (usedBytes <= mostRewrittenBytes) this.#database.exec('VACUUM');
    return emptyLog(this.#database);
  }
}
