import type { IncomingCall, Outcome } from '../calls/exchange.ts';
import { readLimited } from './limited-body.ts';

/** A fault left the caller without a whole answer. */
export class ConnectionFaultError extends Error {
  override readonly name = 'ConnectionFaultError';
  readonly outcome: Exclude<Outcome['kind'], 'response'>;

  constructor(outcome: Exclude<Outcome['kind'], 'response'>) {
    super(`No answer came: ${outcome}`);
    this.outcome = outcome;
  }
}

/** The service's face for callers that hold a web Request: other servers of this process, and tests. */
export async function answerWebRequest(
  exchange: (call: IncomingCall) => Promise<Outcome>,
  request: Request,
): Promise<Response> {
  const { origin, pathname, search } = new URL(request.url);
  const outcome = await exchange({
    method: request.method,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    body: request.body === null ? null : await readLimited(request.body),
    address: null,
    origin,
  });
  if (outcome.kind !== 'response') throw new ConnectionFaultError(outcome.kind);
  const { status, headers, body } = outcome.response;
  return new Response(body, { status, headers });
}
