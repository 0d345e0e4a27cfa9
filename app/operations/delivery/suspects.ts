import type { CallOutcome } from '../../client/outcome.ts';
import { causeRules, isLimitedLookUp } from '../../line/causes.ts';

interface Suspect {
  readonly passedThen: number;
}

/** So many rows in a row whose answers could not be looked up are no longer about the rows. */
const unreadInARow = 5;

/**
 * Tells a row that fails alone from a line that fails all: a row is alone in it when it failed before and, since then,
 * another row passed; or when it gets the same kind of answer again although a read passed in between. No row is sent
 * again without such a read, except one that tries whether sales are taken. One that the service has answered, and whose
 * answer cannot be looked up because look-ups are limited, is alone in it, too, unless many are. Kept in memory only: after
 * a restart every row starts unsuspected.
 */
export class Suspects {
  readonly #suspects = new Map<number, Suspect>();
  /** When each row that has not passed failed last: counts the attempts of all. */
  readonly #failedAt = new Map<number, number>();
  #passed = 0;
  #failed = 0;
  /** Each row counts once. */
  #unread = 0;

  /** Whether a row comes back after an attempt of which nothing was learned. */
  isComingBack(rowId: number): boolean {
    return this.#suspects.has(rowId);
  }

  /** Whether a row has failed that has not passed since. */
  get hasFailed(): boolean {
    return this.#failedAt.size > 0;
  }

  /** In the order in which a single one may try: the one that failed last comes last, so that it keeps no other waiting. */
  inTurn<Row extends { readonly rowId: number }>(rows: readonly Row[]): readonly Row[] {
    const failedAt = ({ rowId }: Row) => this.#failedAt.get(rowId) ?? 0;
    return rows.toSorted((one, other) => failedAt(one) - failedAt(other));
  }

  /**
   * @param isTry it went out though no read had passed
   * @returns whether this outcome is the row's own trouble
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
