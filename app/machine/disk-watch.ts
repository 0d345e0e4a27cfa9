import { statfsSync } from 'node:fs';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';

const lookEveryMs = 60_000;

/** Less than this left on the disk is said before it is a failure. */
export const leastFreeBytes = 200 * 1024 * 1024;

/** @returns null when the system does not say */
export function freeBytesAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Looks from time to time, and whenever it is asked, how much room there is. */
export class DiskWatch {
  readonly #options: ConstructorParameters<typeof DiskWatch>[0];
  #toldBytes: number | null;
  #cancel: CancelTimer = () => undefined;

  constructor(options: {
    readonly path: string;
    readonly clock: Clock;
    readonly freeBytesAt: (path: string) => number | null;
    /** Told of each look, with what was free the time before. */
    readonly onLook: (before: number | null, now: number | null) => void;
  }) {
    this.#options = options;
    this.#toldBytes = this.freeBytes;
    this.#lookLater();
  }

  /** Now: an old figure would call a disk full that has room again, or the other way round. */
  get freeBytes(): number | null {
    const { path, freeBytesAt: measure } = this.#options;
    return measure(path);
  }

  close(): void {
    this.#cancel();
  }

  #look(): void {
    const before = this.#toldBytes;
    this.#toldBytes = this.freeBytes;
    this.#options.onLook(before, this.#toldBytes);
  }

  #lookLater(): void {
    this.#cancel = this.#options.clock.setTimer(() => {
      this.#look();
      this.#lookLater();
    }, lookEveryMs);
  }
}
