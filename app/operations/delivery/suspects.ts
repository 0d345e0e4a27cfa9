import type { CallOutcome } from '../../client/outcome.ts';
import { causeRules } from '../../line/causes.ts';

interface Suspect {
  readonly passedThen: number;
}

/**
 * Tells a row that fails alone from a line that fails all: a row is alone in it when it failed before and, since then,
 * another row passed; or when it gets the same kind of answer again although a read passed in between (no row is sent
 * again without one). Kept in memory only: after a restart every row starts unsuspected.
 */
export class Suspects {
  readonly #suspects = new Map<number, Suspect>();
  #passed = 0;

  /** @returns whether this outcome is the row's own trouble */
  observe(rowId: number, outcome: CallOutcome<unknown>): boolean {
    if (outcome.kind !== 'unknown') {
      this.#suspects.delete(rowId);
      this.#passed += 1;
      return false;
    }
    if (outcome.recorded === 'no') return false;
    const earlier = this.#suspects.get(rowId);
    this.#suspects.set(rowId, { passedThen: this.#passed });
    if (earlier === undefined) return false;
    return this.#passed > earlier.passedThen || causeRules[outcome.cause].canBeTheRow;
  }
}
