import { isDeepStrictEqual } from 'node:util';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { TillCommandName } from '../../shared/till/api.ts';
import type { Settings } from '../config/settings.ts';
import { screenRules } from './screen-rules.ts';

/** When somebody has to sign in at the screen, and when it locks. */
type LockRules = Settings['cashiers'];

interface ScreenLockParts {
  /** Monotonic, so that a change of the wall clock cannot keep the screen open. */
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly rules: LockRules;
  /** Whether somebody who may sell is signed in. */
  readonly isSignedIn: () => boolean;
  /** Whether somebody is signed in, also when they were removed from the list since: their screen locks, too. */
  readonly isLeftOpen: () => boolean;
  /** Whether anybody could sign in. */
  readonly hasCashiers: () => boolean;
  readonly onChanged: () => void;
}

/** Decides whether the screen is open. The agent decides it, so that a manipulated page opens nothing. */
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

  /**
   * Null: the screen is open. A locked screen stays locked until somebody signs in, even when people are removed from
   * the list meanwhile.
   */
  get shut(): 'needed' | 'locked' | null {
    if (!this.#parts.hasCashiers()) return null;
    if (this.#isLocked) return 'locked';
    return this.#rules.sign_in === 'on' && !this.#parts.isSignedIn() ? 'needed' : null;
  }

  get locks(): boolean {
    return this.#rules.lock_minutes > 0 && this.#parts.isLeftOpen();
  }

  /** @returns why a command is refused now; null when it is answered */
  refuses(command: TillCommandName): 'needed' | 'locked' | null {
    // A timer may fire late, for example after the machine slept. So the time that has passed decides.
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

  /** Locks the screen. Does nothing when nobody is signed in. */
  lock(): void {
    if (this.#isLocked || !this.#parts.isLeftOpen()) return;
    this.#isLocked = true;
    this.#cancelTimer();
    this.#parts.onChanged();
  }

  setRules(rules: LockRules): void {
    // A file that is written again as it was is no use of the screen.
    if (isDeepStrictEqual(rules, this.#rules)) return;
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
