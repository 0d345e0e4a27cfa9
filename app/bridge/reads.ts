import type { endpoints } from '../../shared/contract/endpoints.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { AgentCore } from '../agent-core.ts';
import type { CallOutcome } from '../client/outcome.ts';
import { earnsOnly } from '../customers/earns-only.ts';
import type { Operation } from '../operations/operation.ts';
import { jsonAnswer, refusedAnswer, unknownFailure } from './answers.ts';
import type { EndpointCall, Reply } from './endpoint-route.ts';
import { transactionView } from './transaction-view.ts';

/** The service's own id of an operation, once known; `transaction_id` in a body is always the agent's. */
export function serviceIdHeader(operation: Operation): Readonly<Record<string, string>> {
  const id = operation.serviceTransactionId;
  return id === null ? {} : { 'x-service-transaction-id': id };
}

/** The customer as the service has them, or, when it cannot be asked, as they were seen last. */
export async function answerIdentify(core: AgentCore, call: EndpointCall<typeof endpoints.identify>): Promise<Reply> {
  const outcome = await core.identify(call.body);
  if (outcome.kind === 'unknown') {
    const kept = core.keptProfile(call.body);
    if (kept !== null) return jsonAnswer(200, earnsOnly(kept));
  }
  return passedOn(outcome);
}

/** From the row when the operation is ours, by either of its ids, else from the service. */
export async function answerTransaction(
  core: AgentCore,
  call: EndpointCall<typeof endpoints.transaction>,
): Promise<Reply> {
  const id = call.params.transaction_id;
  const operation = core.operationByTransactionId(id);
  const own = operation === null ? null : transactionView(operation);
  if (operation !== null && own !== null) return jsonAnswer(200, own, serviceIdHeader(operation));
  if (id.startsWith('txn_local_')) {
    return {
      status: 404,
      code: 'VALIDATION_ERROR',
      message: 'This agent has no transaction of that id.',
      details: ['transaction_not_found'],
    };
  }
  return passedOn(await core.readTransaction(id));
}

/** Ours and the service's of a reference, each once; offline ours alone. */
export async function answerByReference(
  core: AgentCore,
  call: EndpointCall<typeof endpoints.transactionsByReference>,
): Promise<Reply> {
  const reference = call.query.external_ref;
  const operations = core.operationsByReference(reference);
  const own = operations.flatMap((operation) => transactionView(operation) ?? []);
  const outcome = await core.readTransactionsByReference(reference);
  switch (outcome.kind) {
    case 'done': {
      const others = outcome.answer.data.filter((theirs) => !operations.some((ours) => isSame(ours, theirs)));
      return jsonAnswer(200, { data: [...own, ...others] });
    }
    case 'refused':
      return own.length > 0 ? jsonAnswer(200, { data: own }) : refusedAnswer(outcome);
    case 'unknown':
      return own.length > 0 ? jsonAnswer(200, { data: own }) : unknownFailure(outcome);
    default:
      return assertNever(outcome);
  }
}

export async function answerHistory(core: AgentCore, call: EndpointCall<typeof endpoints.history>): Promise<Reply> {
  const { cursor, limit } = call.query;
  return passedOn(await core.readHistory(call.params.customer_id, { cursor, limit }));
}

function passedOn<Answer>(outcome: CallOutcome<Answer>): Reply {
  switch (outcome.kind) {
    case 'done':
      return jsonAnswer(200, outcome.answer);
    case 'refused':
      return refusedAnswer(outcome);
    case 'unknown':
      return unknownFailure(outcome);
    default:
      return assertNever(outcome);
  }
}

/** States in which the service is proven to hold nothing of ours: what it has under the reference is another's. */
const provenAbsent: ReadonlySet<OperationState> = new Set(['refused', 'cancelled', 'written_off']);

// The service may hold an operation whose answer we never got: reference and intent tell it then, as they tell a
// replay there (spec "What the service does", 4).
function isSame(ours: Operation, theirs: Transaction): boolean {
  if (ours.serviceTransactionId !== null) return ours.serviceTransactionId === theirs.transaction_id;
  if (provenAbsent.has(ours.state)) return false;
  return transactionView(ours)?.intent === theirs.intent;
}
