import type { CallOutcome } from '../../client/outcome.ts';

/** So many refusals alike in a row are no longer about the rows: a wrong branch must not refuse a whole backlog. */
const alikeInARow = 5;

/** Counts refusals that say the same thing, one after another. */
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

  /** A person has looked at it: what comes now is judged again. */
  forget(): void {
    this.#key = '';
    this.#count = 0;
  }
}
