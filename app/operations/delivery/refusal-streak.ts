import type { CallOutcome } from '../../client/outcome.ts';

/** After so many refusals for the same reason the rows are not the cause. A wrong branch must not have all sales refused. */
const alikeInARow = 5;

/** Counts refusals for the same reason, one after another. */
export class RefusalStreak {
  #key = '';
  #count = 0;

  /** @returns whether sending should pause */
  observe(outcome: CallOutcome<unknown>): boolean {
    if (outcome.kind === 'unknown') return false;
    if (outcome.kind === 'done') {
      this.forget();
      return false;
    }
    const { code, details } = outcome.error;
    const key = `${code} ${typeof details?.[0] === 'string' ? details[0] : ''}`;
    this.#count = key === this.#key ? this.#count + 1 : 1;
    this.#key = key;
    return this.#count >= alikeInARow;
  }

  /** Begins to count again: a write has passed, or a person has put right what was wrong. */
  forget(): void {
    this.#key = '';
    this.#count = 0;
  }
}
