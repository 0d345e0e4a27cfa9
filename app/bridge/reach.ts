import type { Transaction } from '../../shared/contract/transaction.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/operation.ts';
import type { Failure } from './answers.ts';
import { isSame } from './joined-record.ts';
import { type Caller, mainName } from './tokens.ts';

type Core = Pick<AgentCore, 'operation'>;

/**
 * Whether a caller may see an operation of this till: what it took itself, with what was done to that, and as far as its
 * token reaches what others took (decision 0024).
 */
export function sees(core: Core, caller: Caller, operation: Operation): boolean {
  if (isWithin(caller, operation)) return true;
  const before = operation.reversesRowId ?? operation.replacesRowId;
  const first = before === null ? null : core.operation(before);
  return first !== null && isWithin(caller, first);
}

/** Whether a caller may take an operation back: what it took itself, or anything where it shares. */
export function mayUndo(caller: Caller, operation: Operation): boolean {
  return caller.reach === 'all' || takerOf(operation) === caller.name;
}

/** Whether a record of the service's books is an operation of this till that is not the caller's to see. */
export function isHidden(
  core: Core & Pick<AgentCore, 'operationByTransactionId' | 'operationsByReference'>,
  caller: Caller,
  record: Transaction,
): boolean {
  const byId = core.operationByTransactionId(record.transaction_id);
  const ours = [...(byId === null ? [] : [byId]), ...core.operationsByReference(record.external_ref)];
  return ours.some((operation) => isSame(operation, record) && !sees(core, caller, operation));
}

/**
 * Whether an id of the service's (of a reservation, an enrollment, a transaction) belongs to an operation that is not
 * the caller's to go on with.
 */
export function isAnothers(core: Pick<AgentCore, 'operationByTransactionId'>, caller: Caller, id: string): boolean {
  const operation = core.operationByTransactionId(id);
  return operation !== null && !mayUndo(caller, operation);
}

/** What is told where a reference stands for a request that is not the caller's: nothing of that one. */
export function referenceOfAnother(
  core: Core & Pick<AgentCore, 'operationsByReference'>,
  caller: Caller,
  reference: string,
): Failure | null {
  const isFree = core.operationsByReference(reference).every((operation) => sees(core, caller, operation));
  return isFree ? null : takenByAnother(reference);
}

export function takenByAnother(reference: string): Failure {
  return {
    status: 409,
    code: 'DUPLICATE_TRANSACTION',
    message: `Nothing was done: external_ref ${reference} belongs to another program of this till.`,
    details: ['reference_of_another_program'],
  };
}

export const unknownTransaction: Failure = {
  status: 404,
  code: 'VALIDATION_ERROR',
  message: 'This agent has no transaction of that id.',
  details: ['transaction_not_found'],
};

function isWithin(caller: Caller, operation: Operation): boolean {
  if (mayUndo(caller, operation)) return true;
  return caller.reach === 'own_and_screen' && takerOf(operation) === null;
}

/** The POS program that took it; null for the till's own screen. The first one took what names no program. */
function takerOf({ posName, origin }: Operation): string | null {
  return posName ?? (origin === 'bridge' ? mainName : null);
}
