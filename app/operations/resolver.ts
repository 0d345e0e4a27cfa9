import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { Gate } from '../connectivity.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { Writer } from '../store/writer.ts';
import type { Desk } from './desk.ts';
import { isInTheBooks, longestLookMs, lookAgainMs, nextStep } from './immediate-settlement.ts';
import type { Operation } from './operation.ts';

export interface ResolverOptions {
  readonly immediate: ImmediateStore;
  readonly writer: Writer;
  readonly desk: Desk;
  readonly clock: Clock;
  readonly gate: () => Gate;
  readonly onWriteFailed: (error: unknown) => void;
}

const rowsAtOnce = 16;
const longestSleepMs = 60_000;
/** A look may begin this much earlier than planned: the clock of a test stands still. */
const leastSleepMs = 100;
/** What the database did not take is tried again after this long. */
const diskRetryMs = 2_000;

/**
 * Finds out what became of immediate writes whose caller no longer waits: it reads, and ends or finishes them as was
 * decided. It never sends again what nobody has decided to give (design "Unknown outcomes of immediate operations").
 */
export class Resolver {
  readonly #options: ResolverOptions;
  #cancelTimer: CancelTimer | null = null;
  #working: Promise<void> | null = null;
  #isClosed = false;
  #hasFailed = false;
  readonly #looks = new Map<number, number>();
  /** Monotonic, by row: when it was looked at first since it was sent. */
  readonly #firstLooks = new Map<number, number>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** There may be something to find out: the line is back, a caller has gone, something was decided. */
  wake(): void {
    if (this.#isClosed || this.#working !== null) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#options.gate() === 'closed') return;
    this.#hasFailed = false;
    this.#working = this.#work()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#working = null;
        this.#sleep();
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { immediate, desk, clock } = this.#options;
    const rows = immediate
      .dueUnknown(clock.now(), longestLookMs, rowsAtOnce)
      .filter(({ rowId }) => !desk.isServing(rowId));
    for (const row of rows) {
      if (this.#isClosed) return;
      // One that cannot be written keeps no other back.
      await this.#resolve(row).catch((error: unknown) => {
        this.#failed(error);
        return this.#postpone(row.rowId);
      });
    }
  }

  #failed(error: unknown): void {
    this.#hasFailed = true;
    this.#options.onWriteFailed(error);
  }

  async #resolve(row: Operation): Promise<void> {
    const { desk, clock } = this.#options;
    const { rowId, intent, decision } = row;
    if (isInTheBooks(intent)) {
      const known = await desk.lookUp(rowId);
      if (known === true) return this.#forget(rowId);
      if (known === null) return this.#postpone(rowId);
    }
    // Under another key its books may be others: they prove nothing about what they do not show.
    if (!desk.isUnderThisKey(rowId)) return this.#postpone(rowId);
    // The wall clock may have been set back meanwhile: what has passed since the first look is sure.
    const sinceLastSendMs = Math.max(clock.now() - row.updatedAtMs, this.#sinceFirstLookMs(rowId));
    const isTakenBack = intent === 'reverse' && (await desk.isTakenBack(rowId));
    switch (nextStep({ intent, decision, sinceLastSendMs, isTakenBack })) {
      case 'cancel':
        await desk.cancelAbsent(rowId);
        return this.#forget(rowId);
      case 'send':
        await desk.sendAgain(rowId);
        this.#firstLooks.delete(rowId);
        return this.#postpone(rowId);
      case 'wait':
        return this.#postpone(rowId);
    }
  }

  async #postpone(rowId: number): Promise<void> {
    const { immediate, writer, clock } = this.#options;
    const looks = this.#looks.get(rowId) ?? 0;
    this.#looks.set(rowId, looks + 1);
    await writer.lazy(() => immediate.postpone(rowId, clock.now() + lookAgainMs('alone', looks)));
  }

  #sinceFirstLookMs(rowId: number): number {
    const nowMs = this.#options.clock.monotonicMs();
    const firstMs = this.#firstLooks.get(rowId) ?? nowMs;
    this.#firstLooks.set(rowId, firstMs);
    return nowMs - firstMs;
  }

  #forget(rowId: number): void {
    this.#looks.delete(rowId);
    this.#firstLooks.delete(rowId);
  }

  #sleep(): void {
    const { immediate, clock } = this.#options;
    if (this.#isClosed) return;
    const nextAtMs = immediate.nextUnknownAtMs();
    if (nextAtMs === null) return;
    const leastMs = this.#hasFailed ? diskRetryMs : leastSleepMs;
    const sleepMs = Math.min(longestSleepMs, Math.max(leastMs, nextAtMs - clock.now()));
    this.#cancelTimer = clock.setTimer(() => {
      this.#cancelTimer = null;
      this.wake();
    }, sleepMs);
  }
}
