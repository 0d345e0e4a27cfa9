import { type Endpoint, endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { ImmediateOutcome } from '../operations/immediate-outcome.ts';
import { type ImmediateWrite, type RequestValues, referenceOfEach } from '../operations/immediate-write.ts';
import type { Reply } from './answers.ts';
import type { EndpointCall } from './endpoint-route.ts';
import { answerOutcome, type GoodAnswer } from './immediate-answers.ts';
import { serviceIdHeader } from './reads.ts';
import { transactionView } from './transaction-view.ts';

type Core = Pick<AgentCore, 'perform' | 'settings'>;

/**
 * A POS program resends by itself, so the first attempt is all that it is kept waiting for: what is not known then is
 * told within a second, and its retry finds out (design "Others").
 */
const bridgeWait = { waitMs: 0 };

interface Written {
  readonly endpoint: Endpoint;
  readonly intent: ImmediateWrite['intent'];
  readonly operationId: string;
  readonly posName: string;
  readonly idempotencyKey: string | null;
  readonly externalRef: string;
  readonly body: (RequestValues & object) | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly identifier?: Identifier;
}

async function carry(core: Core, written: Written): Promise<ImmediateOutcome> {
  return core.perform(
    {
      origin: 'bridge',
      posName: written.posName,
      operationId: written.operationId,
      intent: written.intent,
      path: fillPath(written.endpoint.path, written.params ?? {}),
      body: written.body,
      externalRef: written.externalRef,
      identifier: written.identifier ?? null,
      customerName: null,
      idempotencyKey: written.idempotencyKey,
      reversesRowId: null,
    },
    bridgeWait,
  );
}

/** An amount without a currency is the shop's; the service would take it as KWD (design "Filled in when absent"). */
function inShopCurrency<Body extends RequestValues>(body: Body, currency: string): Body {
  return body.amount_minor === undefined || body.currency !== undefined ? body : { ...body, currency };
}

export async function answerRedeem(
  core: Core,
  call: EndpointCall<typeof endpoints.redeem>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.redeem,
    intent: 'redeem',
    operationId,
    posName: call.caller.name,
    idempotencyKey,
    externalRef: body.external_ref,
    body: inShopCurrency({ ...body, branch_ref: body.branch_ref ?? core.settings.branch_ref }, core.settings.currency),
    identifier: body.identifier,
  });
  return answerOutcome(outcome, transactionAnswer);
}

export async function answerEnroll(
  core: Core,
  call: EndpointCall<typeof endpoints.enroll>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.enroll,
    intent: 'enroll',
    operationId,
    posName: call.caller.name,
    idempotencyKey,
    externalRef: referenceOfEach(body.external_ref, operationId),
    body,
  });
  return answerOutcome(outcome, ({ answer }) => {
    if (answer.status === 'awaiting_otp') return { status: 202, body: answer };
    return { status: answer.duplicate === true ? 200 : 201, body: answer };
  });
}

export async function answerVerify(
  core: Core,
  call: EndpointCall<typeof endpoints.verify>,
  operationId: string,
): Promise<Reply> {
  const { body } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.verify,
    intent: 'verify',
    operationId,
    posName: call.caller.name,
    idempotencyKey: null,
    externalRef: referenceOfEach(body.enrollment_id, operationId),
    body,
  });
  return answerOutcome(outcome, madeAnswer);
}

export async function answerReserve(
  core: Core,
  call: EndpointCall<typeof endpoints.reserve>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.reserve,
    intent: 'reserve',
    operationId,
    posName: call.caller.name,
    idempotencyKey,
    externalRef: referenceOfEach(body.external_ref, operationId),
    body: inShopCurrency(body, core.settings.currency),
    identifier: body.identifier,
  });
  return answerOutcome(outcome, madeAnswer);
}

export async function answerCommit(
  core: Core,
  call: EndpointCall<typeof endpoints.commit>,
  operationId: string,
): Promise<Reply> {
  const { body, params, idempotencyKey } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.commit,
    intent: 'commit',
    operationId,
    posName: call.caller.name,
    idempotencyKey,
    externalRef: body.external_ref,
    body,
    params,
  });
  return answerOutcome(outcome, transactionAnswer);
}

export async function answerRelease(
  core: Core,
  call: EndpointCall<typeof endpoints.release>,
  operationId: string,
): Promise<Reply> {
  const { params } = call;
  const outcome = await carry(core, {
    endpoint: endpoints.release,
    intent: 'release',
    operationId,
    posName: call.caller.name,
    idempotencyKey: null,
    externalRef: referenceOfEach(params.reservation_id, operationId),
    body: null,
    params,
  });
  return answerOutcome(outcome, ({ answer }) => ({ status: 200, body: answer }));
}

/** Made now, or a replay of what was made before. */
function madeAnswer({ answer }: GoodAnswer): { readonly status: number; readonly body: object } {
  return { status: answer.duplicate === true ? 200 : 201, body: answer };
}

/** A transaction under the agent's own id; its state is the row's, which may have gone on since. */
function transactionAnswer({ answer, operation, duplicate }: GoodAnswer) {
  // The service's own words are erased after the retention time; the row still has the values.
  const told = operation.answer === null ? { ...answer, ...transactionView(operation) } : answer;
  const status = operation.state === 'reversed' ? 'reversed' : told.status;
  const body = {
    ...told,
    transaction_id: operation.transactionId,
    status,
    duplicate: duplicate || answer.duplicate === true,
  };
  return { status: 200, body, headers: serviceIdHeader(operation) };
}
