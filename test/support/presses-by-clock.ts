import type { Presses } from '../../renderer/shell/presses.ts';
import type { ManualClock } from './manual-clock.ts';

/** The presses on a page that is never busy. */
export function pressesBy(clock: ManualClock): Presses {
  return { pressedAtMs: () => clock.monotonicMs() };
}
