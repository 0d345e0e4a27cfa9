import { identifierEntry } from '../../../shared/contract/identifier.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { ClockSkew } from '../../line/clock-skew.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Delivery } from '../../store/schema/operation-values.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { BusinessCalendar } from './business-date.ts';
import { tillSaysMs } from './corrected-instant.ts';
import { givenKindOf, valuesOf } from './request-values.ts';
import type { NonEarnWrite, Write } from './write.ts';

interface NewRowsOptions {
  readonly operations: Pick<OperationStore, 'takeRowId'>;
  readonly clock: Clock;
  readonly skew: Pick<ClockSkew, 'skewMs'>;
  readonly calendar: BusinessCalendar;
  readonly newOperationId: () => string;
}

/** When something happens, by the till's clock and by its own word. */
interface WriteMoment
  extends Pick<NewOperation, 'occurredAtMs' | 'occurredAtFrom' | 'businessDate' | 'tillTimeMs' | 'clockSkewMs'> {
  /** What time the till says it is. */
  readonly saidMs: number;
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

  /** The row of a write for which somebody waits. */
  immediate(write: NonEarnWrite): NewOperation {
    return this.rowOf(write, { delivery: 'immediate', moment: this.moment(), rowId: this.takeRowId() });
  }

  /** The row of a write that waits in the queue until it can be sent. */
  deferred(write: NonEarnWrite): NewOperation {
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
  moment(said?: string): WriteMoment {
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
    write: Write,
    { delivery, moment, rowId }: { readonly delivery: Delivery; readonly moment: WriteMoment; readonly rowId: number },
  ): NewOperation {
    return newRow(write, { delivery, moment, rowId, monotonicMs: this.#options.clock.monotonicMs() });
  }
}

/** The one place where a row gets the columns that it is saved with. */
function newRow(
  write: Write,
  saved: {
    readonly delivery: Delivery;
    readonly moment: WriteMoment;
    readonly rowId: number;
    readonly monotonicMs: number;
  },
): NewOperation {
  const { delivery, moment, rowId, monotonicMs } = saved;
  const identifier = write.identifier === null ? null : identifierEntry(write.identifier);
  return {
    rowId,
    operationId: write.operationId,
    intent: write.intent,
    delivery,
    origin: write.origin,
    posName: write.posName ?? null,
    // An empty one names nobody.
    employeeRef: (write.employeeRef ?? write.body?.employee_ref) || null,
    state: 'queued',
    externalRef: write.externalRef,
    identifierKind: identifier?.kind ?? null,
    identifierValue: identifier?.value ?? null,
    customerName: write.customerName,
    givenName: write.givenName ?? null,
    givenKind: givenKindOf(write.body),
    ...valuesOf(write.body),
    occurredAtMs: moment.occurredAtMs,
    occurredAtFrom: moment.occurredAtFrom,
    businessDate: moment.businessDate,
    tillTimeMs: moment.tillTimeMs,
    monotonicMs,
    clockSkewMs: moment.clockSkewMs,
    path: write.path,
    // No body at all is kept as no bytes.
    body: write.body === null ? '' : JSON.stringify(write.body),
    idempotencyKey: write.idempotencyKey,
    savedAtMs: moment.tillTimeMs,
    reversesRowId: write.reversesRowId,
    replacesRowId: null,
  };
}
