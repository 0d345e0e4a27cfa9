import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { Cause, Connection, ConnectionState } from '../../shared/till/views.ts';

/** A doubt that is settled sooner is not shown: nothing on the screen should flicker. */
const shownDoubtMs = 500;

/** What is told of the line, and to whom. The line itself is judged elsewhere (`Connectivity`). */
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

  /** The listeners hear of it with the next `notify`, when the gate stands as it should, too. @returns whether it is news */
  set(state: ConnectionState, cause: Cause | null): boolean {
    if (this.#connection.state === state && this.#connection.cause === cause) return false;
    const since = this.#connection.state === state ? this.#connection.since : toInstant(this.#clock.now());
    this.#connection = { state, cause, since };
    return true;
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** A good line may not be good any more. */
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

  /** Nobody is told anything any more. */
  stop(): void {
    this.endDoubt();
    this.#listeners.clear();
  }
}
