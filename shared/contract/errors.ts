import { z } from 'zod';
import { type ErrorCode, errorCodes, errorFacts } from './error-facts.ts';

export { type ErrorCode, errorCodes, errorFacts } from './error-facts.ts';

/** The error object as we write it. */
export const errorObjectSchema = z.lazy(() =>
  z
    .object({
      code: z.enum(errorCodes),
      message: z.string(),
      retryable: z.boolean(),
      request_id: z.string(),
      details: z.array(z.unknown()).optional(),
    })
    .meta({ id: 'Error' }),
);
export type ErrorObject = z.infer<typeof errorObjectSchema>;

export const errorBodySchema = z.lazy(() => z.object({ error: errorObjectSchema }).meta({ id: 'ErrorBody' }));

/**
 * The error object as we read it: a service may know codes that we do not. Details are a hint, so that what is no list, such
 * as null, is none.
 */
export const receivedErrorSchema = z.lazy(() =>
  z.object({
    code: z.string().min(1),
    message: z.string(),
    retryable: z.boolean(),
    request_id: z.string(),
    details: z.array(z.unknown()).optional().catch(undefined),
  }),
);
export type ReceivedError = z.infer<typeof receivedErrorSchema>;
export const receivedErrorBodySchema = z.lazy(() => z.object({ error: receivedErrorSchema }));

/** In the details of DUPLICATE_TRANSACTION: not the reference, but the Idempotency-Key was used before. */
export const keyReusedDetail = 'idempotency_key_reused';

/** One error object of a code, with its usual `retryable`. */
export function errorObject(
  code: ErrorCode,
  facts: { readonly message: string; readonly requestId: string; readonly details?: readonly unknown[] },
): ErrorObject {
  const { message, requestId, details } = facts;
  const base = { code, message, retryable: errorFacts[code].retryable, request_id: requestId };
  return details === undefined ? base : { ...base, details: [...details] };
}
