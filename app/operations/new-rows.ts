import type { Clock } from '../../shared/lib/clock.ts';
import type { ClockSkew } from '../line/clock-skew.ts';
import type { NewOperation } from '../store/new-operation.ts';
import type { OperationStore } from '../store/operation-store.ts';
import type { Delivery } from '../store/operation-values.ts';
import { type ImmediateWrite, immediateRow } from './immediate-write.ts';

export interface NewRowsOptions {
  readonly store: Pick<OperationStore, 'takeRowId'>;
  readonly clock: Clock;
  readonly skew: Pick<ClockSkew, 'skewMs'>;
  readonly businessDateOf: (epochMs: number) => string;
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

  #row(write: ImmediateWrite, delivery: Delivery): NewOperation {
    const { store, clock, skew, businessDateOf } = this.#options;
    return immediateRow(write, {
      rowId: store.takeRowId(),
      clock,
      clockSkewMs: skew.skewMs,
      businessDateOf,
      delivery,
    });
  }
}
