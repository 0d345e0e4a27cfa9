import type { ReceivedError } from '../../../shared/contract/errors.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import type { RandomSource } from '../../../shared/lib/random.ts';
import type { Refused } from '../../client/outcome.ts';
import { isLimitedLookUp } from '../../line/causes.ts';
import { diskRetryMs, type Writer } from '../../store/database/writer.ts';
import type { ChangedInstant, SendableOperation } from '../../store/rows/delivery.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import {
  changedOnDisk,
  putBack,
  recover,
  settle,
  settleChanged,
  settleRefused,
  settleReversedBefore,
  withheldLookMs,
  withhold,
} from '../settlement/settlement.ts';
import type { ClockCorrection } from './clock-correction.ts';
import { type Carried, Courier, type CourierOptions, type Outcome, type ReversedBefore } from './courier.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { MarkPace } from './mark-pace.ts';
import { Marker, type MarkerOptions } from './marker.ts';
import { ReadyRows } from './ready-rows.ts';
import { RefusalStreak } from './refusal-streak.ts';
import type { Settler } from './settler.ts';
import { Suspects } from './suspects.ts';
import type { TillRush } from './till-rush.ts';

interface SenderOptions extends CourierOptions, Pick<MarkerOptions, 'rows' | 'waits'> {
  readonly correction: Pick<ClockCorrection, 'apply' | 'ownTime'>;
  readonly operations: OperationStore;
  readonly writer: Writer;
  readonly settler: Settler;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly maxInFlight: number;
  readonly rush: TillRush;
  readonly onMarked: (rowIds: readonly number[]) => void;
  /** A row that will not go on by itself. */
  readonly onRefused: (row: SendableOperation, error: ReceivedError) => void;
  /** A row that goes out once more with the till's own time. */
  readonly onOwnTime: (row: SendableOperation) => void;
  /** A row that is not as this till saved it: it was not sent. */
  readonly onChangedOnDisk: (row: SendableOperation) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

interface Tried {
  /** The row was sent though no read had passed. */
  readonly isTry: boolean;
}

const startingInFlight = 8;

/**
 * Rows marked in one commit, ahead of what is in flight. A window that is used up quickly is followed by a larger one
 * (a commit costs as much for many rows as for few), so that a slow line never holds many: those cannot be cancelled.
 * While sales are taken it stays small: a sale waits for the commit that is under way.
 */
const leastWindow = 64;
const greatestWindow = 1_024;
/** More than so many that wait are a backlog. It ends when all that are left can go at once. */
const backlogRows = 512;
const quickWindowMs = 100;
const dueLookMs = 1_000;
const closeTimeoutMs = 4_000;

/**
 * Delivers what is saved: marks a window of rows in one commit, sends them with a bounded number in flight and one
 * per customer, and settles what comes back. Nothing is sent that was not marked on the disk before.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #suspects = new Suspects();
  readonly #refusals = new RefusalStreak();
  readonly #ready = new ReadyRows();
  readonly #inFlight = new Set<Promise<void>>();
  #windowSize = leastWindow;
  #windowStartedAtMs = Number.NEGATIVE_INFINITY;
  readonly #pace = new MarkPace();
  readonly #limit: InFlightLimit;
  readonly #marker: Marker;
  readonly #courier: Courier;
  #marking: Promise<void> = Promise.resolve();
  /** True until the marked rows stand ready: news of the same commit must not begin the next mark before that. */
  #isMarking = false;
  #hasBacklog = false;
  #isScheduled = false;
  #isClosing = false;
  #isClosed = false;
  #cancelTimer: CancelTimer | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limit = new InFlightLimit(options.maxInFlight, startingInFlight);
    this.#marker = new Marker({ ...options, suspects: this.#suspects });
    this.#courier = new Courier(options);
  }

  /** True while a backlog is being worked off, to its end: polls then step back. */
  get isBusy(): boolean {
    return this.#hasBacklog && (this.#ready.size > 0 || this.#isMarking);
  }

  /** There may be something to do: a save, an answer, the line. */
  wake(): void {
    if (this.#isScheduled || this.#isClosing) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#work();
    });
  }

  /** A sale is about to be committed. Where it can be sent at once it is marked in the commit that saves it: one sync less. */
  saleComing(): void {
    const { line, rush } = this.#options;
    rush.saleTaken();
    if (this.#isClosing || this.#isMarking || this.#ready.size > 0) return;
    line.lookIfClockWasSet();
    if (line.gate !== 'open' || this.#inFlight.size >= this.#mostInFlight()) return;
    this.#marking = this.#markWindow();
  }

  /** Forgets the refusals so far: a person has decided about them, so that those that come now are counted anew. */
  forgetRefusals(): void {
    this.#refusals.forget();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer?.();
    let cancelTimeout: CancelTimer = () => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancelTimeout = this.#options.clock.setTimer(resolve, closeTimeoutMs);
    });
    await Promise.race([Promise.all(this.#inFlight), timeout]);
    cancelTimeout();
    await this.#marking;
    this.#putBackMarked();
    this.#isClosed = true;
  }

  #work(): void {
    if (this.#isClosing) return;
    const { line } = this.#options;
    line.lookIfClockWasSet();
    if (line.saleGate === 'closed') {
      this.#putBackMarked();
      return;
    }
    const limit = line.saleGate === 'trial' ? 1 : this.#mostInFlight();
    while (this.#inFlight.size < limit) {
      const row = this.#ready.take();
      if (row === undefined) break;
      this.#send(row);
    }
    if (this.#inFlight.size < limit) this.#prepareBlocked();
    const waiting = this.#ready.size + this.#options.operations.counts.read().queued;
    this.#hasBacklog = waiting > (this.#hasBacklog ? limit : backlogRows);
    if (!this.#isMarking && this.#isMarkDue()) this.#marking = this.#markMore();
    if (this.#inFlight.size === 0 && !this.#isMarking) this.#options.settler.nothingFollows();
  }

  /** While the line has room, checks a row that waits for its customer's other sale, after the rows just sent have gone out. */
  #prepareBlocked(): void {
    if (this.#ready.blocked === undefined) return;
    setImmediate(() => {
      const row = this.#ready.blocked;
      if (row !== undefined) this.#courier.prepare(row);
    });
  }

  /** How many rows may be in flight: fewer while sales are taken, where few are enough. */
  #mostInFlight(): number {
    return this.#options.rush.isOn ? this.#limit.inRush : this.#limit.current;
  }

  #isMarkDue(): boolean {
    const { queued, unknown } = this.#options.operations.counts.read();
    return this.#pace.isDue({ ready: this.#ready.size, queued, unknown, windowSize: this.#windowSize });
  }

  async #markMore(): Promise<void> {
    if (this.#mayHaveWaiting()) await this.#markWindow();
    else this.#wakeForUnknown();
  }

  /** Whether rows may wait. Where that cannot be read, as on a damaged page, a mark is tried: it tells what is wrong. */
  #mayHaveWaiting(): boolean {
    try {
      return this.#marker.hasWaiting(this.#options.line.gate);
    } catch {
      return true;
    }
  }

  async #markWindow(): Promise<void> {
    const { line, onMarked, onWriteFailed } = this.#options;
    const ahead = line.saleGate === 'trial' ? 1 - this.#inFlight.size : this.#nextWindowSize();
    const room = ahead - this.#ready.size;
    if (room <= 0) return;
    const isQuick = this.#windowSize > leastWindow;
    // A slow line has room for other customers, too. While sales are taken so far a look would keep them waiting.
    const looksFar = this.#pace.looksFar || !(isQuick || this.#options.rush.isOn);
    this.#isMarking = true;
    try {
      const rows = await this.#marker.mark({
        room,
        gate: line.gate,
        looksFar,
        isQuick,
        taken: this.#ready.lanes,
      });
      const { queued } = this.#options.operations.counts.read();
      // Only a quick look ends at the first page that has nothing new.
      const lookedFar = looksFar || (!isQuick && rows.length === 0);
      this.#pace.marked({ found: rows.length, ready: this.#ready.size + rows.length, queued, lookedFar });
      if (rows.length === 0) {
        // All that waits is of customers who have a row under way: its end wakes us.
        this.#wakeForUnknown();
        return;
      }
      this.#ready.add(rows);
      onMarked(rows.map(({ rowId }) => rowId));
      this.wake();
    } catch (error) {
      onWriteFailed(error);
      this.#wakeAfter(diskRetryMs);
    } finally {
      this.#isMarking = false;
    }
  }

  #nextWindowSize(): number {
    const nowMs = this.#options.clock.monotonicMs();
    const wasQuick = nowMs - this.#windowStartedAtMs < quickWindowMs;
    this.#windowStartedAtMs = nowMs;
    const canGrow = wasQuick && !this.#options.rush.isOn;
    this.#windowSize = canGrow ? Math.min(greatestWindow, this.#windowSize * 2) : leastWindow;
    return this.#windowSize;
  }

  #send(row: SendableOperation): void {
    const { clock, line } = this.#options;
    const isTry = line.gate === 'closed';
    if (isTry) line.connectivity.saleTries();
    const sentAtMs = clock.monotonicMs();
    const isFull = this.#inFlight.size + 1 >= this.#limit.current;
    const sending = this.#courier
      .carry(row)
      .then((carried) => {
        if (carried.outcome.kind === 'unknown') this.#limit.unanswered();
        else this.#limit.answered({ tookMs: clock.monotonicMs() - sentAtMs, isFull });
        this.#settle(carried, { isTry });
      })
      .catch((error: unknown) => this.#leave(row, error))
      .finally(() => {
        if (isTry) line.connectivity.saleTried();
        this.#ready.ended(row.lane);
        this.#inFlight.delete(sending);
        this.wake();
      });
    this.#inFlight.add(sending);
  }

  /** Leaves a row that could not be compared, as on a damaged page. It may be at the service, and is looked for again. */
  #leave(row: SendableOperation, error: unknown): void {
    const { onWriteFailed, settler, clock } = this.#options;
    onWriteFailed(error);
    const nowMs = clock.now();
    if (!this.#isClosed) void settler.record({ ...recover(row, nowMs), nextAttemptAtMs: nowMs + withheldLookMs });
  }

  #settle({ row, outcome }: Carried, tried: Tried): void {
    // Too late to be written: the next start finds the row marked, and asks again.
    if (this.#isClosed) return;
    const { settler, clock } = this.#options;
    switch (outcome.kind) {
      case 'withheld':
        void settler.record(withhold(row, clock.now()));
        return;
      case 'changed':
        this.#settleChanged(row);
        return;
      case 'reversed_before':
        this.#settleReversedBefore(row, outcome);
        return;
      case 'refused':
        this.#settleRefused(row, outcome, tried);
        return;
      case 'done':
      case 'unknown':
        this.#settleAttempt(row, outcome, tried);
        return;
      default:
        assertNever(outcome);
    }
  }

  #settleChanged(row: SendableOperation): void {
    const { settler, clock, onChangedOnDisk, onRefused } = this.#options;
    const change = settleChanged(row, clock.now());
    onChangedOnDisk(row);
    this.#marker.withholdChanged(row.rowId);
    if (change.event === 'refuse') onRefused(row, changedOnDisk);
    void settler.record(change);
  }

  #settleReversedBefore(row: SendableOperation, { original, refused }: ReversedBefore): void {
    const { settler, clock, line, onRefused } = this.#options;
    const change = settleReversedBefore(row, refused, { nowMs: clock.now(), original });
    if (change.event === 'refuse' && original !== 'reversed') onRefused(row, refused.error);
    void settler.record(change);
    line.connectivity.writePassed();
  }

  #settleRefused(row: SendableOperation, refused: Refused, tried: Tried): void {
    const { settler, clock, correction, line, onRefused } = this.#options;
    const { error } = refused;
    const againAt = correction.ownTime(row, error);
    if (againAt === null) {
      onRefused(row, error);
      this.#settleAttempt(row, refused, tried);
      return;
    }
    // The refusal is about the dates of the answers: it does not count among refusals that are alike.
    const refusal = settleRefused(row, refused, clock.now());
    const recording = settler.record({ ...refusal, againAt });
    void recording.then(() => this.#tellOfOwnTime(row, { againAt, error }));
    line.connectivity.writePassed();
  }

  /** Settles an answer, or that none came. Both also say whether the row was the trouble or the line. */
  #settleAttempt(row: SendableOperation, outcome: Outcome, { isTry }: Tried): void {
    const { settler, clock, random, line } = this.#options;
    const { connectivity } = line;
    // Rows whose refusals could not be proven come back together. That they are alike says nothing about the rows after them.
    const isOldNews = outcome.kind === 'refused' && this.#suspects.isComingBack(row.rowId);
    const isRowAlone = this.#suspects.observe(row.rowId, outcome, { isTry });
    void settler.record(settle(row, outcome, { nowMs: clock.now(), random: random.next(), isRowAlone }));
    if (!isOldNews && this.#refusals.observe(outcome)) connectivity.refusedAlike();
    else if (outcome.kind !== 'unknown') connectivity.writePassed();
    else if (!isRowAlone)
      connectivity.failed(outcome.cause, outcome.retryAfterMs, { isLookUp: outcome.isLookUp === true });
    else if (isLimitedLookUp(outcome)) connectivity.lookUpNotTaken(outcome.retryAfterMs, { isBesideSale: true });
  }

  /** After the commit: the sale may have been undone meanwhile, or changed on the disk, and then waits for a person. */
  #tellOfOwnTime(
    row: SendableOperation,
    { againAt, error }: { readonly againAt: ChangedInstant; readonly error: ReceivedError },
  ): void {
    const stored = this.#options.operations.operation(row.rowId);
    if (stored?.occurredAtMs === againAt.occurredAtMs) this.#options.onOwnTime(row);
    else if (stored?.state === 'refused') this.#options.onRefused(row, error);
  }

  #putBackMarked(): void {
    const { settler, clock } = this.#options;
    for (const row of this.#ready.takeAll()) void settler.record(putBack(row, clock.now()));
  }

  /** Rows that stepped aside are looked at when the first of them is due. */
  #wakeForUnknown(): void {
    const { operations, waits } = this.#options;
    const nextAtMs = operations.nextUnknownAtMs();
    if (nextAtMs === null) return;
    const nowMs = waits.now();
    // Due already: it came due while rows were being chosen, or its customer has another under way.
    this.#wakeAfter(nextAtMs > nowMs ? nextAtMs - nowMs : dueLookMs);
  }

  #wakeAfter(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.setTimer(() => this.wake(), delayMs);
  }
}
