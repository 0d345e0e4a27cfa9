import { type CustomerPlace, isSameArea } from './place.ts';

/** After this many moves by others, the window stays where the system puts it. */
const mostStrays = 3;

/** Counts how often others moved the customers' window, so that it is not put back for ever. */
export class Strays {
  #count = 0;

  /**
   * @param now where the window is; null when there is none
   * @returns whether to put it back. A move to its own place was made by this program, and does not count
   */
  moved(now: CustomerPlace['bounds'] | null, wanted: CustomerPlace['bounds'] | null): boolean {
    if (now !== null && wanted !== null && isSameArea(now, wanted)) return false;
    this.#count += 1;
    return this.#count <= mostStrays;
  }

  /** The displays have changed: the count starts again. */
  reset(): void {
    this.#count = 0;
  }
}
