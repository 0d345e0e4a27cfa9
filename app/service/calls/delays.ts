import type { Clock } from '../../../shared/lib/clock.ts';

/** The delays that faults cause, each of one call. */
export interface Delays {
  /** @returns false when the delay was cut short: the call must not be carried out */
  pass(durationMs: number): Promise<boolean>;
  /** Ends the delays under way. */
  cutShort(): void;
}

/** @param clock real time */
export function createDelays(clock: Pick<Clock, 'setTimer'>): Delays {
  const underWay = new Set<() => void>();
  return {
    pass(durationMs) {
      return new Promise((resolve) => {
        const end = (isOver: boolean): void => {
          underWay.delete(cut);
          resolve(isOver);
        };
        const cancel = clock.setTimer(() => end(true), durationMs);
        const cut = (): void => {
          cancel();
          end(false);
        };
        underWay.add(cut);
      });
    },
    cutShort() {
      for (const cut of underWay) cut();
    },
  };
}
