import type { Operation } from '../store/schema/operation.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
import type { AttentionOutcome } from './attention-outcome.ts';
import { stepWithoutSend } from './settlement/settlement.ts';

/** What a step has done beside its outcome. It is told after the commit. */
export interface StepEffects {
  /** Rows that the step has changed. */
  readonly touched: number[];
  /** The step has sealed a request again that was changed on the disk. */
  isSealedAgain: boolean;
  /** The time that the step has given to a sale; null when it has given none. */
  givenTime: string | null;
}

/** An operation, as a person's decision finds it inside the transaction that carries the decision out. */
export interface Step {
  readonly operation: Operation;
  readonly effects: StepEffects;
}

/** What a decision changes of its operation, beside the event: nothing was sent, and the error stays told. */
export function decidedStep({ rowId, attempts, error }: Operation, nowMs: number) {
  return { ...stepWithoutSend({ rowId, attempts, maybeSent: false }, nowMs), error };
}

/** The decision is carried out on the operation itself. */
export function carriedOut(
  operations: OperationStores['operations'],
  { rowId }: Operation,
  { touched }: StepEffects,
): AttentionOutcome {
  touched.push(rowId);
  const operation = operations.operation(rowId);
  return operation === null ? { kind: 'not_found' } : { kind: 'done', operation };
}
