/**
 * Calls that have arrived together go through each of their steps together: all are read and looked up, then all are
 * answered. The processor then finds the code of each step where it left it.
 */
export interface Turn {
  /**
   * Resolves with what `answer` gives, once the events that are already here have been taken in. `look` comes before the
   * answer to any call of the same turn.
   */
  take<Seen, Answer>(look: () => Seen, answer: (seen: Seen) => Answer | Promise<Answer>): Promise<Answer>;
  /** Takes all steps of the calls that wait, now: those that join no writes are answered when it returns. */
  flush(): void;
}

interface WaitingCall {
  readonly look: () => void;
  readonly answer: () => void;
}

/** @param soon calls back when the events that are already here have been taken in */
export function createTurn(soon: (callback: () => void) => void): Turn {
  let waiting: WaitingCall[] = [];

  function flush(): void {
    const calls = waiting;
    waiting = [];
    for (const call of calls) call.look();
    for (const call of calls) call.answer();
  }

  return {
    take<Seen, Answer>(look: () => Seen, answer: (seen: Seen) => Answer | Promise<Answer>) {
      return new Promise<Answer>((resolve, reject) => {
        let end = (): void => reject(new Error('A call is answered before it has looked'));
        waiting.push({
          look() {
            try {
              const seen = look();
              end = () => resolve(answer(seen));
            } catch (error) {
              end = () => reject(error);
            }
          },
          answer() {
            try {
              end();
            } catch (error) {
              reject(error);
            }
          },
        });
        if (waiting.length === 1) soon(flush);
      });
    },
    flush,
  };
}
