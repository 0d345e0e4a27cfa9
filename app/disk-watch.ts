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
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onLook: (before: number | null, now: number | null) => void;
  #freeBytes: number | null;
  #cancel: CancelTimer = () => undefined;

  /** @param onLook told of each look, with what was free the time before */
  constructor(path: string, clock: Clock, onLook: (before: number | null, now: number | null) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#onLook = onLook;
    this.#freeBytes = freeBytesAt(path);
    this.#lookLater();
  }

  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  close(): void {
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.#clock.setTimer(() => {
      const before = this.#freeBytes;
      this.#freeBytes = freeBytesAt(this.#path);
      this.#onLook(before, this.#freeBytes);
      this.#lookLater();
    }, lookEveryMs);
  }
}
