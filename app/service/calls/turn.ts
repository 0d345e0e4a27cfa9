/**
 * Calls that have arrived together go through each of their steps together: all are read and looked up, then all are
 * answered. The processor then finds the code of each step where it left it.
 */
export interface Turn {
  /** Resolves with what the step gives, once the events that are already here have been taken in. */
  take<T>(step: () => T | Promise<T>): Promise<T>;
  /** Takes the steps that wait, now. */
  flush(): void;
}

/** @param soon calls back when the events that are already here have been taken in */
export function createTurn(soon: (callback: () => void) => void): Turn {
  let waiting: (() => void)[] = [];

  function flush(): void {
    const steps = waiting;
    waiting = [];
    for (const step of steps) step();
  }

  return {
    take(step) {
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(step());
          } catch (error) {
            reject(error);
          }
        });
        if (waiting.length === 1) soon(flush);
      });
    },
    flush,
  };
}
