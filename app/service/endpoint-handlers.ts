import type { z } from 'zod';
import { type Endpoint, type EndpointName, endpoints } from '../../shared/contract/endpoints.ts';
import type { Result } from './answer.ts';
import { commit } from './commit.ts';
import type { Call, ServiceContext } from './context.ts';
import { earn } from './earn.ts';
import { enroll } from './enroll.ts';
import { readHistory } from './history.ts';
import { identify } from './identify.ts';
import { redeem } from './redeem.ts';
import { release } from './release.ts';
import { reserve } from './reserve.ts';
import { reverse, reverseById } from './reverse.ts';
import { readTransaction, readTransactionsByReference } from './transaction-reads.ts';
import { validate } from './validate.ts';
import { verify } from './verify.ts';

/** Checks a call against its endpoint's schemas and runs its rules. */
export type EndpointHandler = (context: ServiceContext, call: Call) => Result;

interface Schemas<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly kind: Endpoint['kind'];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A write's rules run as one transaction of the store. */
function bind<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  endpoint: Schemas<Params, Query, Body>,
  rules: (context: ServiceContext, call: Call<z.output<Body>, z.output<Params>, z.output<Query>>) => Result,
): EndpointHandler {
  return (context, call) => {
    const params = validate(endpoint.params, call.params);
    if (params.kind === 'refused') return params;
    const query = validate(endpoint.query, call.query);
    if (query.kind === 'refused') return query;
    const body = validate(endpoint.body, call.body);
    if (body.kind === 'refused') return body;
    const valid = { ...call, params: params.value, query: query.value, body: body.value };
    return endpoint.kind === 'read' ? rules(context, valid) : context.store.write(() => rules(context, valid));
  };
}

/** The rules behind each call of the specification. */
export const endpointHandlers: Readonly<Record<EndpointName, EndpointHandler>> = {
  identify: bind(endpoints.identify, identify),
  enroll: bind(endpoints.enroll, enroll),
  verify: bind(endpoints.verify, verify),
  history: bind(endpoints.history, readHistory),
  earn: bind(endpoints.earn, earn),
  redeem: bind(endpoints.redeem, redeem),
  reverse: bind(endpoints.reverse, reverse),
  reverseById: bind(endpoints.reverseById, reverseById),
  transaction: bind(endpoints.transaction, readTransaction),
  transactionsByReference: bind(endpoints.transactionsByReference, readTransactionsByReference),
  reserve: bind(endpoints.reserve, reserve),
  commit: bind(endpoints.commit, commit),
  release: bind(endpoints.release, release),
};
