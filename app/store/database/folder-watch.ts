import { type Stats, statSync } from 'node:fs';
import { monotonicMs } from '../../machine/monotonic.ts';

/**
 * Two changes within this time may leave a folder with the same time. A kernel's clock ticks every 1 to 10 ms; there are
 * file systems that keep whole seconds, and FAT every second one.
 */
const fineGrainMs = 100;
const coarseGrainMs = 2_500;

/**
 * Tells by a folder's own times whether a file was made, renamed or deleted in it. A folder that has changed says so
 * until its next change would surely give it another time.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #monotonicMs: () => number;
  #seen: { readonly times: Stats; readonly atMs: number; isSettled: boolean } | null = null;

  constructor(folder: string, ownMonotonicMs: () => number = monotonicMs) {
    this.#folder = folder;
    this.#monotonicMs = ownMonotonicMs;
  }

  /** Whether nothing has changed since its files were last looked at. If not, they are to be looked at after this. */
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
    // The look that follows this is the last one: a change after it has a later time.
    this.#seen.isSettled = this.#monotonicMs() - this.#seen.atMs > grainMs(times);
    return false;
  }

  /** The files were not as they should be: they are looked at again. */
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
