import { type CustomerPlace, isSameArea } from './place.ts';

/** After so many moves that were not ours, the window stays where the system puts it. */
const mostStrays = 3;

/** Counts how often the customers' window was moved away, so that it is not put back for ever. */
export class Strays {
  #count = 0;

  /**
   * @param now where the window is; null when there is none
   * @returns whether to put it back. Where the window is in its place, the move was our own, and does not count
   */
  moved(now: CustomerPlace['bounds'] | null, wanted: CustomerPlace['bounds'] | null): boolean {
    if (now !== null && wanted !== null && isSameArea(now, wanted)) return false;
    this.#count += 1;
    return this.#count <= mostStrays;
  }

  /** The displays have changed: the count begins anew. */
  reset(): void {
    this.#count = 0;
  }
}
