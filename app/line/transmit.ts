import type { AnswerOf, EndpointName } from '../../shared/contract/endpoints.ts';
import type { ServiceClient } from '../client/client.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { SendableOperation } from '../store/delivery.ts';
import type { OperationStore } from '../store/operation-store.ts';

/** Sends a row's frozen bytes, with what this agent knows that its answer must agree with. */
export type Transmit = <N extends EndpointName>(name: N, row: SendableOperation) => Promise<CallOutcome<AnswerOf<N>>>;

export function createTransmit({
  client,
  operations,
}: {
  readonly client: ServiceClient;
  readonly operations: OperationStore;
}): Transmit {
  return (name, row) => {
    if (row.intent !== 'reverse') return client.send(name, row);
    return client.send(name, row, { reversesTransactionId: operations.provenOriginalId(row.rowId) });
  };
}
