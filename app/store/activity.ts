import type { Database } from 'better-sqlite3';
import { type OperationState, openStates } from '../../shared/machines/operation.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationRow, operationColumns, toOperation } from './rows.ts';

/** Which operations to show; what is absent narrows nothing. */
export interface ActivityFilter {
  readonly states?: readonly OperationState[];
  /** Only what was found to stand at the service though the till had said otherwise, and waits for a person. */
  readonly isFound?: boolean;
  /** `2026-11-20`: the day that the shop counts the sale to. */
  readonly businessDate?: string;
  /** Part of a reference, a name, an identifier or the service's id; case does not matter. */
  readonly text?: string;
  /** Part of the customer's name or identifier; case does not matter. */
  readonly customer?: string;
}

/** A part of what was asked for. There may be nothing in it and still more behind it: one look reads so many rows. */
export interface ActivityPart {
  /** Newest first. */
  readonly operations: readonly Operation[];
  /** Where to look on; null when everything was looked through. */
  readonly beforeRowId: number | null;
}

/** What a row was sent as, beside what an Operation tells. */
export interface SentRequest {
  readonly path: string;
  /** The frozen JSON; null once erased after the retention time. */
  readonly body: string | null;
  readonly bodyVersion: number;
  readonly idempotencyKey: string | null;
  readonly businessDate: string;
  readonly occurredAtFrom: 'caller' | 'till';
  readonly tillTimeMs: number;
  readonly clockSkewMs: number | null;
  readonly keyFingerprint: string | null;
  readonly sends: number;
}

/** One look reads at most this many rows, so that a million of them never hold a sale up. */
const rowsPerLook = 20_000;
/** Up to so many rows of the wanted states, those are read by their own index instead. */
const fewRows = 2_000;

const matches = `(:states IS NULL OR instr(:states, ',' || state || ',') > 0)
  AND (:businessDate IS NULL OR business_date = :businessDate)
  AND (:text IS NULL OR instr(lower(external_ref), :text) > 0 OR instr(lower(coalesce(customer_name, '')), :text) > 0
    OR instr(lower(coalesce(identifier_value, '')), :text) > 0 OR instr(lower(coalesce(service_transaction_id, '')), :text) > 0)
  AND (:customer IS NULL OR instr(lower(coalesce(customer_name, '')), :customer) > 0
    OR instr(lower(coalesce(identifier_value, '')), :customer) > 0)`;

interface Conditions {
  readonly states: string | null;
  readonly businessDate: string | null;
  readonly text: string | null;
  readonly customer: string | null;
}

/** Reads the operations newest first, by key and never by count: the millionth page costs what the first one does. */
export class Activity {
  readonly #window;
  readonly #ofState;
  readonly #found;
  readonly #sent;
  readonly #last;

  constructor(database: Database) {
    this.#window = database.prepare<[Conditions & { before: number; from: number; limit: number }], OperationRow>(
      `SELECT ${operationColumns} FROM operations
       WHERE row_id < :before AND row_id >= :from AND ${matches} ORDER BY row_id DESC LIMIT :limit`,
    );
    this.#ofState = database.prepare<[Conditions & { state: OperationState; before: number }], OperationRow>(
      `SELECT ${operationColumns} FROM operations WHERE state = :state AND row_id < :before AND ${matches}`,
    );
    this.#found = database.prepare<[Conditions & { before: number }], OperationRow>(
      `SELECT ${operationColumns} FROM operations WHERE found IS NOT NULL AND (state = 'applied' OR state = 'accepted')
       AND row_id < :before AND ${matches}`,
    );
    this.#sent = database.prepare<[number], SentRequest>(
      `SELECT path, body, body_version AS bodyVersion, idempotency_key AS idempotencyKey, business_date AS businessDate,
         occurred_at_from AS occurredAtFrom, till_time AS tillTimeMs, clock_skew_ms AS clockSkewMs,
         key_fingerprint AS keyFingerprint, sends FROM operations WHERE row_id = ?`,
    );
    this.#last = database.prepare<[], { last: number | null }>('SELECT max(row_id) AS last FROM operations');
  }

  /** @param counts how many operations are in each state */
  look(
    filter: ActivityFilter,
    page: { readonly limit: number; readonly beforeRowId?: number },
    counts: Readonly<Record<OperationState, number>>,
  ): ActivityPart {
    const conditions: Conditions = {
      states: filter.states === undefined ? null : `,${filter.states.join(',')},`,
      businessDate: filter.businessDate ?? null,
      text: lowered(filter.text),
      customer: lowered(filter.customer),
    };
    const before = Math.min(page.beforeRowId ?? Number.MAX_SAFE_INTEGER, (this.#last.get()?.last ?? 0) + 1);
    if (filter.isFound === true) return newestOf(this.#found.all({ ...conditions, before }), page.limit);
    const states = filter.states ?? [];
    const isFew = states.length > 0 && states.reduce((sum, state) => sum + counts[state], 0) <= fewRows;
    if (isFew && states.every((state) => indexedStates.has(state))) {
      const rows = states.flatMap((state) => this.#ofState.all({ ...conditions, state, before }));
      return newestOf(rows, page.limit);
    }
    const from = Math.max(0, before - rowsPerLook);
    const rows = this.#window.all({ ...conditions, before, from, limit: page.limit });
    const lookedTo = rows.length === page.limit ? (rows.at(-1)?.row_id ?? from) : from;
    return { operations: rows.map(toOperation), beforeRowId: lookedTo <= 1 ? null : lookedTo };
  }

  sentRequest(rowId: number): SentRequest | null {
    return this.#sent.get(rowId) ?? null;
  }
}

/** A part of rows that were all read. */
function newestOf(rows: readonly OperationRow[], limit: number): ActivityPart {
  const newestFirst = rows.toSorted((a, b) => b.row_id - a.row_id).slice(0, limit);
  const isAll = newestFirst.length === rows.length;
  return {
    operations: newestFirst.map(toOperation),
    beforeRowId: isAll ? null : (newestFirst.at(-1)?.row_id ?? null),
  };
}

function lowered(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text.toLowerCase();
}

/** Each has an index of its own: everything that is not final. */
const indexedStates: ReadonlySet<OperationState> = new Set(openStates);
