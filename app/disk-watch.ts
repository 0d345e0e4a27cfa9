import { statfsSync } from 'node:fs';
import type { CancelTimer, Clock } from '../shared/lib/clock.ts';

const lookEveryMs = 60_000;

/** @returns null when the system does not say */
export function freeBytesAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Looks from time to time how much room there is. */
export class DiskWatch {
  readonly #options: ConstructorParameters<typeof DiskWatch>[0];
  #freeBytes: number | null;
  #cancel: CancelTimer = () => undefined;

  constructor(options: {
    readonly path: string;
    readonly clock: Clock;
    readonly freeBytesAt: (path: string) => number | null;
    /** Told of each look, with what was free the time before. */
    readonly onLook: (before: number | null, now: number | null) => void;
  }) {
    this.#options = options;
    this.#freeBytes = options.freeBytesAt(options.path);
    this.#lookLater();
  }

  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  close(): void {
    this.#cancel();
  }

  #lookLater(): void {
    const { path, clock, freeBytesAt: look, onLook } = this.#options;
    this.#cancel = clock.setTimer(() => {
      const before = this.#freeBytes;
      this.#freeBytes = look(path);
      onLook(before, this.#freeBytes);
      this.#lookLater();
    }, lookEveryMs);
  }
}
