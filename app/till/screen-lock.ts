import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillCommandName } from '../../shared/till/api.ts';
import type { Settings } from '../config/settings.ts';
import { screenRules } from './screen-rules.ts';

/** When a screen has to be signed in at, and when it locks. */
type LockRules = Settings['cashiers'];

const minuteMs = 60_000;

interface ScreenLockParts {
  /** Monotonic: no change of the wall clock keeps it open. */
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly rules: LockRules;
  /** Somebody who may sell is signed in. */
  readonly isSignedIn: () => boolean;
  /** The same, and true also for somebody who was taken off the list since: their screen locks, too. */
  readonly isLeftOpen: () => boolean;
  /** Whether anybody could sign in. */
  readonly hasCashiers: () => boolean;
  readonly onChanged: () => void;
}

/** Whether the screen is open for whoever stands before it. The agent decides: a page that was tampered with opens nothing. */
export class ScreenLock {
  readonly #parts: ScreenLockParts;
  #rules: LockRules;
  #usedAtMs: number;
  #isLocked = false;
  #cancelTimer: CancelTimer = () => undefined;

  constructor(parts: ScreenLockParts) {
    this.#parts = parts;
    this.#rules = parts.rules;
    this.#usedAtMs = parts.clock.monotonicMs();
  }

  /** Null: it is open. One that was locked stays so until a badge is scanned, whoever is taken off the list meanwhile. */
  get shut(): 'needed' | 'locked' | null {
    if (!this.#parts.hasCashiers()) return null;
    if (this.#isLocked) return 'locked';
    return this.#rules.sign_in === 'on' && !this.#parts.isSignedIn() ? 'needed' : null;
  }

  get locks(): boolean {
    return this.#rules.lock_minutes > 0 && this.#parts.isLeftOpen();
  }

  /** @returns why a command is not answered now; null when it is */
  refuses(command: TillCommandName): 'needed' | 'locked' | null {
    // A timer may come late, for example after the machine slept: the time that has passed counts.
    this.#lockWhenDue();
    if (this.shut !== null) return screenRules[command].whenShut ? null : this.shut;
    if (screenRules[command].by === 'hand') this.#used();
    return null;
  }

  signedIn(): void {
    this.#isLocked = false;
    this.#used();
    this.#parts.onChanged();
  }

  /** Does nothing where nobody could unlock it again. */
  lock(): void {
    if (this.#isLocked || !this.#parts.isLeftOpen()) return;
    this.#isLocked = true;
    this.#cancelTimer();
    this.#parts.onChanged();
  }

  setRules(rules: LockRules): void {
    this.#rules = rules;
    this.#used();
  }

  close(): void {
    this.#cancelTimer();
  }

  #used(): void {
    this.#usedAtMs = this.#parts.clock.monotonicMs();
    this.#cancelTimer();
    this.#cancelTimer = this.locks
      ? this.#parts.clock.setTimer(() => this.#lockWhenDue(), this.#lockMs)
      : () => undefined;
  }

  get #lockMs(): number {
    return this.#rules.lock_minutes * minuteMs;
  }

  #lockWhenDue(): void {
    if (this.locks && this.#parts.clock.monotonicMs() - this.#usedAtMs >= this.#lockMs) this.lock();
  }
}
