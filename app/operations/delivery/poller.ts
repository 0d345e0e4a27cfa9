import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import type { CallOutcome } from '../../client/outcome.ts';
import { isLimitedLookUp } from '../../line/causes.ts';
import type { Line } from '../../line/line.ts';
import { diskRetryMs } from '../../store/database/writer.ts';
import type { AcceptedOperation, OperationChange, WaitingKey } from '../../store/rows/delivery.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { ours } from '../ownership/verdict.ts';
import { needsSecondAnswer } from '../settlement/settlement.ts';
import { HeldClock } from './held-clock.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { learnFromPoll } from './poll-outcome.ts';
import { firstPollMs, type Polled, PollQueue } from './poll-queue.ts';
import type { Sender } from './sender.ts';
import type { Settler } from './settler.ts';

interface PollerOptions {
  readonly operations: OperationStore;
  readonly settler: Settler;
  readonly clock: Clock;
  /** By which waits are kept (`evenClock`). */
  readonly waits: Pick<Clock, 'now'>;
  readonly line: Line;
  readonly ownership: Ownership;
  /** While it works off a backlog there is a single poll at a time, with a pause after it. */
  readonly sender: Pick<Sender, 'isBusy'>;
  readonly maxInFlight: number;
  /** A row could not be read, as on a damaged page: it is tried again. */
  readonly onReadFailed: (error: unknown) => void;
}

const startingInFlight = 4;
const leastWaitMs = 20;
/** Accepted rows that are kept in memory; the rest stay in the database until there is room. */
const maxInMemory = 4_096;
const pageSize = 512;
/** While a backlog is sent few are kept there: they are not asked about soon. */
const maxInMemoryWhileBusy = 64;

/** Asks what became of accepted operations, one call for each: as many at once as the service answers quickly. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #queue = new PollQueue();
  readonly #limit: InFlightLimit;
  readonly #heldClock: HeldClock;
  #inFlight = 0;
  /** The database may have accepted rows that are not in memory, before the cursor. */
  #mayBeMore = true;
  #cursor: WaitingKey | null = null;
  /** Not before, by monotonic time, milliseconds: rows could not be read. */
  #loadsFromMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: CancelTimer | null = null;
  #isClosed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#limit = new InFlightLimit(options.maxInFlight, startingInFlight);
    this.#heldClock = new HeldClock(options.clock);
  }

  /** The line came back, or something may have been accepted. */
  wake(): void {
    this.#mayBeMore = true;
    this.#plan();
  }

  /** These have changed: those that are accepted now are asked about. */
  watch(rowIds: readonly number[]): void {
    if (this.#isFull) {
      this.wake();
      return;
    }
    for (const rowId of rowIds) {
      const row = this.#options.operations.acceptedRow(rowId);
      if (row !== null) this.#enqueue(row);
    }
    this.#plan();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  get #isFull(): boolean {
    return this.#queue.size >= (this.#options.sender.isBusy ? maxInMemoryWhileBusy : maxInMemory);
  }

  get #hasToLoad(): boolean {
    return this.#mayBeMore || this.#cursor !== null;
  }

  #plan(): void {
    if (this.#isClosed || this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#options.clock.setTimer(() => {
      this.#cancelTimer = null;
      this.#work();
    }, this.#msToNext());
  }

  /** Never at once: polls that are due but have no room are taken up when one of those in flight ends. */
  #msToNext(): number {
    if (this.#options.line.lookUps.leftMs > 0) return firstPollMs;
    if (this.#queue.hasDue) return leastWaitMs;
    return Math.min(firstPollMs, Math.max(leastWaitMs, this.#queue.nextAtMs() - this.#options.waits.now()));
  }

  #work(): void {
    const { waits, line, sender } = this.#options;
    if (line.gate === 'closed') return;
    if (line.lookUps.leftMs > 0) {
      this.#plan();
      return;
    }
    this.#load();
    // A tester steps the clock to see what the service does by then.
    this.#queue.ripen(this.#heldClock.hasMoved() ? Number.POSITIVE_INFINITY : waits.now());
    const isSingle = sender.isBusy || line.gate === 'trial';
    this.#ask(isSingle ? 1 : this.#limit.current);
    if (this.#queue.size > this.#inFlight || this.#hasToLoad) this.#plan();
  }

  /**
   * Takes in a page of accepted rows. What was accepted behind the cursor meanwhile has been told of: `wake`. Rows that
   * cannot be read keep nothing back that is in memory.
   */
  #load(): void {
    const { operations, clock, onReadFailed } = this.#options;
    if (!this.#hasToLoad || this.#isFull || clock.monotonicMs() < this.#loadsFromMs) return;
    try {
      const rows = operations.accepted(this.#cursor, pageSize);
      if (this.#cursor === null) this.#mayBeMore = false;
      this.#cursor = rows.length < pageSize ? null : (rows.at(-1) ?? null);
      for (const row of rows) this.#enqueue(row);
    } catch (error) {
      this.#loadsFromMs = clock.monotonicMs() + diskRetryMs;
      onReadFailed(error);
    }
  }

  /** Takes a row into the queue. Its age is known by the wall clock, which may have been set since. */
  #enqueue(row: AcceptedOperation): void {
    const { clock, waits } = this.#options;
    const ageMs = Math.max(0, clock.now() - row.updatedAtMs);
    this.#queue.add(row, waits.now() - ageMs);
  }

  #ask(room: number): void {
    while (this.#inFlight < room) {
      const next = this.#queue.take();
      if (next === null) return;
      void this.#poll(next);
    }
  }

  async #poll(polled: Polled): Promise<void> {
    const { waits, settler, onReadFailed } = this.#options;
    this.#inFlight += 1;
    const change = await this.#newsOf(polled.row).catch((error: unknown) => {
      onReadFailed(error);
      return null;
    });
    this.#inFlight -= 1;
    if (this.#isClosed) return;
    if (change === null) this.#queue.again(polled, waits.now());
    // The next one does not wait for the disk: this one stays in the queue until it is recorded.
    else void settler.record(change).then(() => this.#queue.remove(polled));
    this.#goOn();
  }

  /** @returns null when there is nothing new, or what seems new is not sure yet */
  async #newsOf(row: AcceptedOperation): Promise<OperationChange | null> {
    const learned = await this.#learn(row);
    const needsSecond = learned !== null && needsSecondAnswer(learned);
    return needsSecond && (await this.#learn(row))?.event !== learned.event ? null : learned;
  }

  /** @returns null when there is nothing new */
  async #learn(row: AcceptedOperation): Promise<OperationChange | null> {
    const outcome = await this.#read(row);
    const { clock, line, ownership } = this.#options;
    const asking = { nowMs: line.serviceNowMs(), isWaitedFor: false };
    const verdict = outcome.kind === 'done' ? await ownership.ofAccepted(row, outcome.answer, asking) : ours;
    // The question about the customer is asked beside the poll by which the line is judged. Several may be under way.
    if (verdict.kind === 'unknown' && isLimitedLookUp(verdict)) {
      line.connectivity.lookUpNotTaken(verdict.retryAfterMs, { isBesideSale: true });
    }
    return learnFromPoll(row, outcome, { verdict, nowMs: clock.now() });
  }

  /** While a backlog is sent, or the line is tried, there is a pause after each. */
  #goOn(): void {
    const { line, sender } = this.#options;
    if (line.gate === 'open' && line.lookUps.leftMs === 0 && !sender.isBusy) this.#ask(this.#limit.current);
    this.#plan();
  }

  async #read(row: AcceptedOperation): Promise<CallOutcome<Transaction>> {
    const { clock, line } = this.#options;
    const isFull = this.#inFlight >= this.#limit.current;
    const askedAtMs = clock.monotonicMs();
    const outcome = await line.judged.transaction(row.serviceTransactionId);
    if (outcome.kind === 'unknown') this.#limit.unanswered();
    else this.#limit.answered({ tookMs: clock.monotonicMs() - askedAtMs, isFull });
    return outcome;
  }
}
