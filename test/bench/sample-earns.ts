import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../app/machine/ids.ts';
import type { NewEarn } from '../../app/operations/intake/save-outcome.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { RowSeal } from '../../app/store/rows/row-seal.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { toInstant } from '../../shared/lib/clock.ts';

/** So many customers come by: no two earns of one customer are near each other. */
const customerCount = 5_000;

/** As the bridge makes them. */
const newOperationId = createTimeOrderedUuids(systemClock(), () => randomUUID());

/** What the core that is measured seals operations with. */
export const benchSealKey = Buffer.alloc(32, 5);

/** A sale as a POS program sends it: all that a till knows, and no reference of its own. */
export function sampleEarn(number: number): NewEarn {
  return {
    origin: 'bridge',
    operationId: newOperationId(),
    request: {
      identifier: { loyalty_id: `4000${String(number % customerCount).padStart(8, '0')}` },
      amount_minor: 1_000 + (number % 90_000),
      currency: 'KWD',
      branch_ref: 'salmiya',
      device_ref: 'till-3',
      employee_ref: 'emp-17',
      occurred_at: toInstant(Date.UTC(2026, 10, 20) + number * 1_000),
      metadata: { order: `A-${number}`, lines: 4 },
    },
    customerName: null,
    receiptNumber: null,
    idempotencyKey: null,
  };
}

/** Hands out sales that were not handed out before, so many at a time. */
export function createSales(): (count: number) => readonly NewEarn[] {
  let last = 0;
  return (count) => {
    const first = last + 1;
    last += count;
    return Array.from({ length: count }, (_, index) => sampleEarn(first + index));
  };
}

/**
 * Fills `sandbox.sqlite` or `production.sqlite` of a data folder with operations that wait to be sent, as the intake
 * would have saved them, in one transaction and one file with no log beside it.
 */
export function fillBacklog(
  dataDir: string,
  options: {
    readonly mode: 'sandbox' | 'production';
    readonly rows: number;
    readonly savedAtMs: number;
    /** Among so many customers, in turn. */
    readonly customers?: number;
    /** With the seals of the core that is measured; false for a program with a key of its own. True when absent. */
    readonly isSealed?: boolean;
  },
): string {
  const path = join(dataDir, `${options.mode}.sqlite`);
  const database = openDatabase(path);
  // The rows need not survive a power cut while they are made; what is measured opens the file again.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -262144');
  const seal = new RowSeal(benchSealKey);
  database.function('seal', (operationId, externalRef, body) =>
    options.isSealed === false
      ? null
      : seal.of({
          operationId: String(operationId),
          intent: 'earn',
          externalRef: String(externalRef),
          path: endpoints.earn.path,
          body: String(body),
          bodyVersion: 1,
          idempotencyKey: null,
        }),
  );
  database.exec('BEGIN');
  database
    .prepare(`
      WITH RECURSIVE sale (n, ref, card, amount, at) AS (
        SELECT 0, NULL, NULL, NULL, NULL
        UNION ALL
        SELECT n + 1,
          printf('salmiya-till-3-bench-20261120-%06d', n + 1),
          printf('4000%08d', (n + 1) % :customers),
          1000 + (n + 1) % 90000,
          :savedAt - (:rows - n) * 100
        FROM sale WHERE n < :rows),
      filled (n, id, ref, card, amount, at, body) AS (
        SELECT n, printf('%08x-0000-4000-8000-%012x', n, n), ref, card, amount, at,
          json_object('identifier', json_object('loyalty_id', card), 'amount_minor', amount, 'currency', 'KWD',
            'branch_ref', 'salmiya', 'device_ref', 'till-3', 'employee_ref', 'emp-17',
            'occurred_at', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'),
            'metadata', json_object('order', 'A-' || n, 'lines', 4), 'external_ref', ref)
        FROM sale WHERE n > 0)
      INSERT INTO operations (row_id, operation_id, intent, delivery, origin, state, version, external_ref,
        identifier_kind, identifier_value, amount_minor, currency, occurred_at, occurred_at_from, business_date, till_time,
        monotonic_ms, path, body, body_version, employee_ref, saved_at, updated_at, seal)
      SELECT n, id, 'earn', 'deferred', 'bridge', 'queued', 1, ref,
        'loyalty_id', card, amount, 'KWD', at, 'till', '2026-11-20', at, n, '/transactions/earn', body, 1, 'emp-17', at, at,
        seal(id, ref, body)
      FROM filled`)
    .run({ rows: options.rows, savedAt: options.savedAtMs, customers: options.customers ?? customerCount });
  database.exec(`
    UPDATE state_counts SET count = (SELECT count(*) FROM operations WHERE state = state_counts.state);
    UPDATE meta SET value = ${options.rows} WHERE key = 'counted_through';
    COMMIT`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return path;
}
