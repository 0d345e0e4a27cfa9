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

/** How many calls are remembered. */
export const keptRequests = 1000;

/** The last calls, in memory. */
export interface RequestLog {
  add(request: LoggedRequest): void;
  /** Newest first. */
  latest(limit: number): readonly LoggedRequest[];
  clear(): void;
}

export function createRequestLog(): RequestLog {
  let ring: LoggedRequest[] = [];
  let next = 0;
  return {
    add(request) {
      ring[next] = request;
      next = (next + 1) % keptRequests;
    },
    latest(limit) {
      const newestFirst: LoggedRequest[] = [];
      for (let back = 1; back <= Math.min(limit, ring.length); back += 1) {
        const request = ring[(next - back + ring.length) % ring.length];
        if (request !== undefined) newestFirst.push(request);
      }
      return newestFirst;
    },
    clear() {
      ring = [];
      next = 0;
    },
  };
}
