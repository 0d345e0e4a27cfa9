import type { Result } from '../answer.ts';
import type { Store } from '../store/store.ts';

/** The writes that arrive together, as one transaction of the store: one commit, and with a data file one sync. */
export interface WriteGroup {
  /**
   * Resolves when what the rules wrote is committed. A write that throws rejects, keeps nothing and takes no neighbour
   * with it.
   *
   * @param rules decides and writes; runs again when a neighbour spoils the group, so it changes nothing but the store
   */
  run(rules: () => Result): Promise<Result>;
  /** Commits what is waiting, now. */
  flush(): void;
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

  /** As long as each turn brings another write, the next one may: then the one before has not waited for nothing. */
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
    run(rules) {
      return new Promise((resolve, reject) => {
        waiting.push({ rules, resolve, reject });
        if (waiting.length === 1) flushWhenQuiet(1);
      });
    },
    flush,
  };
}
