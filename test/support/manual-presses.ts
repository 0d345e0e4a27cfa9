import type { Presses } from '../../renderer/shell/presses.ts';
import type { CancelTimer } from '../../shared/lib/clock.ts';
import type { ManualClock } from './manual-clock.ts';

/** The presses on a page that is not busy, unless a test says so. */
export class ManualPresses implements Presses {
  /** How long ago the press was made that is handled now. */
  lateByMs = 0;
  /** Whether a change is seen at once. False: it is not seen. */
  paints = true;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  readonly pressedAtMs = (): number => this.#clock.monotonicMs() - this.lateByMs;

  readonly whenPainted = (then: () => void): CancelTimer => {
    if (this.paints) then();
    return () => undefined;
  };
}
