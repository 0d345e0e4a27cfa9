import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import type { SendableOperation } from '../store/delivery.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { correctedInstant } from './corrected-instant.ts';
import { requestOf } from './row-request.ts';

function isFar(skewMs: number): boolean {
  return Math.abs(skewMs) > greatestSkewMs;
}

interface ClockCorrectionOptions {
  readonly store: Pick<OperationStore, 'seals'>;
  readonly immediate: ImmediateStore;
  readonly clock: Clock;
  readonly skew: { readonly skewMs: number | null; readonly hasJumped: boolean; readonly hasBeenFar: boolean };
  /** A test clock is moved and held as a tester likes: its jumps are meant. */
  readonly isTestClock: boolean;
}

/**
 * Corrects the time of sales that were saved while the till's clock was wrong, once, before their first send
 * (design "Clock"). What the caller said itself is never corrected; what the till said is kept beside it.
 */
export class ClockCorrection {
  readonly #options: ClockCorrectionOptions;

  constructor(options: ClockCorrectionOptions) {
    this.#options = options;
  }

  /** The rows as they are to be sent. Runs inside a transaction of the Writer, before the rows are marked. */
  apply(rows: readonly SendableOperation[]): readonly SendableOperation[] {
    const { skew, isTestClock } = this.#options;
    const { skewMs } = skew;
    const wasAlwaysRight = !isFar(skewMs ?? 0) && !skew.hasJumped && !skew.hasBeenFar;
    if (isTestClock || skewMs === null || wasAlwaysRight) return rows;
    return rows.map((row) => (row.send === 1 && row.intent === 'earn' ? this.#corrected(row, skewMs) : row));
  }

  #corrected(row: SendableOperation, skewMs: number): SendableOperation {
    const { immediate, clock } = this.#options;
    // What was changed on the disk must not get our seal.
    if (!this.#options.store.seals.isWhole(row)) return row;
    const saved = immediate.clockAtSave(row.rowId);
    if (saved === null || saved.from === 'caller') return row;
    const now = { nowMs: clock.now(), monotonicMs: clock.monotonicMs(), skewMs };
    // The till's clock was known to be right when the sale was saved.
    if (saved.skewMs !== null && !isFar(saved.skewMs)) return row;
    // By the service's dates of then the till's clock was wrong, and the sale's time was corrected. Those dates may have been
    // the wrong ones. Within one run the present ones tell; after a new start nobody knows whether the clock was set.
    if (saved.skewMs !== null && !saved.isOfThisRun) return row;
    const occurredAtMs = correctedInstant(saved, now);
    const request = requestOf(row);
    if (occurredAtMs === null || request === null) return row;
    const body = JSON.stringify({ ...request, occurred_at: toInstant(occurredAtMs) });
    immediate.correctInstant(row.rowId, { occurredAtMs, body, skewMs });
    const { seal } = immediate.sent(row.rowId) ?? row;
    return { ...row, occurredAtMs, body, seal };
  }
}
