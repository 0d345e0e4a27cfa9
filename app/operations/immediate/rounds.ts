import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import type { Line } from '../../line/line.ts';
import { diskRetryMs } from '../../store/database/writer.ts';

interface RoundsOptions {
  readonly clock: Clock;
  /** No round begins while the gate is closed, or the service wants no look-ups. Whoever opens the gate calls `wake`. */
  readonly line: Pick<Line, 'gate' | 'lookUps'>;
  readonly work: () => Promise<void>;
  /** When there is something to do next, in milliseconds since 1970; null when there is nothing. */
  readonly nextAtMs: () => number | null;
  /** The least time between two rounds. */
  readonly leastSleepMs: () => number;
  readonly onFailed: (error: unknown) => void;
}

const longestSleepMs = minuteMs;

/** Rounds of work, one at a time, with a sleep until the next one is due. */
export class Rounds {
  readonly #options: RoundsOptions;
  #cancelTimer: CancelTimer | null = null;
  #working: Promise<void> | null = null;
  #isClosed = false;
  #hasFailed = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Whether there may be one more look in this round: what is left waits for the next one. */
  get mayGoOn(): boolean {
    const { line } = this.#options;
    return !this.#isClosed && line.gate !== 'closed' && line.lookUps.leftMs === 0;
  }

  /** Whether something could not be written in this round. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Begins a round, unless one is under way: there may be something to do. */
  wake(): void {
    if (this.#isClosed || this.#working !== null) return;
    this.#endSleep();
    const { line } = this.#options;
    if (line.gate === 'closed') return;
    if (!this.mayGoOn) {
      this.#sleep();
      return;
    }
    this.#hasFailed = false;
    this.#working = this.#options
      .work()
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.#working = null;
        this.#sleep();
      });
  }

  /** Sets the timer of the next round again: what is due next may have changed. */
  plan(): void {
    if (this.#working === null) this.#sleep();
  }

  /** Notes a failure: the next round comes later, and this one goes on with its other rows. */
  failed(error: unknown): void {
    this.#hasFailed = true;
    this.#options.onFailed(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endSleep();
    await this.#working;
  }

  #sleep(): void {
    const { clock, line, leastSleepMs } = this.#options;
    if (this.#isClosed || line.gate === 'closed') return;
    this.#endSleep();
    const nextMs = this.#nextAtMs();
    if (nextMs === null) return;
    const leastMs = this.#hasFailed ? diskRetryMs : leastSleepMs();
    const sleepMs = Math.min(longestSleepMs, Math.max(leastMs, line.lookUps.leftMs, nextMs - clock.now()));
    this.#cancelTimer = clock.setTimer(() => this.wake(), sleepMs);
  }

  /** When work is due next. Where that cannot be read, as on a damaged page, the next round comes as after any failure. */
  #nextAtMs(): number | null {
    const { clock, nextAtMs } = this.#options;
    try {
      return nextAtMs();
    } catch (error) {
      this.failed(error);
      return clock.now();
    }
  }

  #endSleep(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
