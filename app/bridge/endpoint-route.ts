import type { z } from 'zod';
import { fieldOf } from '../../shared/contract/differing-fields.ts';
import type { Endpoint } from '../../shared/contract/endpoints.ts';
import { readJson } from '../../shared/contract/json-body.ts';
import { holdsPaymentCard, paymentCardProblem } from '../../shared/contract/payment-card.ts';
import { maxBodyBytes } from '../../shared/contract/primitives.ts';
import { type Problem, validate, validateOftenEmpty } from '../../shared/contract/problems.ts';
import { readIdempotencyKey, readQuery, unreadableBody } from '../../shared/contract/request-parts.ts';
import type { Route } from '../../shared/contract/router.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { answeredWithin, lateFailure, lateReadFailure } from './answer-time.ts';
import { type Failure, invalidInput, type Reply } from './answers.ts';
import {
  failureWithoutPrefix,
  keyWithPrefix,
  prefixesOf,
  prefixMeant,
  withoutPrefix,
  withPrefix,
} from './reference-prefix.ts';
import type { BridgeRequest } from './request-and-answer.ts';
import type { Caller } from './tokens.ts';

/** Answers a request whose path was found. */
export type BridgeHandler = (request: BridgeRequest, match: RouteFacts) => Promise<Reply> | Reply;

/** What is known of a request, apart from its message. */
interface RouteFacts {
  readonly params: Readonly<Record<string, string>>;
  /** The query as it is in the target. */
  readonly search: string;
  readonly caller: Caller;
  /** The caller as its token is now, for answers that go on; null once it was revoked. */
  readonly callerNow: () => Caller | null;
}

/** A call whose parts all fit the endpoint's schemas. */
export interface EndpointCall<E extends Endpoint> {
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
  readonly idempotencyKey: string | null;
  readonly caller: Caller;
}

/**
 * The route of an endpoint of the specification: it checks the service's own schemas, then calls `answer`.
 *
 * @param more.whenLate the answer when `bridge.answer_within_ms` has passed
 * @param more.isTimed its reference is a receipt's number, which may come back with the next business day
 */
export function endpointRoute<const E extends Endpoint>(
  core: Pick<AgentCore, 'operationsByReference' | 'calendar' | 'clock' | 'machineClock' | 'settings' | 'status'>,
  endpoint: E,
  answer: (call: EndpointCall<E>) => Promise<Reply> | Reply,
  more: { readonly whenLate?: (call: EndpointCall<E>) => Reply; readonly isTimed?: boolean } = {},
): Route<BridgeHandler> {
  const { whenLate = endpoint.method === 'GET' ? lateReadFailure : lateFailure, isTimed = false } = more;
  const validParams = validateOftenEmpty<E['params']>(endpoint.params);
  const validQuery = validateOftenEmpty<E['query']>(endpoint.query);
  return {
    method: endpoint.method,
    path: `/v1${endpoint.path}`,
    target: async (request, { params: givenParams, search, caller }) => {
      const params = validParams(givenParams);
      if (params.kind === 'invalid') return invalidInput(params.problems);
      const given = readQuery(search);
      if (given.kind === 'bad') return invalidInput([given.problem]);
      const ownQuery = withPrefix(prefixMeant(core, caller, { value: given.value, isTimed: false }), given.value);
      if (ownQuery.kind === 'too_long') return invalidInput([ownQuery.problem]);
      const query = validQuery(ownQuery.value);
      if (query.kind === 'invalid') return invalidInput(query.problems);
      const givenKey = readIdempotencyKey(endpoint, request.header('idempotency-key'));
      if (givenKey.kind === 'bad') return invalidInput([givenKey.problem]);
      // No read waits for a body that nobody looks at.
      const json = endpoint.method === 'GET' ? noBody : await readBody(request, endpoint.bodyRule);
      if (json.kind === 'failure') return json.failure;
      const prefix = prefixMeant(core, caller, { value: json.value, isTimed });
      const key = keyWithPrefix(prefix, givenKey.value);
      if (key.kind === 'bad') return invalidInput([key.problem]);
      const ownBody = withPrefix(prefix, json.value);
      if (ownBody.kind === 'too_long') return invalidInput([ownBody.problem]);
      const body = validate<E['body']>(endpoint.body, ownBody.value);
      if (body.kind === 'invalid') return invalidInput(body.problems);
      const cards = paymentCardsIn(body.value);
      if (cards.length > 0) return invalidInput(cards);
      const call = {
        params: params.value,
        query: query.value,
        body: body.value,
        idempotencyKey: key.value,
        caller,
      };
      const { machineClock: clock, settings } = core;
      const limitMs = settings.bridge.answer_within_ms;
      const reply = await answeredWithin(answer(call), { clock, limitMs, whenLate: () => whenLate(call) });
      const references = [...ownQuery.references, ...ownBody.references];
      if ('code' in reply) return failureWithoutPrefix(prefixesOf(caller), reply, references);
      if (reply.body === null) return reply;
      return { ...reply, body: withoutPrefix(prefixesOf(caller), reply.body, references) };
    },
  };
}

/** The fields of a call that people write. References, identifiers and metadata come from machines. */
const writtenFields = ['name', 'reason', 'employee_ref'];

function paymentCardsIn(body: unknown): readonly Problem[] {
  const isHeldBy = (field: string) => {
    const value = fieldOf(body, field);
    return typeof value === 'string' && holdsPaymentCard(value);
  };
  return writtenFields.filter(isHeldBy).map((field) => ({ field, problem: paymentCardProblem }));
}

type GivenJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure };

const noBody: GivenJson = { kind: 'json', value: {} };

async function readBody(request: BridgeRequest, rule: Endpoint['bodyRule']): Promise<GivenJson> {
  const bytes = await request.readBody(maxBodyBytes);
  if (bytes === 'too_large') return fail(413, `The body must be at most ${maxBodyBytes} bytes.`);
  if (bytes === 'cut') return fail(400, 'Nothing was done: the body ended early.');
  if (bytes.length === 0) {
    if (rule !== 'required') return noBody;
    return { kind: 'failure', failure: invalidInput([{ field: 'body', problem: 'is required' }]) };
  }
  const unreadable = unreadableBody((name) => request.header(name));
  if (unreadable !== null) return fail(415, unreadable);
  const json = readJson(bytes, utf8);
  if (json.kind === 'bad') return { kind: 'failure', failure: invalidInput([json.problem]) };
  // What is sent to a call that takes no body is unknown fields, all of it.
  return rule === 'none' ? noBody : { kind: 'json', value: json.value };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function fail(status: number, message: string): GivenJson {
  return { kind: 'failure', failure: { status, code: 'VALIDATION_ERROR', message } };
}
