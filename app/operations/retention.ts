import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { RetentionStore } from '../store/retention-store.ts';
import type { Writer } from '../store/writer.ts';

/** So many rows are looked at in one commit. */
const rowsPerStep = 5_000;
const stepPauseMs = 200;
const firstRunAfterMs = 60_000;
const runEveryMs = 6 * 3_600_000;

export interface RetentionOptions {
  readonly store: RetentionStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly retentionDays: number;
  /** While sales are being sent, it waits. */
  readonly isBusy: () => boolean;
  readonly onErased: (count: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Erases customers from operations that were settled longer ago than the retention time, a little at a time. */
export class Retention {
  readonly #options: RetentionOptions;
  #cancel: CancelTimer;
  #isClosed = false;
  #erased = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#cancel = options.clock.setTimer(() => void this.#step(0), firstRunAfterMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #step(from: number): Promise<void> {
    const { store, writer, clock, retentionDays, isBusy, onErased, onFailed } = this.#options;
    if (isBusy()) return this.#later(from, stepPauseMs);
    try {
      const before = clock.now() - retentionDays * 86_400_000;
      const to = from + rowsPerStep;
      this.#erased += await writer.lazy(() => store.erase({ from, to }, before));
      if (to <= store.lastRowId) return this.#later(to, stepPauseMs);
      if (this.#erased > 0) onErased(this.#erased);
    } catch (error) {
      if (!this.#isClosed) onFailed(error);
    }
    this.#erased = 0;
    this.#later(0, runEveryMs);
  }

  #later(from: number, delayMs: number): void {
    if (!this.#isClosed) this.#cancel = this.#options.clock.setTimer(() => void this.#step(from), delayMs);
  }
}
