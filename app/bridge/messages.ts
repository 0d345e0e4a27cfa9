/** A request as the bridge sees it, whatever carries it. */
export interface BridgeRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Whether a header came more than once: which one is meant, nobody can know. */
  isRepeated?(name: string): boolean;
  /** The whole body; `too_large` as soon as it is known to be more than `maxBytes`, `cut` when the caller went away. */
  readBody(maxBytes: number): Promise<Uint8Array | 'too_large' | 'cut'>;
  /** Told when the caller has shown a token that is good: its connection stays. */
  recognized?(): void;
}

export interface BridgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or null for no body. */
  readonly body: string | null;
  /** Instead of JSON. */
  readonly bytes?: Uint8Array;
  /** Instead of a body: an answer that goes on until either side ends it. @returns what to do when it has ended */
  readonly stream?: (line: AnswerLine) => () => void;
}

/** The way to whoever reads an answer that goes on. */
export interface AnswerLine {
  write(text: string): void;
  end(): void;
}
