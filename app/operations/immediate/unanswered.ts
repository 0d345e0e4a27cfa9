import type { Clock } from '../../../shared/lib/clock.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import { soonAgainMs } from '../requests/same-request.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';

/** How long a program may go on asking what became of its request. Later the same number is the next morning's receipt. */
const asksForMs = 12 * hourMs;

/**
 * The writes of which a POS program has heard only that the outcome is unknown, by an answer, a read or an event. The
 * program was told to send the same request again. So a repeat reuses no number, even when the next business day has begun.
 * Kept in memory only: after a restart the business day alone tells a repeat from a reused number.
 */
export class Unanswered {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** By row id: until when, by monotonic time, the same request counts as the repeat that was asked for. */
  readonly #endsAtMs = new Map<number, number>();
  /** Rows of which the program heard the end by a read or an event, while the write was still being served. */
  readonly #heard = new Set<number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** @param isLate the outcome came after `bridge.answer_within_ms`, when the program had been answered already */
  note(outcome: ImmediateOutcome, { isLate }: { readonly isLate: boolean }): void {
    for (const rowId of this.#endsAtMs.keys()) if (!this.has(rowId)) this.#endsAtMs.delete(rowId);
    if (outcome.kind !== 'unknown' && outcome.kind !== 'done' && outcome.kind !== 'refused') return;
    const { rowId } = outcome.operation;
    const wasHeard = this.#heard.delete(rowId) && isLate;
    const isUnknown = !wasHeard && (outcome.kind === 'unknown' || isLate);
    // This answer may get lost, too, and the program asks again soon.
    if (isUnknown || this.has(rowId)) {
      this.#endsAtMs.set(rowId, this.#clock.monotonicMs() + (isUnknown ? asksForMs : soonAgainMs));
    }
  }

  /** The program has read how the write ended, or an event told it. It may have a repeat in a queue, which comes soon. */
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
