import type { CallOutcome } from '../../client/outcome.ts';
import { causeRules, isLimitedLookUp } from '../../line/causes.ts';

interface Suspect {
  readonly passedThen: number;
}

/** When the answers of so many rows, one after another, could not be looked up, the rows are not the cause. */
const unreadInARow = 5;

/**
 * Tells a row that fails for a cause of its own from a line on which all rows fail. The cause is the row's own:
 *
 * - when it failed before, and another row has passed since;
 * - when it fails again although a read has passed in between. No row is sent again without such a read, except one that
 *   tries whether sales are taken;
 * - when the service has answered it, and the answer cannot be looked up because look-ups are limited; unless this happens
 *   to many rows.
 *
 * Kept in memory only: after a restart no row is suspected.
 */
export class Suspects {
  readonly #suspects = new Map<number, Suspect>();
  /** When each row that has not passed last failed, as a count of all failures up to then. */
  readonly #failedAt = new Map<number, number>();
  #passed = 0;
  #failed = 0;
  /** How many rows in a row had an answer that could not be looked up. Each row counts once. */
  #unread = 0;

  /** Whether nothing was learned from a row's last attempt, so that it is sent again. */
  isComingBack(rowId: number): boolean {
    return this.#suspects.has(rowId);
  }

  /** Whether any row has failed and has not passed since. */
  get hasFailed(): boolean {
    return this.#failedAt.size > 0;
  }

  /** Rows in the order in which a single one tries the line. The row that failed last comes last, so that others have a turn. */
  inTurn<Row extends { readonly rowId: number }>(rows: readonly Row[]): readonly Row[] {
    const failedAt = ({ rowId }: Row) => this.#failedAt.get(rowId) ?? 0;
    return rows.toSorted((one, other) => failedAt(one) - failedAt(other));
  }

  /**
   * @param isTry the row was sent though no read had passed
   * @returns whether the row itself is the cause of this outcome
   */
  observe(rowId: number, outcome: CallOutcome<unknown>, { isTry = false } = {}): boolean {
    if (outcome.kind !== 'unknown') {
      this.#suspects.delete(rowId);
      this.#failedAt.delete(rowId);
      this.#passed += 1;
      this.#unread = 0;
      return false;
    }
    this.#failed += 1;
    this.#failedAt.set(rowId, this.#failed);
    const isUnread = isLimitedLookUp(outcome);
    if (outcome.recorded === 'no' && !isUnread) return false;
    const earlier = this.#suspects.get(rowId);
    this.#suspects.set(rowId, { passedThen: this.#passed });
    if (isUnread) {
      if (earlier === undefined) this.#unread += 1;
      return earlier !== undefined || this.#unread < unreadInARow;
    }
    if (earlier === undefined) return false;
    return this.#passed > earlier.passedThen || (!isTry && causeRules[outcome.cause].canBeTheRow);
  }
}
