import { identifierEntry } from '../../shared/contract/identifier.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ClockSkew } from '../line/clock-skew.ts';
import type { NewOperation } from '../store/new-operation.ts';
import type { OperationStore } from '../store/operation-store.ts';
import type { Delivery } from '../store/operation-values.ts';
import type { BusinessCalendar } from './business-date.ts';
import { tillSaysMs } from './corrected-instant.ts';
import { type ImmediateWrite, valuesOf } from './immediate-write.ts';

export interface NewRowsOptions {
  readonly store: Pick<OperationStore, 'takeRowId'>;
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
    return this.#row(write, 'immediate');
  }

  /** Of one that is sent when it can be. */
  deferred(write: ImmediateWrite): NewOperation {
    return this.#row(write, 'deferred');
  }

  /** `occurred_at` is when it was asked for: the service takes none for these. */
  #row(write: ImmediateWrite, delivery: Delivery): NewOperation {
    const { store, clock, skew, calendar } = this.#options;
    const { skewMs: clockSkewMs } = skew;
    const nowMs = clock.now();
    const occurredAtMs = tillSaysMs(nowMs, clockSkewMs);
    const identifier = write.identifier === null ? null : identifierEntry(write.identifier);
    return {
      rowId: store.takeRowId(),
      operationId: write.operationId,
      intent: write.intent,
      delivery,
      origin: write.origin,
      posName: write.posName ?? null,
      state: 'queued',
      externalRef: write.externalRef,
      identifierKind: identifier?.kind ?? null,
      identifierValue: identifier?.value ?? null,
      customerName: write.customerName,
      givenName: write.givenName ?? null,
      ...valuesOf(write.body),
      occurredAtMs,
      occurredAtFrom: 'till',
      businessDate: calendar.dateOf(occurredAtMs),
      tillTimeMs: nowMs,
      monotonicMs: clock.monotonicMs(),
      clockSkewMs,
      path: write.path,
      body: frozenBody(write.body),
      idempotencyKey: write.idempotencyKey,
      savedAtMs: nowMs,
      reversesRowId: write.reversesRowId,
      replacesRowId: null,
    };
  }
}

/** No body at all is kept as no bytes. */
function frozenBody(body: object | null): string {
  return body === null ? '' : JSON.stringify(body);
}
