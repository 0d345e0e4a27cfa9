import { endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { originalByReference, standingFor } from '../operations/reversals/reversal-original.ts';
import { operationIdOf } from '../store/rows/reference.ts';
import type { Store } from '../store/store.ts';
import type { AgentCore } from './agent-core.ts';

/** What can be read of the operations, as of the last commit. */
type Reads = Pick<
  AgentCore,
  | 'operation'
  | 'standingFor'
  | 'operationById'
  | 'operationByTransactionId'
  | 'operationsByServiceTransactionId'
  | 'operationsByReference'
  | 'enrollmentsUnder'
  | 'recentOperations'
  | 'reversalOf'
  | 'passedOnReversals'
  | 'originalOf'
  | 'activity'
  | 'sentRequest'
  | 'triesBefore'
  | 'history'
>;

export function readsOf({
  operations,
  immediate,
  activity,
}: Pick<Store, 'operations' | 'immediate' | 'activity'>): Reads {
  return {
    operation: (rowId) => operations.operation(rowId),
    standingFor: (operation) => standingFor(immediate, operation),
    operationById: (operationId) => operations.operationById(operationId),
    operationByTransactionId(transactionId) {
      const operationId = operationIdOf(transactionId);
      return operationId === null
        ? operations.operationByServiceTransactionId(transactionId)
        : operations.operationById(operationId);
    },
    operationsByServiceTransactionId: (id) => operations.operationsByServiceTransactionId(id),
    operationsByReference: (externalRef) => operations.operationsByReference(externalRef),
    enrollmentsUnder: (externalRef) => immediate.enrollmentsUnder(externalRef),
    recentOperations: ({ limit, beforeRowId }) => operations.recent(limit, beforeRowId ?? Number.MAX_SAFE_INTEGER),
    reversalOf: (rowId) => immediate.reversalOf(rowId),
    passedOnReversals(id) {
      const byId = fillPath(endpoints.reverseById.path, { transaction_id: id });
      return immediate.passedOnReversals(id, { byId, byReference: endpoints.reverse.path });
    },
    originalOf: (externalRef, intent) => originalByReference({ store: operations, immediate }, externalRef, intent),
    activity: (filter, page) => activity.look(filter, page, operations.counts.read()),
    sentRequest: (rowId) => activity.sentRequest(rowId),
    triesBefore: (rowId) => activity.triesBefore(rowId),
    history: (rowId) => operations.history(rowId),
  };
}
