import type { NewEarn } from '../../app/operations/intake/save-outcome.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { RowSeal } from '../../app/store/rows/row-seal.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { benchSealKey, sampleEarn } from './sample-earns.ts';

/** What a simple program would do: the agent's own table, one prepared insert, one commit for each sale. */
interface PlainInsert {
  /** Makes the rows of the next sales; not timed. */
  prepare(count: number): readonly (() => void)[];
  /** Runs some of them in one commit. */
  together(inserts: readonly (() => void)[]): void;
  /** Writes down what callers have handed in, seals it and inserts it, all in one commit: what nobody can leave out. */
  save(sales: readonly Pick<NewEarn, 'operationId' | 'request'>[]): void;
  /** Whether a row has it: a look at the index alone. */
  hasReference(reference: string): boolean;
  close(): void;
}

const savedAtMs = Date.UTC(2026, 10, 20);

/** Opens a database like the agent's own (WAL, `synchronous=FULL`, the same tables). */
export function openPlainInsert(path: string): PlainInsert {
  const database = openDatabase(path);
  const insert = database.prepare(`
    INSERT INTO operations (operation_id, intent, delivery, origin, state, version, external_ref, identifier_kind,
      identifier_value, amount_minor, currency, occurred_at, occurred_at_from, business_date, till_time, monotonic_ms,
      path, body, body_version, saved_at, updated_at, seal)
    VALUES (?, 'earn', 'deferred', 'bridge', 'queued', 1, ?, 'loyalty_id', ?, ?, 'KWD', ?, 'caller', '2026-11-20', ?, 0,
      '/transactions/earn', ?, 1, ?, ?, ?)`);
  const seal = Buffer.alloc(16, 1);
  const withReference = database.prepare<[string]>('SELECT 1 FROM operations WHERE external_ref = ? LIMIT 1');
  const rowSeal = new RowSeal(benchSealKey);
  let number = 0;
  const save = ({ operationId, request }: Pick<NewEarn, 'operationId' | 'request'>) => {
    number += 1;
    const externalRef = request.external_ref ?? `salmiya-till1-abcde-20261120-${String(number).padStart(6, '0')}`;
    const body = JSON.stringify({ ...request, external_ref: externalRef });
    const { path } = endpoints.earn;
    const sealed = { operationId, intent: 'earn', externalRef, path, body, bodyVersion: 1, idempotencyKey: null };
    const atMs = Date.now();
    const card = request.identifier.loyalty_id;
    const made = rowSeal.of(sealed);
    insert.run(operationId, externalRef, card, request.amount_minor, atMs, atMs, body, atMs, atMs, made);
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
    save: database.transaction((sales: readonly Pick<NewEarn, 'operationId' | 'request'>[]) => {
      for (const sale of sales) save(sale);
    }),
    hasReference: (reference) => withReference.get(reference) !== undefined,
    close: () => database.close(),
  };
}
