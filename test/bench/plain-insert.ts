import { systemClock } from '../../app/machine/clock.ts';
import type { NewEarn } from '../../app/operations/intake/save-outcome.ts';
import { businessCalendar } from '../../app/operations/requests/business-date.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { RowSeal } from '../../app/store/rows/row-seal.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { identifierEntry } from '../../shared/contract/identifier.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { benchSealKey, sampleEarn } from './sample-earns.ts';

/** What a simple program would do: the agent's own table, one prepared insert, one commit for each sale. */
interface PlainInsert {
  /** Makes the rows of the next sales; not timed. */
  prepare(count: number): readonly (() => void)[];
  /** Runs some of them in one commit. */
  together(inserts: readonly (() => void)[]): void;
  /**
   * Writes down what callers have handed in, seals it and inserts it, all in one commit: what nobody can leave out. The row
   * is whole: what a caller may leave out is filled in, and each column has what the sale itself says.
   */
  save(sales: readonly PlainSale[]): void;
  /** Whether a row has it: a look at the index alone. */
  hasReference(reference: string): boolean;
  close(): void;
}

const savedAtMs = Date.UTC(2026, 10, 20);
const timeZone = 'Asia/Kuwait';
/** By how much the service's clock is ahead. */
const clockSkewMs = 40;
const clock = systemClock();

/** A sale as its caller hands it in. */
export type PlainSale = Pick<NewEarn, 'origin' | 'posName' | 'operationId' | 'request'>;

/** Opens a database like the agent's own (WAL, `synchronous=FULL`, the same tables). */
export function openPlainInsert(path: string): PlainInsert {
  const database = openDatabase(path);
  const insert = database.prepare(`
    INSERT INTO operations (operation_id, intent, delivery, origin, state, version, external_ref, identifier_kind,
      identifier_value, amount_minor, currency, occurred_at, occurred_at_from, business_date, till_time, monotonic_ms,
      path, body, body_version, saved_at, updated_at, seal)
    VALUES (?, 'earn', 'deferred', 'bridge', 'queued', 1, ?, 'loyalty_id', ?, ?, 'KWD', ?, 'caller', '2026-11-20', ?, 0,
      '/transactions/earn', ?, 1, ?, ?, ?)`);
  const insertWhole = database.prepare(`
    INSERT INTO operations (operation_id, intent, delivery, origin, pos_name, employee_ref, state, version, external_ref,
      identifier_kind, identifier_value, amount_minor, currency, occurred_at, occurred_at_from, business_date, till_time,
      monotonic_ms, clock_skew_ms, path, body, body_version, saved_at, updated_at, seal)
    VALUES (?, 'earn', 'deferred', ?, ?, ?, 'queued', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`);
  const seal = Buffer.alloc(16, 1);
  const withReference = database.prepare<[string]>('SELECT 1 FROM operations WHERE external_ref = ? LIMIT 1');
  const rowSeal = new RowSeal(benchSealKey);
  let number = 0;
  // As a started agent has it: the process's own calendar costs nothing.
  process.env.TZ = timeZone;
  const calendar = businessCalendar({ timeZone, startsAt: '05:00' });
  const save = ({ origin, posName, operationId, request }: PlainSale) => {
    number += 1;
    const tillTimeMs = clock.now();
    const { occurred_at: said, employee_ref: employeeRef } = request;
    const whole = {
      ...request,
      external_ref: request.external_ref ?? `salmiya-till1-abcde-20261120-${String(number).padStart(6, '0')}`,
      currency: request.currency ?? 'KWD',
      branch_ref: request.branch_ref ?? 'salmiya',
      device_ref: request.device_ref ?? 'till1',
      occurred_at: said ?? toInstant(tillTimeMs + clockSkewMs),
    };
    const externalRef = whole.external_ref;
    const body = JSON.stringify(whole);
    const occurredAtMs = said === undefined ? tillTimeMs + clockSkewMs : Date.parse(said);
    const { kind, value } = identifierEntry(request.identifier);
    const { path } = endpoints.earn;
    const sealed = { operationId, intent: 'earn', externalRef, path, body, bodyVersion: 1, idempotencyKey: null };
    insertWhole.run(
      operationId,
      origin,
      posName ?? null,
      employeeRef ?? null,
      externalRef,
      kind,
      value,
      whole.amount_minor,
      whole.currency,
      occurredAtMs,
      said === undefined ? 'till' : 'caller',
      calendar.dateOf(occurredAtMs),
      tillTimeMs,
      clock.monotonicMs(),
      clockSkewMs,
      path,
      body,
      tillTimeMs,
      tillTimeMs,
      rowSeal.of(sealed),
    );
  };
  return {
    prepare: (count) =>
      Array.from({ length: count }, () => {
        number += 1;
        const { operationId, request } = sampleEarn(number);
        const reference = `salmiya-till1-abcde-20261120-${number}`;
        const body = JSON.stringify({ ...request, external_ref: reference });
        const atMs = savedAtMs + number;
        const card = request.identifier.loyalty_id;
        return () => {
          insert.run(operationId, reference, card, request.amount_minor, atMs, atMs, body, atMs, atMs, seal);
        };
      }),
    together: database.transaction((inserts: readonly (() => void)[]) => {
      for (const insert of inserts) insert();
    }),
    save: database.transaction((sales: readonly PlainSale[]) => {
      for (const sale of sales) save(sale);
    }),
    hasReference: (reference) => withReference.get(reference) !== undefined,
    close: () => database.close(),
  };
}
