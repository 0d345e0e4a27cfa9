import type { ReceivedError } from '../../../shared/contract/errors.ts';
import { type Clock, toInstant } from '../../../shared/lib/clock.ts';
import { isClockFar } from '../../../shared/till/limits.ts';
import type { ClockSkew } from '../../line/clock-skew.ts';
import type { ChangedInstant, SendableOperation } from '../../store/rows/delivery.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { RowStore, StoredClock } from '../../store/tables/row-store.ts';
import type { BusinessCalendar } from '../requests/business-date.ts';
import { correctedInstant } from '../requests/corrected-instant.ts';
import { namesTheTime } from '../requests/refused-time.ts';
import { requestOf } from '../requests/row-request.ts';

interface ClockCorrectionOptions {
  readonly operations: Pick<OperationStore, 'seals'>;
  readonly rows: RowStore;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly skew: Pick<ClockSkew, 'skewMs' | 'setByMs' | 'hasJumped' | 'hasBeenFar'>;
  /** A test clock is moved and held as a tester likes: its jumps are meant. */
  readonly isTestClock: boolean;
}

/**
 * Corrects the time of sales that were saved while the till's clock was wrong, once, before their first send
 * (design "Clock"), and again when a person sends a refused sale again. A time that the caller gave is never corrected.
 * The till's own time is kept beside the corrected one.
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
    const wasAlwaysRight = !isClockFar(skewMs ?? 0) && !skew.hasJumped && !skew.hasBeenFar;
    if (isTestClock || skewMs === null || wasAlwaysRight) return rows;
    return rows.map((row) => (row.send === 1 && row.intent === 'earn' ? this.#corrected(row, skewMs) : row));
  }

  /**
   * Makes the time anew of a refused sale that a person sends again, as it is or corrected: the dates by which its time was
   * made may have been the wrong ones. It is proven that the service holds nothing of the sale.
   *
   * @returns null to leave the time as it is
   */
  again(rowId: number, refusal: ReceivedError | null): ChangedInstant | null {
    const { rows, isTestClock, skew } = this.#options;
    const row = rows.sent(rowId);
    if (isTestClock || skew.skewMs === null || row?.intent !== 'earn') return null;
    const saved = rows.clockAtSave(rowId);
    // The first send has judged the time. After a new start nobody knows whether the clock was set since: then only a time
    // that the service refused is made anew.
    if (saved === null || !(saved.isOfThisRun || namesTheTime(refusal))) return null;
    return this.#instantOf(row, saved, skew.skewMs);
  }

  /**
   * The till's own time of a sale that was refused for the time by the service's dates, while the sale is so new that the
   * dates themselves must be wrong if the till's clock is right: a proxy on the way has another time than the service.
   * Asked once: the sale then has the till's own time.
   *
   * @returns null to leave the refusal to a person
   */
  ownTime(row: SendableOperation, refusal: ReceivedError): ChangedInstant | null {
    const { rows, clock } = this.#options;
    if (row.intent !== 'earn' || !namesTheTime(refusal)) return null;
    const saved = rows.clockAtSave(row.rowId);
    if (saved === null || saved.from === 'caller' || saved.skewMs === null) return null;
    const ageMs = clock.now() - saved.tillTimeMs;
    const movedMs = Math.abs(saved.occurredAtMs - saved.tillTimeMs);
    // A sale that is older than that may be too old by the right time, too.
    if (movedMs === 0 || ageMs < 0 || ageMs > movedMs) return null;
    return this.#changed(row, saved.tillTimeMs, saved.skewMs);
  }

  #corrected(row: SendableOperation, skewMs: number): SendableOperation {
    const { rows } = this.#options;
    const saved = rows.clockAtSave(row.rowId);
    // When the sale was saved, the till's clock was wrong by the service's dates, and the time was corrected. Those dates may
    // have been wrong. Within one run the present dates tell; after a new start nobody knows whether the clock was set.
    if (saved === null || (saved.skewMs !== null && !saved.isOfThisRun)) return row;
    // The first send of the sale that this one replaces has judged the time.
    if (saved.replacesRowId !== null) return row;
    const instant = this.#instantOf(row, saved, skewMs);
    if (instant === null) return row;
    rows.correctInstant(row.rowId, instant);
    const { seal } = rows.sent(row.rowId) ?? row;
    return { ...row, occurredAtMs: instant.occurredAtMs, body: instant.body, seal };
  }

  /** @returns null to leave the time as it is */
  #instantOf(row: SendableOperation, saved: StoredClock, skewMs: number): ChangedInstant | null {
    const { operations, clock, skew } = this.#options;
    // What was changed on the disk must not get our seal.
    if (!operations.seals.isSealIntact(row)) return null;
    if (saved.from === 'caller') return null;
    const now = { nowMs: clock.now(), monotonicMs: clock.monotonicMs(), skewMs, setByMs: skew.setByMs };
    // The till's clock was known to be right when the sale was saved.
    if (saved.skewMs !== null && !isClockFar(saved.skewMs)) return null;
    const occurredAtMs = correctedInstant(saved, now);
    return occurredAtMs === null ? null : this.#changed(row, occurredAtMs, skewMs);
  }

  /** @returns null where the request cannot be read */
  #changed(row: SendableOperation, occurredAtMs: number, skewMs: number): ChangedInstant | null {
    const request = requestOf(row);
    if (request === null) return null;
    const body = JSON.stringify({ ...request, occurred_at: toInstant(occurredAtMs) });
    return { occurredAtMs, businessDate: this.#options.calendar.dateOf(occurredAtMs), body, skewMs };
  }
}
