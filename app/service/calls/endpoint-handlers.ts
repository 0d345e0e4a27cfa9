import type { z } from 'zod';
import { type Endpoint, type EndpointName, endpoints } from '../../../shared/contract/endpoints.ts';
import type { Refusal, Result } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import { commit } from '../rules/commit.ts';
import { earn } from '../rules/earn.ts';
import { enroll } from '../rules/enroll.ts';
import { readHistory } from '../rules/history.ts';
import { identify } from '../rules/identify.ts';
import { redeem } from '../rules/redeem.ts';
import { release } from '../rules/release.ts';
import { reserve } from '../rules/reserve.ts';
import { reverse, reverseById } from '../rules/reverse.ts';
import { readTransaction, readTransactionsByReference } from '../rules/transaction-reads.ts';
import { verify } from '../rules/verify.ts';
import { validate, validateOftenEmpty } from '../validate.ts';

/** A call that fits the contract: its rules can run. */
export interface FittingCall {
  readonly kind: 'fits';
  run(): Result;
}

/** Checks a call against its endpoint's schemas. */
type EndpointHandler = (context: ServiceContext, call: Call) => FittingCall | Refusal;

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
  const validParams = validateOftenEmpty(endpoint.params);
  const validQuery = validateOftenEmpty(endpoint.query);
  return (context, call) => {
    const params = validParams(call.params);
    if (params.kind === 'refused') return params;
    const query = validQuery(call.query);
    if (query.kind === 'refused') return query;
    const body = validate(endpoint.body, call.body);
    if (body.kind === 'refused') return body;
    const valid = { ...call, params: params.value, query: query.value, body: body.value };
    const run = () => rules(context, valid);
    return { kind: 'fits', run: endpoint.kind === 'read' ? run : () => context.store.write(run) };
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
