import { type Stats, statSync } from 'node:fs';
import { monotonicMs } from '../../machine/monotonic.ts';

/**
 * Two changes of a folder within this time may give it the same time. A kernel's clock ticks every 1 to 10 ms. Some file
 * systems keep whole seconds, and FAT keeps only even ones.
 */
const fineGrainMs = 100;
const coarseGrainMs = 2_500;

/**
 * Tells by the times of a folder whether a file was created, renamed or deleted in it. After a change it reports a change
 * at each look, until so much time has passed that another change would give the folder another time.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #monotonicMs: () => number;
  #seen: { readonly times: Stats; readonly atMs: number; isSettled: boolean } | null = null;

  constructor(folder: string, ownMonotonicMs: () => number = monotonicMs) {
    this.#folder = folder;
    this.#monotonicMs = ownMonotonicMs;
  }

  /** Whether nothing has changed since the last look at the files. When it is false, the caller looks at them. */
  isUnchanged(): boolean {
    const times = statSync(this.#folder, { throwIfNoEntry: false });
    if (times === undefined) {
      this.#seen = null;
      return false;
    }
    if (this.#seen === null || !isAlike(times, this.#seen.times)) {
      this.#seen = { times, atMs: this.#monotonicMs(), isSettled: false };
      return false;
    }
    if (this.#seen.isSettled) return true;
    // When enough time has passed, this is the last look that is needed: a later change gives the folder a later time.
    this.#seen.isSettled = this.#monotonicMs() - this.#seen.atMs > grainMs(times);
    return false;
  }

  /** Reports a change at the next look: the files were not as they should be. */
  forget(): void {
    this.#seen = null;
  }
}

function isAlike(one: Stats, other: Stats): boolean {
  return (
    one.ino === other.ino && one.dev === other.dev && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs
  );
}

function grainMs({ mtimeMs }: Stats): number {
  return mtimeMs % 1_000 === 0 ? coarseGrainMs : fineGrainMs;
}
