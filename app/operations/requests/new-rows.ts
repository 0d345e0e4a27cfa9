import type { Clock } from '../../../shared/lib/clock.ts';
import type { ClockSkew } from '../../line/clock-skew.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Delivery } from '../../store/schema/operation-values.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { BusinessCalendar } from './business-date.ts';
import { tillSaysMs } from './corrected-instant.ts';
import { type AnyWrite, type ImmediateWrite, type Moment, newRow } from './immediate-write.ts';

interface NewRowsOptions {
  readonly operations: Pick<OperationStore, 'takeRowId'>;
  readonly clock: Clock;
  readonly skew: Pick<ClockSkew, 'skewMs'>;
  readonly calendar: BusinessCalendar;
  readonly newOperationId: () => string;
}

/** Makes the rows of writes, which are not saved yet. */
export class NewRows {
  readonly #options: NewRowsOptions;

  constructor(options: NewRowsOptions) {
    this.#options = options;
  }

  /** The id of an operation for which no press or request has one. */
  newOperationId(): string {
    return this.#options.newOperationId();
  }

  /** Of a write for which somebody waits. */
  immediate(write: ImmediateWrite): NewOperation {
    return this.rowOf(write, { delivery: 'immediate', moment: this.moment(), rowId: this.takeRowId() });
  }

  /** Of one that is sent when it can be. */
  deferred(write: ImmediateWrite): NewOperation {
    return this.rowOf(write, { delivery: 'deferred', moment: this.moment(), rowId: this.takeRowId() });
  }

  /** Place in the order of saving, which nobody else gets. */
  takeRowId(): number {
    return this.#options.operations.takeRowId();
  }

  /**
   * Now, for the service takes no `occurred_at` for most writes.
   *
   * @param said the caller's own word, which stands
   */
  moment(said?: string): Moment {
    const { clock, skew, calendar } = this.#options;
    const { skewMs: clockSkewMs } = skew;
    const tillTimeMs = clock.now();
    const saidMs = tillSaysMs(tillTimeMs, clockSkewMs);
    const occurredAtMs = said === undefined ? saidMs : Date.parse(said);
    return {
      saidMs,
      occurredAtMs,
      occurredAtFrom: said === undefined ? 'till' : 'caller',
      businessDate: calendar.dateOf(occurredAtMs),
      tillTimeMs,
      clockSkewMs,
    };
  }

  /** @param rowId one of `takeRowId` */
  rowOf(
    write: AnyWrite,
    { delivery, moment, rowId }: { readonly delivery: Delivery; readonly moment: Moment; readonly rowId: number },
  ): NewOperation {
    return newRow(write, { delivery, moment, rowId, monotonicMs: this.#options.clock.monotonicMs() });
  }
}
