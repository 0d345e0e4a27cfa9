import { endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { originalByReference, standingFor } from '../operations/reversals/reversal-original.ts';
import { operationIdOf } from '../store/rows/reference.ts';
import type { Store } from '../store/store.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
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

export function readsOf(stores: OperationStores & Pick<Store, 'activity'>): Reads {
  const { operations, rows, activity } = stores;
  return {
    operation: (rowId) => operations.operation(rowId),
    standingFor: (operation) => standingFor(rows, operation),
    operationById: (operationId) => operations.operationById(operationId),
    operationByTransactionId(transactionId) {
      const operationId = operationIdOf(transactionId);
      return operationId === null
        ? operations.operationByServiceTransactionId(transactionId)
        : operations.operationById(operationId);
    },
    operationsByServiceTransactionId: (id) => operations.operationsByServiceTransactionId(id),
    operationsByReference: (externalRef) => operations.operationsByReference(externalRef),
    enrollmentsUnder: (externalRef) => rows.enrollmentsUnder(externalRef),
    recentOperations: ({ limit, beforeRowId }) => operations.recent(limit, beforeRowId ?? Number.MAX_SAFE_INTEGER),
    reversalOf: (rowId) => rows.reversalOf(rowId),
    passedOnReversals(id) {
      const byId = fillPath(endpoints.reverseById.path, { transaction_id: id });
      return rows.passedOnReversals(id, { byId, byReference: endpoints.reverse.path });
    },
    originalOf: (externalRef, intent) => originalByReference(stores, externalRef, intent),
    activity: (filter, page) => activity.look(filter, page, operations.counts.read()),
    sentRequest: (rowId) => activity.sentRequest(rowId),
    triesBefore: (rowId) => activity.triesBefore(rowId),
    history: (rowId) => operations.history(rowId),
  };
}
