/** Resolves when the events that are already here have been taken in, for all who wait in the same turn at once. */
export type NextTurn = () => Promise<void>;

/**
 * Calls that have arrived together go through each of their steps together, too: all are looked up, then all are answered.
 * The processor then finds the code of each step where it left it.
 *
 * @param soon calls back when the events that are already here have been taken in
 */
export function createNextTurn(soon: (callback: () => void) => void): NextTurn {
  let turn: Promise<void> | null = null;
  return () => {
    turn ??= new Promise((resolve) => {
      soon(() => {
        turn = null;
        resolve();
      });
    });
    return turn;
  };
}
