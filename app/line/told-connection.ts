import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { Cause, Connection, ConnectionState } from '../../shared/till/views.ts';
import { MovedInstant } from './moved-instant.ts';

/** A doubt that ends sooner is not shown, so that the screen does not flicker. */
const shownDoubtMs = 500;

/** What the screen shows of the line, and who is told of a change. `Connectivity` decides what it is. */
export class ToldConnection {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #state: ConnectionState = 'checking';
  #cause: Cause | null = null;
  #since: MovedInstant;
  #cancelDoubt: CancelTimer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = new MovedInstant(clock);
  }

  get connection(): Connection {
    return { state: this.#state, cause: this.#cause, since: this.#since.told };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listeners are called by the next `notify`, when the gate has been set, too. @returns whether anything has changed */
  set(state: ConnectionState, cause: Cause | null): boolean {
    if (this.#state === state && this.#cause === cause) return false;
    if (this.#state !== state) this.#since = new MovedInstant(this.#clock);
    this.#state = state;
    this.#cause = cause;
    return true;
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Shows `checking` soon: a good line may have failed. */
  doubt(): void {
    this.#cancelDoubt ??= this.#clock.setTimer(() => {
      if (this.#state !== 'online') return;
      this.set('checking', this.#cause);
      this.notify();
    }, shownDoubtMs);
  }

  endDoubt(): void {
    this.#cancelDoubt?.();
    this.#cancelDoubt = null;
  }

  /** Calls no listener any more. */
  stop(): void {
    this.endDoubt();
    this.#listeners.clear();
  }
}
