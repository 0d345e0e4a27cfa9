import type { Clock } from '../../../shared/lib/clock.ts';
import { soonAgainMs } from '../requests/same-request.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';

/** So long a program may go on asking what became of its request. Later the same number is the next morning's receipt. */
const asksForMs = 12 * 3_600_000;

/**
 * The writes of POS programs of which nothing was answered but that the outcome is unknown. The program was told to send the
 * same request again, and that one is no reused number, also when the next business day has begun. Kept in memory: after a
 * restart nobody knows what was answered, and the day parts the two.
 */
export class Unanswered {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Row ids, with the monotonic time until which the same request is one that was asked for. */
  readonly #endsAtMs = new Map<number, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** @param isLate it was found out after `bridge.answer_within_ms`, when the program had been answered already */
  note(outcome: ImmediateOutcome, { isLate }: { readonly isLate: boolean }): void {
    for (const rowId of this.#endsAtMs.keys()) if (!this.has(rowId)) this.#endsAtMs.delete(rowId);
    if (outcome.kind !== 'unknown' && outcome.kind !== 'done' && outcome.kind !== 'refused') return;
    const { rowId } = outcome.operation;
    const isUnknown = outcome.kind === 'unknown' || isLate;
    // This answer, too, may get lost, and is asked for again soon.
    if (isUnknown || this.has(rowId)) {
      this.#endsAtMs.set(rowId, this.#clock.monotonicMs() + (isUnknown ? asksForMs : soonAgainMs));
    }
  }

  has(rowId: number): boolean {
    const endsAtMs = this.#endsAtMs.get(rowId);
    return endsAtMs !== undefined && this.#clock.monotonicMs() <= endsAtMs;
  }
}
