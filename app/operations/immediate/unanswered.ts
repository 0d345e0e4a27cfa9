import type { Clock } from '../../../shared/lib/clock.ts';
import { soonAgainMs } from '../requests/same-request.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';

/** So long a program may go on asking what became of its request. Later the same number is the next morning's receipt. */
const asksForMs = 12 * 3_600_000;

/**
 * The writes of POS programs of which nothing was told but that the outcome is unknown, by an answer, a read or an event. The
 * program was told to send the same request again, and that one is no reused number, also when the next business day has
 * begun. Kept in memory: after a restart nobody knows what was answered, and the day parts the two.
 */
export class Unanswered {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Row ids, with the monotonic time until which the same request is one that was asked for. */
  readonly #endsAtMs = new Map<number, number>();
  /** Of these the program has heard the end otherwise, while it was still being found out. */
  readonly #heard = new Set<number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** @param isLate it was found out after `bridge.answer_within_ms`, when the program had been answered already */
  note(outcome: ImmediateOutcome, { isLate }: { readonly isLate: boolean }): void {
    for (const rowId of this.#endsAtMs.keys()) if (!this.has(rowId)) this.#endsAtMs.delete(rowId);
    if (outcome.kind !== 'unknown' && outcome.kind !== 'done' && outcome.kind !== 'refused') return;
    const { rowId } = outcome.operation;
    const wasHeard = this.#heard.delete(rowId) && isLate;
    const isUnknown = !wasHeard && (outcome.kind === 'unknown' || isLate);
    // This answer, too, may get lost, and is asked for again soon.
    if (isUnknown || this.has(rowId)) {
      this.#endsAtMs.set(rowId, this.#clock.monotonicMs() + (isUnknown ? asksForMs : soonAgainMs));
    }
  }

  /** Its program has read how it ended, or was told by an event: it may have that from a queue, and ask once more soon. */
  heard(rowId: number, { isServed }: { readonly isServed: boolean }): void {
    const endsAtMs = this.#endsAtMs.get(rowId);
    if (endsAtMs !== undefined) this.#endsAtMs.set(rowId, Math.min(endsAtMs, this.#clock.monotonicMs() + soonAgainMs));
    if (isServed) this.#heard.add(rowId);
  }

  has(rowId: number): boolean {
    const endsAtMs = this.#endsAtMs.get(rowId);
    return endsAtMs !== undefined && this.#clock.monotonicMs() <= endsAtMs;
  }
}
