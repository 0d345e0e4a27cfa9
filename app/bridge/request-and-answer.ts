/** A request to the bridge, over any transport. */
export interface BridgeRequest {
  readonly method: string;
  /** Path and query as they are in the request line. */
  readonly target: string;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined;
  /** Whether a header came more than once, so that its value is unclear. */
  isRepeated?(name: string): boolean;
  /** The whole body; `too_large` as soon as it is known to be longer than `maxBytes`, `cut` when the caller left. */
  readBody(maxBytes: number): Promise<Uint8Array | 'too_large' | 'cut'>;
  /** Called when the caller has sent a valid token, so that its connection is kept. */
  recognized?(): void;
}

export interface BridgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or null for no body. */
  readonly body: string | null;
  /** Bytes instead of JSON. */
  readonly bytes?: Uint8Array;
  /** An answer that goes on until either side ends it, instead of a body. @returns a function to call at its end */
  readonly stream?: (line: AnswerLine) => () => void;
}

/** The connection to the reader of an answer that goes on. */
export interface AnswerLine {
  write(text: string): void;
  end(): void;
}
