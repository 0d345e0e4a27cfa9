import { errorCode } from '../../shared/lib/error-code.ts';
import type { Cause } from '../../shared/till/views.ts';
import { NoAnswer } from './exchange.ts';
import type { BytesSent } from './outcome.ts';

/** What a failed exchange means. */
interface Failure {
  readonly cause: Extract<Cause, 'offline' | 'tls' | 'timeout' | 'not_the_service'>;
  readonly sent: BytesSent;
}

const notConnected: Failure = { cause: 'offline', sent: 'none' };
const cut: Failure = { cause: 'offline', sent: 'maybe' };
const notSecure: Failure = { cause: 'tls', sent: 'none' };
const timedOut: Failure = { cause: 'timeout', sent: 'maybe' };
const nonsense: Failure = { cause: 'not_the_service', sent: 'maybe' };

/**
 * Error codes of the system, TLS and undici. What is not listed may have reached the service. `none` holds for a
 * connection that was not made: an open one can end with the same code.
 */
const failureByCode: ReadonlyMap<string, Failure> = new Map([
  ['ECONNREFUSED', notConnected],
  ['ENOTFOUND', notConnected],
  ['EAI_AGAIN', notConnected],
  ['EAI_FAIL', notConnected],
  ['EHOSTUNREACH', notConnected],
  ['EHOSTDOWN', notConnected],
  ['ENETUNREACH', notConnected],
  ['ENETDOWN', notConnected],
  ['EADDRNOTAVAIL', notConnected],
  ['UND_ERR_CONNECT_TIMEOUT', notConnected],
  ['ECONNRESET', cut],
  ['EPIPE', cut],
  ['UND_ERR_SOCKET', cut],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', cut],
  ['ETIMEDOUT', timedOut],
  ['UND_ERR_HEADERS_TIMEOUT', timedOut],
  ['UND_ERR_BODY_TIMEOUT', timedOut],
  ['UND_ERR_ABORTED', timedOut],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', nonsense],
  ['UND_ERR_HEADERS_OVERFLOW', nonsense],
  ['EPROTO', notSecure],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', notSecure],
  ['SELF_SIGNED_CERT_IN_CHAIN', notSecure],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', notSecure],
  ['UNABLE_TO_GET_ISSUER_CERT', notSecure],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', notSecure],
  ['HOSTNAME_MISMATCH', notSecure],
  ['ERR_TLS_KEY_NOT_PINNED', notSecure],
]);

/** Families of codes, for those that have many members. */
const failureByPrefix: readonly (readonly [string, Failure])[] = [
  ['CERT_', notSecure],
  ['ERR_TLS_', notSecure],
  ['ERR_SSL_', notSecure],
  ['HPE_', nonsense],
];

function failureOfCode(code: string): Failure | null {
  return failureByCode.get(code) ?? failureByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
}

/**
 * Tells the cause of an exchange that brought no answer, and whether a byte can have left. Of a request that was begun
 * one can, whatever its connection ended with.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof NoAnswer)) return failureOfError(error);
  const failure = failureOfError(error.cause);
  return error.isBegun && !isOfConnecting(error.cause) ? { ...failure, sent: 'maybe' } : failure;
}

/** The sandbox in this process begins a request before it refuses its connection. */
function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

/** Several addresses tried in a row (an AggregateError) were never reached only if none of them was. */
function failureOfError(error: unknown): Failure {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const failures = error.errors.map(failureOfError);
    return failures.find(({ sent }) => sent === 'maybe') ?? failures[0] ?? cut;
  }
  const known = failureOfCode(errorCode(error));
  if (known !== null) return known;
  // Its code is not always set.
  if (error instanceof Error && error.name === 'HTTPParserError') return nonsense;
  if (error instanceof Error && error.cause !== undefined) return failureOfError(error.cause);
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return timedOut;
  return cut;
}
