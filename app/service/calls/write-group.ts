import type { Result } from '../answer.ts';
import type { Store } from '../store/store.ts';

/** The writes that arrive together, as one transaction of the store: one commit, and with a data file one sync. */
export interface WriteGroup {
  /**
   * Resolves with what `end` makes of it, at once after the commit. A write that throws keeps nothing and takes no
   * neighbour with it.
   *
   * @param rules decides and writes; runs again when a neighbour spoils the group, so it changes nothing but the store
   */
  run<Answer>(rules: () => Result, end: WriteEnd<Answer>): Promise<Answer>;
  /** Commits what is waiting, and ends it, now. */
  flush(): void;
}

interface WriteEnd<Answer> {
  readonly committed: (result: Result) => Answer;
  readonly failed: (error: unknown) => Answer;
}

interface WriteGroupOptions {
  readonly store: Pick<Store, 'write'>;
  /** Called once in each group's transaction: what has become due by now happens before any of its writes. */
  readonly beforeGroup: () => void;
  /** Nothing of the group was kept, what had become due neither. */
  readonly afterSpoiled: () => void;
  /** Calls back when the events that are already here have been taken in; the host's, whatever the test clock says. */
  readonly soon?: (callback: () => void) => void;
}

interface WaitingWrite {
  readonly rules: () => Result;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createWriteGroup({
  store,
  beforeGroup,
  afterSpoiled,
  soon = setImmediate,
}: WriteGroupOptions): WriteGroup {
  let waiting: WaitingWrite[] = [];

  function flush(): void {
    const group = waiting;
    if (group.length === 0) return;
    waiting = [];
    try {
      const results = store.write(() => {
        beforeGroup();
        return group.map(({ rules }) => rules());
      });
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('A write was committed without a result'));
        else resolve(result);
      }
    } catch {
      afterSpoiled();
      for (const write of group) runAlone(write);
    }
  }

  /** Commits in the first turn that brings no further write: as long as writes come, they share a commit. */
  function flushWhenQuiet(knownCount: number): void {
    soon(() => {
      if (waiting.length > knownCount) flushWhenQuiet(waiting.length);
      else flush();
    });
  }

  function runAlone({ rules, resolve, reject }: WaitingWrite): void {
    try {
      resolve(store.write(rules));
    } catch (error) {
      reject(error);
    }
  }

  return {
    run<Answer>(rules: () => Result, { committed, failed }: WriteEnd<Answer>) {
      return new Promise<Answer>((resolve, reject) => {
        const end = (answer: () => Answer): void => {
          try {
            resolve(answer());
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({
          rules,
          resolve: (result) => end(() => committed(result)),
          reject: (error) => end(() => failed(error)),
        });
        if (waiting.length === 1) flushWhenQuiet(1);
      });
    },
    flush,
  };
}
