/** One call as a face (in process, HTTP, a web Request) hands it to the service. */
export interface IncomingCall {
  readonly method: string;
  /** Path and query, as on the request line: `/v1/transactions?external_ref=R-1`. */
  readonly target: string;
  /** A header by its lower-case name. */
  header(name: string): string | null;
  /** Null when there is none; `too_large` when it went over the limit and was not kept. */
  readonly body: Uint8Array | null | 'too_large';
  /** Where it comes from; null when it never left this process. */
  readonly address: string | null;
  /** Scheme, host and port by which the caller reached the service: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Told before a call waits whose key is good: its connection has to stay open until the outcome. */
  recognized?(): void;
}

/** The answer, for a face to write out. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What becomes of a call, for a face to carry out. All but the first are faults that a tester asked for. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: OutgoingAnswer }
  /** No connection was ever made. */
  | { readonly kind: 'no_connection' }
  /** The connection died before any of the answer came. */
  | { readonly kind: 'dropped' }
  /** The connection died in the middle of the answer's body. */
  | { readonly kind: 'partial'; readonly response: OutgoingAnswer };

/** How much of a body still comes in a `partial` outcome. */
export function truncated(body: string): Buffer {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
