// Only facts, without schemas, so that the page can load them alone.

/** The meaning of a code: its usual HTTP status, and whether the same request may be sent again unchanged. */
interface ErrorFact {
  readonly status: number;
  readonly retryable: boolean;
  /** The advice on the screen when a sale is refused with this code: a key of its words for refusals. */
  readonly advice: string;
}

/**
 * Every error code of the specification ("Errors"), one row each. Statuses and `retryable` that the specification
 * leaves open are from the decisions ("Errors and limits"). VALIDATION_ERROR also comes with 404, 405, 409, 413, 415
 * and 422.
 */
export const errorFacts = {
  UNAUTHENTICATED: { status: 401, retryable: false, advice: 'other' },
  CUSTOMER_NOT_FOUND: { status: 404, retryable: false, advice: 'customer_not_found' },
  CARD_NOT_ELIGIBLE: { status: 422, retryable: false, advice: 'card_not_eligible' },
  INSUFFICIENT_BALANCE: { status: 422, retryable: false, advice: 'insufficient_balance' },
  COUPON_ALREADY_REDEEMED: { status: 409, retryable: false, advice: 'coupon_used' },
  RESERVATION_EXPIRED: { status: 410, retryable: false, advice: 'hold_expired' },
  VALIDATION_ERROR: { status: 400, retryable: false, advice: 'invalid' },
  TENANT_SUSPENDED: { status: 403, retryable: false, advice: 'other' },
  RATE_LIMITED: { status: 429, retryable: true, advice: 'other' },
  UPSTREAM_TIMEOUT: { status: 504, retryable: true, advice: 'other' },
  TEMPLATE_MECHANICS_UNKNOWN: { status: 422, retryable: false, advice: 'mechanics_unknown' },
  ALREADY_REVERSED: { status: 409, retryable: false, advice: 'other' },
  ALREADY_ENROLLED: { status: 409, retryable: false, advice: 'other' },
  OTP_INVALID: { status: 422, retryable: false, advice: 'other' },
  DUPLICATE_TRANSACTION: { status: 409, retryable: false, advice: 'reference_taken' },
  INTERNAL: { status: 500, retryable: true, advice: 'other' },
} as const satisfies Record<string, ErrorFact>;

export type ErrorCode = keyof typeof errorFacts;
export const errorCodes = Object.keys(errorFacts) as [ErrorCode, ...ErrorCode[]];

/** @returns null for a code that this version does not know */
export function errorFactOf(code: string): (typeof errorFacts)[ErrorCode] | null {
  const known = errorCodes.find((name) => name === code);
  return known === undefined ? null : errorFacts[known];
}
