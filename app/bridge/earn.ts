import type { endpoints } from '../../shared/contract/endpoints.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Reply } from './answers.ts';
import { jsonAnswer } from './answers.ts';
import type { EndpointCall } from './endpoint-route.ts';
import { aboveLimit } from './immediate-answers.ts';
import { sees, takenByAnother } from './reach.ts';
import { serviceIdHeader } from './reads.ts';
import { referenceTaken } from './reference-taken.ts';
import type { BridgeAnswer } from './request-and-answer.ts';
import { standingView } from './standing-view.ts';

/**
 * Saves an earn. The answer comes as soon as it is on the disk, online or not. A repeat gets the first answer, in the
 * form of the service's own replay.
 */
export async function answerEarn(
  core: AgentCore,
  call: EndpointCall<typeof endpoints.earn>,
  operationId: string,
): Promise<Reply> {
  const { caller, body } = call;
  const outcome = await core.saveEarn({
    origin: 'bridge',
    posName: caller.name,
    operationId,
    request: body,
    customerName: null,
    receiptNumber: null,
    idempotencyKey: call.idempotencyKey,
    ...(caller.reach === 'all' ? {} : { isAnothers: (standing) => !sees(core, caller, standing) }),
  });
  switch (outcome.kind) {
    case 'saved':
      return takenAnswer(core, outcome.operation, outcome);
    case 'reference_taken':
      return sees(core, caller, outcome.operation)
        ? referenceTaken(outcome.operation, outcome, core.standingFor(outcome.operation))
        : takenByAnother(outcome.operation.externalRef);
    case 'above_limit':
      return aboveLimit(outcome.limit);
    case 'queue_full':
      return {
        status: 500,
        code: 'INTERNAL',
        message: `Nothing was saved: ${outcome.maxQueue} operations are waiting already. Try again when the connection is back.`,
        details: ['queue_full'],
      };
    case 'not_saved':
      return {
        status: 500,
        code: 'INTERNAL',
        message: `Nothing was saved: ${outcome.isFault ? 'this till has a fault' : 'the disk could not be written'}. Keep the receipt. (${outcome.message})`,
        details: ['not_saved'],
      };
    default:
      return assertNever(outcome);
  }
}

function takenAnswer(
  core: AgentCore,
  operation: Operation,
  { duplicate }: { readonly duplicate: boolean },
): BridgeAnswer {
  const view = duplicate ? standingView(core, operation) : null;
  const headers = serviceIdHeader(view?.standing ?? operation);
  if (view !== null && view.own.status !== 'pending') return jsonAnswer(200, { ...view.own, duplicate }, headers);
  return jsonAnswer(202, { transaction_id: operation.transactionId, status: 'pending', duplicate }, headers);
}
