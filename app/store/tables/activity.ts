import type { Database } from 'better-sqlite3';
import { type OperationState, openStates } from '../../../shared/machines/operation.ts';
import type { ActivityKind } from '../../../shared/till/activity-kinds.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { type OperationRow, toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { activityOfState, activityStatements, type Conditions } from '../statements/activity.ts';
import { lastStatements } from '../statements/last.ts';

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
  readonly kind?: ActivityKind;
  /** Of one cashier; empty: of nobody. */
  readonly employeeRef?: string;
  /** Leaves out refused tries that were repeated, and wrong codes. */
  readonly foldsTries?: boolean;
}

/** A part of what was asked for. There may be nothing in it and still more behind it: one look reads so many rows. */
export interface ActivityPart {
  /** Newest first. */
  readonly operations: readonly Operation[];
  /** Where to look on; null when everything was looked through. */
  readonly beforeRowId: number | null;
}

/** What a row was sent as, beside what an Operation tells. */
export type SentRequest = RowOf<typeof activityStatements.sent>;

const mostTriesTold = 99;
/** One look reads at most this many rows, so that a million of them never hold a sale up. */
const rowsPerLook = 20_000;
/** Up to so many rows of the wanted states, those are read by their own index instead. */
const fewRows = 2_000;

/** Reads the operations newest first, by key and never by count: the millionth page costs what the first one does. */
export class Activity {
  readonly #statements;
  readonly #ofState;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...activityStatements, ...lastStatements });
    this.#ofState = prepareAll(database, activityOfState);
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
      lowersAll: [filter.text, filter.customer].some(hasOtherCases) ? 1 : 0,
      kind: filter.kind ?? null,
      employeeRef: filter.employeeRef ?? null,
      foldsTries: filter.foldsTries === true ? 1 : 0,
    };
    const before = Math.min(page.beforeRowId ?? Number.MAX_SAFE_INTEGER, (this.#statements.last.get()?.rowId ?? 0) + 1);
    if (filter.isFound === true) return newestOf(this.#statements.found.all({ ...conditions, before }), page.limit);
    const states = filter.states ?? [];
    const isFew = states.length > 0 && states.reduce((sum, state) => sum + counts[state], 0) <= fewRows;
    if (isFew && states.every(isOpen)) {
      const rows = states.flatMap((state) => this.#ofState[state].all({ ...conditions, before }));
      return newestOf(rows, page.limit);
    }
    const from = Math.max(0, before - rowsPerLook);
    const rows = this.#statements.window.all({ ...conditions, before, from, limit: page.limit });
    const lookedTo = rows.length === page.limit ? (rows.at(-1)?.rowId ?? from) : from;
    return { operations: rows.map(toOperation), beforeRowId: lookedTo <= 1 ? null : lookedTo };
  }

  /** How many refused tries of the same came before this one, each soon before the next. */
  triesBefore(rowId: number): number {
    let count = 0;
    let from = rowId;
    while (count < mostTriesTold) {
      const earlier = this.#statements.tryBefore.get({ rowId: from })?.rowId;
      if (earlier === undefined) return count;
      count += 1;
      from = earlier;
    }
    return count;
  }

  sentRequest(rowId: number): SentRequest | null {
    return this.#statements.sent.get({ rowId });
  }
}

/** A part of rows that were all read. */
function newestOf(rows: readonly OperationRow[], limit: number): ActivityPart {
  const newestFirst = rows.toSorted((a, b) => b.rowId - a.rowId).slice(0, limit);
  const isAll = newestFirst.length === rows.length;
  return {
    operations: newestFirst.map(toOperation),
    beforeRowId: isAll ? null : (newestFirst.at(-1)?.rowId ?? null),
  };
}

function lowered(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text.toLowerCase();
}

/** Whether some letter outside ASCII has two cases: É has, an Arabic letter has none. */
function hasOtherCases(text = ''): boolean {
  const others = text.replace(/[ -~]/g, '');
  return others.toLowerCase() !== others.toUpperCase();
}

/** Rows of these have an index of their own: everything that is not final. */
function isOpen(state: OperationState): state is (typeof openStates)[number] {
  return openStates.some((open) => open === state);
}
