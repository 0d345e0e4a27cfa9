import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { diskRetryMs } from '../../store/database/writer.ts';

/** Keeps changes that could not be written, and tries them again, so that the service need not be asked twice. */
export class Unwritten {
  readonly #clock: Clock;
  readonly #writes = new Map<number, () => Promise<void>>();
  #cancelTimer: CancelTimer | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps a write for later, in place of an earlier one of the row. @param write rejects when it fails once more */
  later(rowId: number, write: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#writes.set(rowId, write);
    this.#cancelTimer ??= this.#clock.setTimer(() => {
      this.#cancelTimer = null;
      void this.#again();
    }, diskRetryMs);
  }

  /** Stops trying: a row that is not written by now is found at the next start, as unknown. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  async #again(): Promise<void> {
    const writes = [...this.#writes];
    this.#writes.clear();
    for (const [rowId, write] of writes) {
      await write().catch(() => {
        if (!this.#writes.has(rowId)) this.later(rowId, write);
      });
    }
  }
}
