import { z } from 'zod';
import {
  alreadyEnrolledSchema,
  enrollPendingSchema,
  enrollRequestSchema,
  enrollResultSchema,
  verifyRequestSchema,
} from './enrollment.ts';
import { errorFactOf } from './error-facts.ts';
import type { ErrorCode } from './errors.ts';
import { identifierSchema } from './identifier.ts';
import { idInPath } from './primitives.ts';
import { customerProfileSchema } from './profile.ts';
import { commitRequestSchema, reservationSchema, reserveRequestSchema } from './reservation.ts';
import {
  byReferenceQuerySchema,
  earnReplaySchema,
  earnRequestSchema,
  historyQuerySchema,
  redeemRequestSchema,
  reversalAcceptedSchema,
  reverseByIdRequestSchema,
  reverseRequestSchema,
  transactionAcceptedSchema,
  transactionListSchema,
  transactionPageSchema,
  transactionSchema,
} from './transaction.ts';

/** Whether a call has a request body. */
type BodyRule = 'required' | 'optional' | 'none';

/** One call of the service. `path` is relative to `{base_url}`, with `{name}` for a path parameter. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  /** A read changes nothing and may be repeated at any time. */
  readonly kind: 'read' | 'write';
  /** Accepts the Idempotency-Key header (spec: "IK"). */
  readonly idempotencyKey: boolean;
  readonly bodyRule: BodyRule;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  /** Good answers by HTTP status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** Refusals by HTTP status, in addition to those of any call (`commonErrors`). */
  readonly errors: Readonly<Record<number, readonly ErrorCode[]>>;
  /** The body of a refusal that has more than the error object, by its code. */
  readonly refusalBodies?: Readonly<Partial<Record<ErrorCode, z.ZodType>>>;
}

const nothing = z.object({});
const notFound = { 404: ['VALIDATION_ERROR'] } as const;
const cardRefusals = ['CARD_NOT_ELIGIBLE', 'INSUFFICIENT_BALANCE', 'TEMPLATE_MECHANICS_UNKNOWN'] as const;
const reverseErrors = {
  400: ['VALIDATION_ERROR'],
  404: ['VALIDATION_ERROR'],
  409: ['ALREADY_REVERSED', 'DUPLICATE_TRANSACTION'],
  422: ['VALIDATION_ERROR'],
} as const;

/** The errors that any call may answer, in addition to its own (spec "Errors"; decisions "Errors and limits"). */
export const commonErrors = {
  400: ['VALIDATION_ERROR'],
  401: ['UNAUTHENTICATED'],
  403: ['TENANT_SUSPENDED'],
  405: ['VALIDATION_ERROR'],
  413: ['VALIDATION_ERROR'],
  415: ['VALIDATION_ERROR'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL'],
} as const satisfies Readonly<Record<number, readonly ErrorCode[]>>;

/**
 * THE table of the specification's thirteen calls ("Endpoints"). The service's routes, the typed client and the
 * bridge are all made from it.
 */
export const endpoints = {
  identify: {
    method: 'POST',
    path: '/customers/identify',
    summary: 'Find a customer and their cards',
    kind: 'read',
    idempotencyKey: false,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: identifierSchema,
    answers: { 200: customerProfileSchema },
    errors: { 404: ['CUSTOMER_NOT_FOUND'] },
  },
  enroll: {
    method: 'POST',
    path: '/customers/enroll',
    summary: 'Create a customer and send the verification code',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: enrollRequestSchema,
    answers: { 200: enrollResultSchema, 201: enrollResultSchema, 202: enrollPendingSchema },
    errors: { 409: ['ALREADY_ENROLLED', 'DUPLICATE_TRANSACTION'] },
    refusalBodies: { ALREADY_ENROLLED: alreadyEnrolledSchema },
  },
  verify: {
    method: 'POST',
    path: '/customers/enroll/verify',
    summary: 'Finish an enrollment with the code',
    kind: 'write',
    idempotencyKey: false,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: verifyRequestSchema,
    answers: { 200: enrollResultSchema, 201: enrollResultSchema },
    errors: { 409: ['ALREADY_ENROLLED'], 422: ['OTP_INVALID'] },
    refusalBodies: { ALREADY_ENROLLED: alreadyEnrolledSchema },
  },
  history: {
    method: 'GET',
    path: '/customers/{customer_id}/transactions',
    summary: "A customer's transactions, newest first",
    kind: 'read',
    idempotencyKey: false,
    bodyRule: 'none',
    params: z.object({ customer_id: idInPath }),
    query: historyQuerySchema,
    body: nothing,
    answers: { 200: transactionPageSchema },
    errors: { 404: ['CUSTOMER_NOT_FOUND'] },
  },
  earn: {
    method: 'POST',
    path: '/transactions/earn',
    summary: 'Grant loyalty value for a sale',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: earnRequestSchema,
    answers: { 200: earnReplaySchema, 202: z.union([earnReplaySchema, transactionAcceptedSchema]) },
    errors: {
      404: ['CUSTOMER_NOT_FOUND'],
      409: ['DUPLICATE_TRANSACTION'],
      422: ['CARD_NOT_ELIGIBLE', 'TEMPLATE_MECHANICS_UNKNOWN', 'VALIDATION_ERROR'],
    },
  },
  redeem: {
    method: 'POST',
    path: '/transactions/redeem',
    summary: 'Spend loyalty value',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: redeemRequestSchema,
    answers: { 200: transactionSchema },
    errors: {
      404: ['CUSTOMER_NOT_FOUND'],
      409: ['COUPON_ALREADY_REDEEMED', 'DUPLICATE_TRANSACTION'],
      422: cardRefusals,
      504: ['UPSTREAM_TIMEOUT'],
    },
  },
  reverse: {
    method: 'POST',
    path: '/transactions/reverse',
    summary: 'Undo an earlier transaction, named by its reference',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: reverseRequestSchema,
    answers: { 200: reversalAcceptedSchema, 202: reversalAcceptedSchema },
    errors: reverseErrors,
  },
  reverseById: {
    method: 'POST',
    path: '/transactions/{transaction_id}/reverse',
    summary: "Undo an earlier transaction, named by the service's id",
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'optional',
    params: z.object({ transaction_id: idInPath }),
    query: nothing,
    body: reverseByIdRequestSchema,
    answers: { 200: reversalAcceptedSchema, 202: reversalAcceptedSchema },
    errors: reverseErrors,
  },
  transaction: {
    method: 'GET',
    path: '/transactions/{transaction_id}',
    summary: 'One transaction: poll for its status and result',
    kind: 'read',
    idempotencyKey: false,
    bodyRule: 'none',
    params: z.object({ transaction_id: idInPath }),
    query: nothing,
    body: nothing,
    answers: { 200: transactionSchema },
    errors: notFound,
  },
  transactionsByReference: {
    method: 'GET',
    path: '/transactions',
    summary: 'The transactions of a reference, zero to many',
    kind: 'read',
    idempotencyKey: false,
    bodyRule: 'none',
    params: nothing,
    query: byReferenceQuerySchema,
    body: nothing,
    answers: { 200: transactionListSchema },
    errors: {},
  },
  reserve: {
    method: 'POST',
    path: '/redemptions/reserve',
    summary: 'Hold points or an amount for a cart',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: nothing,
    query: nothing,
    body: reserveRequestSchema,
    answers: { 200: reservationSchema, 201: reservationSchema },
    errors: {
      404: ['CUSTOMER_NOT_FOUND'],
      409: ['DUPLICATE_TRANSACTION'],
      422: [...cardRefusals, 'VALIDATION_ERROR'],
    },
  },
  commit: {
    method: 'POST',
    path: '/redemptions/{reservation_id}/commit',
    summary: 'Spend what a reservation holds: the order is paid',
    kind: 'write',
    idempotencyKey: true,
    bodyRule: 'required',
    params: z.object({ reservation_id: idInPath }),
    query: nothing,
    body: commitRequestSchema,
    answers: { 200: transactionSchema },
    errors: {
      404: ['VALIDATION_ERROR'],
      409: ['VALIDATION_ERROR', 'DUPLICATE_TRANSACTION'],
      410: ['RESERVATION_EXPIRED'],
      422: cardRefusals,
    },
  },
  release: {
    method: 'POST',
    path: '/redemptions/{reservation_id}/release',
    summary: 'Let go of what a reservation holds',
    kind: 'write',
    idempotencyKey: false,
    bodyRule: 'none',
    params: z.object({ reservation_id: idInPath }),
    query: nothing,
    body: nothing,
    answers: { 200: reservationSchema },
    errors: { 404: ['VALIDATION_ERROR'], 409: ['VALIDATION_ERROR'] },
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
export const endpointNames = Object.keys(endpoints) as readonly EndpointName[];

/**
 * Whether a code of the specification is one that the table has other calls answer with, and not this one, whatever the
 * status. Codes that we do not know are left out.
 */
export function isOfOtherCalls(name: EndpointName, code: string): boolean {
  const { errors }: Endpoint = endpoints[name];
  const codes: readonly string[] = [commonErrors, errors].flatMap((byStatus) => Object.values(byStatus).flat());
  return errorFactOf(code) !== null && !codes.includes(code);
}

/** The parameters of a call before the defaults are filled in. */
export type ParamsOf<N extends EndpointName> = z.input<Endpoints[N]['params']>;
export type QueryOf<N extends EndpointName> = z.input<Endpoints[N]['query']>;

/** Any of a call's good answers, parsed. */
export type AnswerOf<N extends EndpointName> = z.output<
  Endpoints[N]['answers'][keyof Endpoints[N]['answers']] & z.ZodType
>;

/** `/transactions/{transaction_id}` with its parameters put in, each percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`Path ${path} needs ${name}`);
    return encodeURIComponent(value);
  });
}
