import { type Endpoint, endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { referenceOfEach } from '../operations/requests/asked-reference.ts';
import type { RequestValues } from '../operations/requests/request-values.ts';
import type { NonEarnWrite } from '../operations/requests/write.ts';
import type { Failure, Reply } from './answers.ts';
import type { EndpointCall } from './endpoint-route.ts';
import { answerOutcome, type GoodAnswer } from './immediate-answers.ts';
import { performOnce, writeOf } from './performed-write.ts';
import { isAnothers, referenceOfAnother } from './reach.ts';
import { serviceIdHeader } from './reads.ts';
import type { Caller } from './tokens.ts';
import { statusOf, transactionView } from './transaction-view.ts';

type Core = Pick<
  AgentCore,
  'perform' | 'settings' | 'operation' | 'operationsByReference' | 'operationsByServiceTransactionId'
>;

interface Written {
  readonly endpoint: Endpoint;
  readonly intent: NonEarnWrite['intent'];
  readonly operationId: string;
  readonly caller: Caller;
  /** The service's id of what was begun before: a reservation, an enrollment. */
  readonly begun?: { readonly id: string; readonly unknown: Failure };
  readonly idempotencyKey: string | null;
  readonly externalRef: string;
  readonly body: (RequestValues & object) | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly identifier?: Identifier;
}

/** Carries a write out, unless another program of this till has begun it or uses its reference. */
async function carry(core: Core, written: Written, good: Parameters<typeof answerOutcome>[1]): Promise<Reply> {
  const { caller, begun } = written;
  if (begun !== undefined && isAnothers(core, caller, begun.id)) return begun.unknown;
  const another = () => referenceOfAnother(core, caller, written.externalRef);
  const refused = another();
  if (refused !== null) return refused;
  const { operationId, intent, endpoint, params = {}, body, externalRef, identifier = null } = written;
  const path = fillPath(endpoint.path, params);
  const write = writeOf(written, { operationId, intent, path, body, externalRef, identifier });
  const outcome = await performOnce(core, write);
  // Another program may have saved the same reference first.
  return ('operation' in outcome ? another() : null) ?? answerOutcome(outcome, good);
}

/**
 * Gives an amount without a currency the shop's currency. The service would take KWD (design "Filled in when absent").
 */
function inShopCurrency<Body extends RequestValues>(body: Body, currency: string): Body {
  return body.amount_minor === undefined || body.currency !== undefined ? body : { ...body, currency };
}

export async function answerRedeem(
  core: Core,
  call: EndpointCall<typeof endpoints.redeem>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  return carry(
    core,
    {
      endpoint: endpoints.redeem,
      intent: 'redeem',
      operationId,
      caller: call.caller,
      idempotencyKey,
      externalRef: body.external_ref,
      body: inShopCurrency(
        { ...body, branch_ref: body.branch_ref ?? core.settings.branch_ref },
        core.settings.currency,
      ),
      identifier: body.identifier,
    },
    transactionAnswer,
  );
}

export async function answerEnroll(
  core: Core,
  call: EndpointCall<typeof endpoints.enroll>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  return carry(
    core,
    {
      endpoint: endpoints.enroll,
      intent: 'enroll',
      operationId,
      caller: call.caller,
      idempotencyKey,
      externalRef: referenceOfEach(body.external_ref, operationId),
      body: { ...body, branch_ref: body.branch_ref ?? core.settings.branch_ref },
    },
    (good) => (good.answer.status === 'awaiting_otp' ? { status: 202, body: good.answer } : madeAnswer(good)),
  );
}

export async function answerVerify(
  core: Core,
  call: EndpointCall<typeof endpoints.verify>,
  operationId: string,
): Promise<Reply> {
  const { body } = call;
  return carry(
    core,
    {
      endpoint: endpoints.verify,
      intent: 'verify',
      operationId,
      caller: call.caller,
      idempotencyKey: null,
      begun: { id: body.enrollment_id, unknown: unknownEnrollment },
      externalRef: referenceOfEach(body.enrollment_id, operationId),
      body,
    },
    madeAnswer,
  );
}

export async function answerReserve(
  core: Core,
  call: EndpointCall<typeof endpoints.reserve>,
  operationId: string,
): Promise<Reply> {
  const { body, idempotencyKey } = call;
  return carry(
    core,
    {
      endpoint: endpoints.reserve,
      intent: 'reserve',
      operationId,
      caller: call.caller,
      idempotencyKey,
      externalRef: referenceOfEach(body.external_ref, operationId),
      body: inShopCurrency(body, core.settings.currency),
      identifier: body.identifier,
    },
    madeAnswer,
  );
}

export async function answerCommit(
  core: Core,
  call: EndpointCall<typeof endpoints.commit>,
  operationId: string,
): Promise<Reply> {
  const { body, params, idempotencyKey } = call;
  return carry(
    core,
    {
      endpoint: endpoints.commit,
      intent: 'commit',
      operationId,
      caller: call.caller,
      idempotencyKey,
      begun: { id: params.reservation_id, unknown: unknownReservation },
      externalRef: body.external_ref,
      body,
      params,
    },
    transactionAnswer,
  );
}

export async function answerRelease(
  core: Core,
  call: EndpointCall<typeof endpoints.release>,
  operationId: string,
): Promise<Reply> {
  const { params } = call;
  return carry(
    core,
    {
      endpoint: endpoints.release,
      intent: 'release',
      operationId,
      caller: call.caller,
      idempotencyKey: null,
      begun: { id: params.reservation_id, unknown: unknownReservation },
      externalRef: referenceOfEach(params.reservation_id, operationId),
      body: null,
      params,
    },
    ({ answer }) => ({ status: 200, body: answer }),
  );
}

const unknownReservation: Failure = {
  status: 404,
  code: 'VALIDATION_ERROR',
  message: 'There is no such reservation.',
  details: ['reservation_not_found'],
};
const unknownEnrollment: Failure = {
  status: 422,
  code: 'OTP_INVALID',
  message: 'There is no such enrollment.',
  details: ['enrollment_not_found'],
};

/** The answer for something new, or for a replay. */
function madeAnswer({ answer, duplicate }: GoodAnswer): { readonly status: number; readonly body: object } {
  if (duplicate) return { status: 200, body: { ...answer, duplicate } };
  return { status: answer.duplicate === true ? 200 : 201, body: answer };
}

/** A transaction under the agent's own id. Its state is that of the row, which may be newer than the answer. */
function transactionAnswer({ answer, operation, duplicate }: GoodAnswer) {
  // A look or a poll has found the end since, which only the row knows.
  const isOvertaken =
    (answer.status === 'pending' || answer.status === 'processing') && statusOf(operation) !== 'pending';
  // The service's answer is erased after the retention time. The row still has the values.
  const isOfRow = operation.answer === null || isOvertaken;
  const told = isOfRow ? { ...answer, ...transactionView(operation) } : answer;
  const status = operation.state === 'reversed' ? 'reversed' : told.status;
  const body = {
    ...told,
    transaction_id: operation.transactionId,
    status,
    duplicate: duplicate || answer.duplicate === true,
  };
  return { status: 200, body, headers: serviceIdHeader(operation) };
}
