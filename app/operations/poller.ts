import type { Transaction } from '../../shared/contract/transaction.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { fullJitterMs } from '../../shared/lib/backoff.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { rowBackoff } from './causes.ts';
import type { AcceptedOperation, OperationChange, WaitingKey } from './delivery.ts';
import type { Ownership, Verdict } from './ownership.ts';
import { differingFromRow, msFromItsTime } from './same-record.ts';
import { successOf, unchanged } from './settlement.ts';
import type { Settler } from './settler.ts';

export interface PollerOptions {
  readonly store: OperationStore;
  readonly settler: Settler;
  readonly clock: Clock;
  readonly read: (serviceTransactionId: string) => Promise<CallOutcome<Transaction>>;
  readonly ownership: Ownership;
  readonly serviceNowMs: () => number;
  /** Whether the service can be asked now. */
  readonly isOpen: () => boolean;
  /** Whether a backlog is being sent: then a single poll at a time. */
  readonly isBusy: () => boolean;
}

/** The service applies a sale within a second or two (spec "What the service does", 5). */
const firstPollMs = 1_200;
const pollGrowth = 1.6;
const maxPollMs = 60_000;
const leastWaitMs = 20;
/** The same while a backlog is being sent: no poll is worth a sale that waits. */
const leastBusyWaitMs = 200;
const maxInFlight = 4;
/** How many accepted rows are held in memory; the rest stay in the database until there is room. */
const maxWatched = 512;

interface Watched extends AcceptedOperation {
  dueAtMs: number;
  polls: number;
}

/** Asks what became of accepted operations, lazily and the newest first: the row on screen is the one just made. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #watched = new Map<number, Watched>();
  readonly #inFlight = new Set<number>();
  #cursor: WaitingKey | null = null;
  #cancelTimer: CancelTimer | null = null;
  #isClosed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** The line came back, or something was accepted. */
  wake(): void {
    if (this.#isClosed || this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#options.clock.setTimer(() => {
      this.#cancelTimer = null;
      this.#load();
      this.#work();
    }, this.#msToNext());
  }

  /** A row that somebody looks at is polled before those that wait in the database. */
  watch(rowId: number): void {
    const row = this.#options.store.acceptedRow(rowId);
    if (row !== null) this.#add(row);
    this.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  #work(): void {
    if (this.#isClosed || !this.#options.isOpen()) return;
    if (this.#watched.size < maxWatched / 8) this.#load();
    const nowMs = this.#options.clock.now();
    const room = (this.#options.isBusy() ? 1 : maxInFlight) - this.#inFlight.size;
    const due = [...this.#watched.values()]
      .filter(({ rowId, dueAtMs }) => isDue(dueAtMs, nowMs) && !this.#inFlight.has(rowId))
      .sort((a, b) => a.polls - b.polls || b.rowId - a.rowId);
    for (const row of due.slice(0, Math.max(0, room))) void this.#poll(row);
    if (this.#watched.size > this.#inFlight.size) this.wake();
  }

  /** Takes in accepted rows that are not watched yet, page by page, and starts over at the end. */
  #load(): void {
    const room = maxWatched - this.#watched.size;
    if (room <= 0) return;
    const rows = this.#options.store.accepted(this.#cursor, room);
    const last = rows.at(-1);
    this.#cursor = last === undefined || rows.length < room ? null : last;
    for (const row of rows) this.#add(row);
  }

  #add(row: AcceptedOperation): void {
    if (this.#watched.has(row.rowId)) return;
    this.#watched.set(row.rowId, { ...row, dueAtMs: row.updatedAtMs + firstPollMs, polls: 0 });
  }

  #msToNext(): number {
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const { rowId, dueAtMs } of this.#watched.values()) {
      if (!this.#inFlight.has(rowId)) nextAtMs = Math.min(nextAtMs, dueAtMs);
    }
    // Never at once: polls that are due but have no room are taken up when one of those in flight ends.
    const leastMs = this.#options.isBusy() ? leastBusyWaitMs : leastWaitMs;
    return Math.min(firstPollMs, Math.max(leastMs, nextAtMs - this.#options.clock.now()));
  }

  async #poll(row: Watched): Promise<void> {
    const { clock, settler, read } = this.#options;
    this.#inFlight.add(row.rowId);
    const outcome = await read(row.serviceTransactionId);
    const verdict = outcome.kind === 'done' ? await this.#verdictOf(row, outcome.answer) : ours;
    if (this.#isClosed) return;
    const change = learnFromPoll(row, outcome, { verdict, nowMs: clock.now() });
    if (change === null) {
      row.polls += 1;
      row.dueAtMs = clock.now() + Math.round(Math.min(maxPollMs, firstPollMs * pollGrowth ** row.polls));
    } else {
      await settler.record(change);
      this.#watched.delete(row.rowId);
    }
    this.#inFlight.delete(row.rowId);
    this.#work();
  }

  /**
   * Whose record was read. An accepted write is told its id and nothing else, and that may have been the answer to
   * another till's sale of the same number and value.
   */
  async #verdictOf(row: AcceptedOperation, record: Transaction): Promise<Verdict> {
    const { ownership, serviceNowMs } = this.#options;
    const { body } = row;
    const fields = differingFromRow(row, record);
    if (fields.length > 0) return { kind: 'anothers', fields };
    // Nothing is learned from one that is on its way, so that nobody has to be asked about it.
    const isOnItsWay = successOf(record).event === 'accept';
    if (row.intent !== 'earn' || body === null || isOnItsWay || msFromItsTime(row, record) === 0) return ours;
    return ownership.ofRecord({ ...row, body, maybeSent: true }, record, { nowMs: serviceNowMs() });
  }
}

const ours: Verdict = { kind: 'ours' };

/** A poll that seems further away than any wait is one that was planned before the wall clock was set back. */
function isDue(dueAtMs: number, nowMs: number): boolean {
  return dueAtMs <= nowMs || dueAtMs > nowMs + maxPollMs;
}

/**
 * @param moment.verdict whose record was read
 * @returns null when there is nothing new: still on its way, no answer, or not known whose it is
 */
function learnFromPoll(
  row: AcceptedOperation,
  outcome: CallOutcome<Transaction>,
  { verdict, nowMs }: { readonly verdict: Verdict; readonly nowMs: number },
): OperationChange | null {
  switch (outcome.kind) {
    case 'done': {
      const { httpStatus, requestId } = outcome.facts;
      if (verdict.kind === 'anothers') {
        return { ...missed(row, nowMs), cause: 'not_the_service', httpStatus, requestId };
      }
      if (verdict.kind !== 'ours') return null;
      const learned = successOf(outcome.answer);
      if (learned.event === 'accept') return null;
      return { ...polled(row, nowMs), ...learned, httpStatus, requestId };
    }
    case 'refused': {
      // Only "not found" says anything about the transaction: the service lost what it had accepted. It is sent again.
      const { error, facts } = outcome;
      if (facts.httpStatus !== 404) return null;
      return { ...missed(row, nowMs), error, httpStatus: facts.httpStatus, requestId: error.request_id };
    }
    case 'unknown':
      return null;
    default:
      return assertNever(outcome);
  }
}

function polled(row: AcceptedOperation, nowMs: number): Omit<OperationChange, 'event'> {
  return unchanged({ ...row, maybeSent: true }, nowMs);
}

/** There is no such transaction of this row: the same bytes go out again. */
function missed(row: AcceptedOperation, nowMs: number): OperationChange {
  const attempts = row.attempts + 1;
  return {
    ...polled(row, nowMs),
    event: 'miss',
    attempts,
    nextAttemptAtMs: nowMs + fullJitterMs(rowBackoff, attempts, 0.5),
  };
}
