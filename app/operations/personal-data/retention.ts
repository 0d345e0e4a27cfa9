import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../../shared/lib/durations.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { RetentionStore } from '../../store/tables/retention-store.ts';
import type { Sender } from '../delivery/sender.ts';

/** So many rows are looked at in one commit: a few milliseconds when all of them are erased. */
const rowsPerStep = 500;
const stepPauseMs = 50;
const busyPauseMs = 200;
const firstRunAfterMs = minuteMs;
const runEveryMs = hourMs;
/** The file is tidied when no sale came for so long, and not again for a day. */
const quietMs = 15 * minuteMs;
const tidyEveryMs = dayMs;

interface RetentionOptions {
  readonly store: RetentionStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** What time it surely is, milliseconds since 1970: a date that is wrong must erase nobody. Minus infinity: nobody knows. */
  readonly provenNowMs: () => number;
  readonly retentionDays: number;
  /** While it works off a backlog, nothing is erased. */
  readonly sender: Pick<Sender, 'isBusy'>;
  readonly onErased: (count: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Erases customers from operations that were settled longer ago than the retention time, a little at a time. */
export class Retention {
  readonly #options: RetentionOptions;
  #cancel: CancelTimer;
  #isClosed = false;
  #erased = 0;
  #isUntidy = false;
  #tidyFromMs = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#cancel = options.clock.setTimer(() => void this.#step(0), firstRunAfterMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #step(from: number): Promise<void> {
    const { store, writer, provenNowMs, retentionDays, sender, onFailed } = this.#options;
    if (sender.isBusy) return this.#later(from, busyPauseMs);
    try {
      const before = provenNowMs() - retentionDays * dayMs;
      const to = from + rowsPerStep;
      if (store.hasErasable({ from, to }, before)) {
        this.#erased += await writer.lazy(() => store.erase({ from, to }, before));
        if (this.#isClosed) return;
      }
      if (to <= (store.last?.rowId ?? 0)) return this.#later(to, stepPauseMs);
      this.#finish();
    } catch (error) {
      if (!this.#isClosed) onFailed(error);
    }
    this.#erased = 0;
    this.#later(0, runEveryMs);
  }

  #finish(): void {
    const { store, clock, onErased } = this.#options;
    if (this.#erased > 0) {
      onErased(this.#erased);
      this.#isUntidy = true;
    }
    const sinceLastSaleMs = Math.abs(clock.now() - (store.last?.savedAtMs ?? 0));
    if (!this.#isUntidy || sinceLastSaleMs < quietMs || clock.monotonicMs() < this.#tidyFromMs) return;
    this.#isUntidy = !store.tidy();
    this.#tidyFromMs = clock.monotonicMs() + (this.#isUntidy ? 0 : tidyEveryMs);
  }

  #later(from: number, delayMs: number): void {
    if (!this.#isClosed) this.#cancel = this.#options.clock.setTimer(() => void this.#step(from), delayMs);
  }
}
