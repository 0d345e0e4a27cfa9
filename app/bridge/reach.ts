import type { Transaction } from '../../shared/contract/transaction.ts';
import { mainTokenName } from '../../shared/till/main-token.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure } from './answers.ts';
import { maybeSame } from './joined-record.ts';
import type { Caller } from './tokens.ts';

type Core = Pick<AgentCore, 'operation'>;

/**
 * Whether a caller may see an operation of this till. It sees its own operations, those that reverse or replace them, and
 * as many of the others' operations as its token allows (decision 0024).
 */
export function sees(core: Core, caller: Caller, operation: Operation): boolean {
  if (isWithin(caller, operation)) return true;
  const before = operation.reversesRowId ?? operation.replacesRowId;
  const first = before === null ? null : core.operation(before);
  return first !== null && isWithin(caller, first);
}

/** Whether a caller may undo an operation: its own ones, or all when its token is shared. */
export function mayUndo(caller: Caller, operation: Operation): boolean {
  return caller.reach === 'all' || hasTaken(caller, operation);
}

/** Whether a caller is the program that asked for an operation. */
export function hasTaken(caller: Caller, operation: Operation): boolean {
  return takerOf(operation) === caller.name;
}

/** Whether a service's record is an operation of this till that the caller may not see. */
export function isHidden(
  core: Core & Pick<AgentCore, 'operationByTransactionId' | 'operationsByReference' | 'enrollmentsUnder'>,
  caller: Caller,
  record: Transaction,
): boolean {
  if (record.intent === 'enroll') {
    // A second program that asked may have got the first one's enrollment as its answer. It sees the outcome, too.
    const enrollments = core.enrollmentsUnder(record.external_ref);
    return enrollments.length > 0 && !enrollments.some((operation) => sees(core, caller, operation));
  }
  const byId = core.operationByTransactionId(record.transaction_id);
  const ours = [...(byId === null ? [] : [byId]), ...core.operationsByReference(record.external_ref)];
  return ours.some((operation) => maybeSame(operation, record) && !sees(core, caller, operation));
}

/**
 * Whether a reservation or an enrollment, by the service's id, belongs only to other callers of this till. The service may
 * answer a second request with the one that is under way: then each caller who got the id may go on with it.
 */
export function isAnothers(
  core: Pick<AgentCore, 'operationsByServiceTransactionId'>,
  caller: Caller,
  id: string,
): boolean {
  const told = core.operationsByServiceTransactionId(id);
  return told.length > 0 && !told.some((operation) => mayUndo(caller, operation));
}

/** The answer when a reference belongs to a request that the caller may not see. It says nothing about that request. */
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

/**
 * The POS program that took an operation; null for the till's own screen. An operation of the bridge that names no program
 * counts as the main token's.
 */
function takerOf({ posName, origin }: Operation): string | null {
  return posName ?? (origin === 'bridge' ? mainTokenName : null);
}
