import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { diskRetryMs } from '../../store/database/writer.ts';

/** What was learned and could not be written down: kept and tried again, so that nothing has to be asked twice. */
export class Unwritten {
  readonly #clock: Clock;
  readonly #writes = new Map<number, () => Promise<void>>();
  #cancelTimer: CancelTimer | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The last that was learned of a row counts. @param write rejects when it could not be done this time either */
  later(rowId: number, write: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#writes.set(rowId, write);
    this.#cancelTimer ??= this.#clock.setTimer(() => {
      this.#cancelTimer = null;
      void this.#again();
    }, diskRetryMs);
  }

  /** What is not written by now is found, as unknown, at the next start. */
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
