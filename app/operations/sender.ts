import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { Gate, PausingCause } from '../connectivity.ts';
import type { OperationStore, SendableOperation } from '../store/operation-store.ts';
import type { Writer } from '../store/writer.ts';
import { rowBackoff } from './causes.ts';
import { type EarnAnswer, putBack, recover, settle } from './settlement.ts';
import type { Settler } from './settler.ts';
import { Suspects } from './suspects.ts';
import { pickWindow } from './window.ts';

/** What the sender needs of the line. */
export interface SenderLine {
  readonly gate: Gate;
  writePassed(): void;
  reached(): void;
  failed(cause: PausingCause, retryAfterMs: number | null): void;
}

export interface SenderOptions {
  readonly store: OperationStore;
  readonly writer: Writer;
  readonly settler: Settler;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly line: SenderLine;
  readonly keyFingerprint: string;
  readonly maxInFlight: number;
  /** Sends the frozen bytes. Never rejects. */
  readonly transmit: (row: SendableOperation) => Promise<CallOutcome<EarnAnswer>>;
  readonly onMarked: (rowIds: readonly number[]) => void;
  readonly onWriteFailed: (error: unknown) => void;
}

/** Rows marked in one commit, ahead of what is in flight. */
const windowSize = 64;
/** How far the queue is read for rows of other customers when one customer's stand in front: by pages, so many at most. */
const lookAhead = 256;
const maxPagesAhead = 16;
const recoverPage = 1_000;
const diskRetryMs = 2_000;
const closeTimeoutMs = 4_000;

/**
 * Delivers what is saved: marks a window of rows in one commit, sends them with a bounded number in flight and one
 * per customer, and settles what comes back. Nothing is sent that was not marked on the disk before.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #suspects = new Suspects();
  readonly #lanes = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  #marked: SendableOperation[] = [];
  #isMarking = false;
  #marking: Promise<void> = Promise.resolve();
  #isScheduled = false;
  #isClosing = false;
  #cancelTimer: CancelTimer | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** True while a backlog is being worked off: polls then step back. */
  get isBusy(): boolean {
    return this.#marked.length > 0 || this.#isMarking;
  }

  /** What a crash left marked may have reached the service: unknown, and sent again identical. */
  async recover(): Promise<void> {
    const { store, writer, clock } = this.#options;
    const recoverSome = () => {
      const rows = store.sending(recoverPage);
      for (const row of rows) store.change(recover(row, clock.now()));
      return rows.length;
    };
    while ((await writer.urgent(recoverSome)) === recoverPage);
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
  }

  #work(): void {
    if (this.#isClosing) return;
    const { line, maxInFlight } = this.#options;
    if (line.gate === 'closed') {
      this.#putBackMarked();
      return;
    }
    const limit = line.gate === 'trial' ? 1 : maxInFlight;
    const kept: SendableOperation[] = [];
    for (const row of this.#marked) {
      if (this.#inFlight.size < limit && !this.#lanes.has(row.lane)) this.#send(row);
      else kept.push(row);
    }
    this.#marked = kept;
    if (!this.#isMarking && kept.length <= windowSize / 2) this.#marking = this.#markMore();
  }

  async #markMore(): Promise<void> {
    const { writer, line, onMarked, onWriteFailed } = this.#options;
    const ahead = line.gate === 'trial' ? 1 - this.#inFlight.size : windowSize;
    const room = ahead - this.#marked.length;
    if (room <= 0) return;
    // A look without a transaction first: an idle agent writes nothing.
    if (this.#next(room).length === 0) {
      this.#wakeForUnknown();
      return;
    }
    this.#isMarking = true;
    try {
      const rows = await writer.urgent(() => this.#mark(room));
      this.#isMarking = false;
      this.#marked.push(...rows);
      onMarked(rows.map(({ rowId }) => rowId));
      this.wake();
    } catch (error) {
      this.#isMarking = false;
      onWriteFailed(error);
      this.#wakeAfter(diskRetryMs);
    }
  }

  /** Chosen and marked in the same transaction: what was cancelled meanwhile is not among them. */
  #mark(room: number): readonly SendableOperation[] {
    const { store, clock, keyFingerprint } = this.#options;
    const rows = this.#next(room);
    store.mark(
      rows.map(({ rowId }) => rowId),
      { atMs: clock.now(), keyFingerprint },
    );
    return rows;
  }

  #next(room: number): readonly SendableOperation[] {
    const { store, clock, line } = this.#options;
    const window = { room, taken: this.#marked.map(({ lane }) => lane) };
    let queued = store.queued(null, lookAhead);
    const unknown = store.dueUnknown(clock.now(), rowBackoff.capMs, lookAhead);
    // While the line is on trial a row that was never sent goes first: should an old one be the trouble, it blocks nothing.
    let picked = pickWindow(line.gate === 'trial' ? [...queued, ...unknown] : [...unknown, ...queued], window);
    for (let pages = 1; picked.length === 0 && queued.length === lookAhead && pages < maxPagesAhead; pages += 1) {
      queued = store.queued(queued.at(-1) ?? null, lookAhead);
      picked = pickWindow(queued, window);
    }
    return picked;
  }

  #send(row: SendableOperation): void {
    this.#lanes.add(row.lane);
    const sending = this.#options
      .transmit(row)
      .then((outcome) => this.#settle(row, outcome))
      .finally(() => {
        this.#lanes.delete(row.lane);
        this.#inFlight.delete(sending);
        this.wake();
      });
    this.#inFlight.add(sending);
  }

  #settle(row: SendableOperation, outcome: CallOutcome<EarnAnswer>): void {
    const { settler, clock, random, line } = this.#options;
    const rowAlone = this.#suspects.observe(row.rowId, outcome);
    void settler.record(settle(row, outcome, { nowMs: clock.now(), random: random.next(), rowAlone }));
    if (outcome.kind !== 'unknown') line.writePassed();
    else if (!rowAlone) line.failed(outcome.cause, outcome.retryAfterMs);
  }

  #putBackMarked(): void {
    const { settler, clock } = this.#options;
    for (const row of this.#marked) void settler.record(putBack(row, clock.now()));
    this.#marked = [];
  }

  /** Rows that stepped aside are looked at when the first of them is due. */
  #wakeForUnknown(): void {
    const { store, clock } = this.#options;
    const nextAtMs = store.nextUnknownAtMs();
    if (nextAtMs !== null && nextAtMs > clock.now()) this.#wakeAfter(nextAtMs - clock.now());
  }

  #wakeAfter(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.setTimer(() => this.wake(), delayMs);
  }
}
