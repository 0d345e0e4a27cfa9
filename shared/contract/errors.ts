import { z } from 'zod';

/** What a code stands for: its usual HTTP status and whether the same request may be sent again as it is. */
export interface ErrorFact {
  readonly status: number;
  readonly retryable: boolean;
}

/**
 * Every error code of the specification ("Errors"); statuses and `retryable` that it leaves open are from the
 * decisions ("Errors and limits"). VALIDATION_ERROR also comes with 404, 405, 409, 413, 415 and 422.
 */
export const errorFacts = {
  UNAUTHENTICATED: { status: 401, retryable: false },
  CUSTOMER_NOT_FOUND: { status: 404, retryable: false },
  CARD_NOT_ELIGIBLE: { status: 422, retryable: false },
  INSUFFICIENT_BALANCE: { status: 422, retryable: false },
  COUPON_ALREADY_REDEEMED: { status: 409, retryable: false },
  RESERVATION_EXPIRED: { status: 410, retryable: false },
  VALIDATION_ERROR: { status: 400, retryable: false },
  TENANT_SUSPENDED: { status: 403, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  UPSTREAM_TIMEOUT: { status: 504, retryable: true },
  TEMPLATE_MECHANICS_UNKNOWN: { status: 422, retryable: false },
  ALREADY_REVERSED: { status: 409, retryable: false },
  ALREADY_ENROLLED: { status: 409, retryable: false },
  OTP_INVALID: { status: 422, retryable: false },
  DUPLICATE_TRANSACTION: { status: 409, retryable: false },
  INTERNAL: { status: 500, retryable: true },
} as const satisfies Record<string, ErrorFact>;

export type ErrorCode = keyof typeof errorFacts;
export const errorCodes = Object.keys(errorFacts) as [ErrorCode, ...ErrorCode[]];

/** The error object as we write it. */
export const errorObjectSchema = z
  .object({
    code: z.enum(errorCodes),
    message: z.string(),
    retryable: z.boolean(),
    request_id: z.string(),
    details: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorObject = z.infer<typeof errorObjectSchema>;

export const errorBodySchema = z.object({ error: errorObjectSchema }).meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The error object as we read it: a service may know codes that we do not. */
export const receivedErrorSchema = z.object({
  code: z.string().min(1),
  message: z.string(),
  retryable: z.boolean(),
  request_id: z.string(),
  details: z.array(z.unknown()).optional(),
});
export type ReceivedError = z.infer<typeof receivedErrorSchema>;
export const receivedErrorBodySchema = z.object({ error: receivedErrorSchema });

/** One error object of a code, with its usual `retryable`. */
export function errorObject(
  code: ErrorCode,
  facts: { readonly message: string; readonly requestId: string; readonly details?: readonly unknown[] },
): ErrorObject {
  const { message, requestId, details } = facts;
  const base = { code, message, retryable: errorFacts[code].retryable, request_id: requestId };
  return details === undefined ? base : { ...base, details: [...details] };
}
