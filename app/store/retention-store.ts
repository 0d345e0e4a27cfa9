import type { Database } from 'better-sqlite3';

/** States after which nothing needs to be known of the customer any more. */
const finalStates = `state IN ('applied', 'reversed', 'cancelled', 'written_off')`;

/** Erases who the customers were from operations that are long over; what was earned and spent stays. */
export class RetentionStore {
  readonly #erase;
  readonly #last;

  constructor(database: Database) {
    this.#erase = database.prepare<[{ from: number; to: number; before: number }]>(
      `UPDATE operations SET identifier_kind = NULL, identifier_value = NULL, customer_name = NULL, card_id = NULL,
         service_customer_id = NULL, service_card_id = NULL, body = NULL, idempotency_key = NULL, answer = NULL,
         error = json_remove(error, '$.details')
       WHERE row_id >= :from AND row_id < :to AND updated_at < :before AND ${finalStates}
         AND (body IS NOT NULL OR identifier_value IS NOT NULL OR answer IS NOT NULL)`,
    );
    this.#last = database.prepare<[], { last: number | null }>('SELECT max(row_id) AS last FROM operations');
  }

  /** Inside a transaction of the Writer. @returns how many operations were erased among these rows */
  erase(rows: { readonly from: number; readonly to: number }, settledBeforeMs: number): number {
    return this.#erase.run({ ...rows, before: settledBeforeMs }).changes;
  }

  get lastRowId(): number {
    return this.#last.get()?.last ?? 0;
  }
}
