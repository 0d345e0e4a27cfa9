import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { Cause, Connection, ConnectionState } from '../../shared/till/views.ts';

/** A doubt that ends sooner is not shown, so that the screen does not flicker. */
const shownDoubtMs = 500;

/** What the screen shows of the line, and who is told of a change. `Connectivity` decides what it is. */
export class ToldConnection {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #connection: Connection;
  #cancelDoubt: CancelTimer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#connection = { state: 'checking', cause: null, since: toInstant(clock.now()) };
  }

  get connection(): Connection {
    return this.#connection;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listeners are called by the next `notify`, when the gate has been set, too. @returns whether anything has changed */
  set(state: ConnectionState, cause: Cause | null): boolean {
    if (this.#connection.state === state && this.#connection.cause === cause) return false;
    const since = this.#connection.state === state ? this.#connection.since : toInstant(this.#clock.now());
    this.#connection = { state, cause, since };
    return true;
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Shows `checking` soon: a good line may have failed. */
  doubt(): void {
    this.#cancelDoubt ??= this.#clock.setTimer(() => {
      if (this.#connection.state !== 'online') return;
      this.set('checking', this.#connection.cause);
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
