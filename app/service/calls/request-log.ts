/** One call as the control API's request log tells it. */
export interface LoggedRequest {
  /** When it came, on the service's clock. */
  readonly time_ms: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  /** Null when no answer was given. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly request_id: string;
  readonly external_ref: string | null;
  readonly duplicate: boolean;
  /** A replay whose body differs from the first request's. */
  readonly payload_differs: boolean;
  /** The fault that struck it, if any. */
  readonly fault: string | null;
}

/** What went over the line, as far as it is kept: `cut` tells that there was more. */
interface LoggedText {
  readonly text: string;
  readonly cut: boolean;
}

/** A call with what was said. Null: there was no body, or no answer. */
interface LoggedExchange extends LoggedRequest {
  readonly query: string;
  readonly request_body: LoggedText | null;
  readonly answer_body: LoggedText | null;
}

/** The bodies of a call as they came and went; they are made into text only when somebody looks. */
interface CallBodies {
  readonly query: string;
  readonly request: Uint8Array | null | 'too_large';
  readonly answer: string | null;
}

/** How many calls are remembered. */
export const keptRequests = 1000;
/** So much of each body is remembered: a thousand calls must not fill the memory. */
const keptBodyBytes = 8192;

/** The last calls, in memory. */
export interface RequestLog {
  add(request: LoggedRequest, bodies: CallBodies): void;
  /** Newest first. @param afterRequestId only those that came after this one; all when it is not known any more */
  latest(limit: number, afterRequestId?: string): readonly LoggedRequest[];
  find(requestId: string): LoggedExchange | null;
  /** @returns how many there were */
  clear(): number;
}

interface Entry {
  readonly request: LoggedRequest;
  readonly bodies: CallBodies;
}

export function createRequestLog(): RequestLog {
  let ring: Entry[] = [];
  let next = 0;
  return {
    add(request, bodies) {
      ring[next] = { request, bodies: shortened(bodies) };
      next = (next + 1) % keptRequests;
    },
    latest(limit, afterRequestId) {
      const newestFirst: LoggedRequest[] = [];
      for (let back = 1; back <= Math.min(limit, ring.length); back += 1) {
        const entry = ring[(next - back + ring.length) % ring.length];
        if (entry === undefined || entry.request.request_id === afterRequestId) break;
        newestFirst.push(entry.request);
      }
      return newestFirst;
    },
    find(requestId) {
      const entry = ring.find(({ request }) => request.request_id === requestId);
      if (entry === undefined) return null;
      const { request, bodies } = entry;
      return { ...request, query: bodies.query, request_body: requestText(bodies), answer_body: answerText(bodies) };
    },
    clear() {
      const count = ring.length;
      ring = [];
      next = 0;
      return count;
    },
  };
}

/** One byte more than is shown tells later that there was more. */
function shortened({ query, request, answer }: CallBodies): CallBodies {
  const isLong = request instanceof Uint8Array && request.byteLength > keptBodyBytes + 1;
  return {
    query,
    // A copy: a view of it would hold on to the whole.
    request: isLong ? Uint8Array.from(request.subarray(0, keptBodyBytes + 1)) : request,
    answer: answer === null ? null : answer.slice(0, keptBodyBytes + 1),
  };
}

function requestText({ request }: CallBodies): LoggedText | null {
  if (request === null || request.length === 0) return null;
  if (request === 'too_large') return { text: '', cut: true };
  return { text: Buffer.from(request.subarray(0, keptBodyBytes)).toString(), cut: request.length > keptBodyBytes };
}

function answerText({ answer }: CallBodies): LoggedText | null {
  if (answer === null || answer === '') return null;
  return { text: answer.slice(0, keptBodyBytes), cut: answer.length > keptBodyBytes };
}
