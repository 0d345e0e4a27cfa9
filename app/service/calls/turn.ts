/**
 * Calls that have arrived together go through each of their steps together: all are read and looked up, then all are
 * answered. The processor then finds the code of each step where it left it.
 */
export interface Turn {
  /**
   * Resolves with the answer, once the events that are already here have been taken in.
   *
   * @param look gives the step that answers: that one comes after the look of every other call of the same turn
   */
  take<Answer>(look: () => AnswerStep<Answer>): Promise<Answer>;
  /** Takes all steps of the calls that wait, now: those that join no writes are answered when it returns. */
  flush(): void;
}

type AnswerStep<Answer> = () => Answer | Promise<Answer>;

/** @param soon calls back when the events that are already here have been taken in */
export function createTurn(soon: (callback: () => void) => void): Turn {
  let waiting: (() => () => void)[] = [];

  function flush(): void {
    const looks = waiting;
    waiting = [];
    const answers = looks.map((look) => look());
    for (const answer of answers) answer();
  }

  return {
    take<Answer>(look: () => AnswerStep<Answer>) {
      return new Promise<Answer>((resolve, reject) => {
        const settle = (answer: AnswerStep<Answer>): void => {
          try {
            resolve(answer());
          } catch (error) {
            reject(error);
          }
        };
        waiting.push(() => {
          try {
            const answer = look();
            return () => settle(answer);
          } catch (error) {
            return () => reject(error);
          }
        });
        if (waiting.length === 1) soon(flush);
      });
    },
    flush,
  };
}
