import BetterSqlite3 from 'better-sqlite3';
import { migrations } from '../../../app/store/migrations/index.ts';
import { migrate } from '../../../app/store/versions/migrate.ts';

/** A sale as an older version of the program has saved it. */
interface OldSale {
  readonly ref: string;
  readonly tag: string;
  readonly loyaltyId: string;
  readonly stamps: number;
  readonly savedAtMs: number;
}

/** The newest schema that a history may begin with: the one before the present. */
export const oldSchemaCount = migrations.length - 1;

/** Makes the database of an older version, with one sale in it that was never sent. @param schema how many steps it has */
export function makeOldDatabase(path: string, schema: number, sale: OldSale): void {
  const { ref, tag, loyaltyId, stamps, savedAtMs } = sale;
  const body = { identifier: { loyalty_id: loyaltyId }, external_ref: ref, stamps, employee_ref: tag };
  const database = new BetterSqlite3(path);
  try {
    migrate(database, migrations.slice(0, schema));
    database
      .prepare(
        `INSERT INTO operations (row_id, operation_id, intent, delivery, origin, state, version, external_ref,
           identifier_kind, identifier_value, stamps, occurred_at, occurred_at_from, business_date, till_time,
           monotonic_ms, path, body, body_version, saved_at, updated_at)
         VALUES (1, '00000000-0000-4000-8000-000000000001', 'earn', 'deferred', 'bridge', 'queued', 1, @ref,
           'loyalty_id', @loyaltyId, @stamps, @at, 'till', @date, @at, 0, '/transactions/earn', @body, 1, @at, @at)`,
      )
      .run({
        ref,
        loyaltyId,
        stamps,
        at: savedAtMs,
        date: new Date(savedAtMs).toISOString().slice(0, 10),
        body: JSON.stringify({ ...body, occurred_at: new Date(savedAtMs).toISOString() }),
      });
    database
      .prepare(`INSERT INTO operation_events (row_id, version, to_state, at, send) VALUES (1, 1, 'queued', ?, 0)`)
      .run(savedAtMs);
    database.prepare(`UPDATE state_counts SET count = 1 WHERE state = 'queued'`).run();
  } finally {
    database.close();
  }
}
