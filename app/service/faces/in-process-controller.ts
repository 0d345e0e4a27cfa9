import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';

/** The head of an answer, header names in lower case. */
interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** As a socket would: an answer comes in pieces, and a slow reader is waited for. */
const pieceBytes = 64 * 1024;

/** One request under way, as undici's handlers see it: told of at most one end, and never after it was taken back. */
export class InProcessController implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onFinished: () => void;
  #phase: 'waiting' | 'answering' | 'finished' = 'waiting';
  #aborted = false;
  #reason: Error | null = null;
  #paused = false;
  #rest: Buffer = Buffer.alloc(0);
  #endError: Error | null = null;
  rawHeaders: Buffer[] | null = null;
  rawTrailers: Buffer[] | null = null;

  constructor(handler: Dispatcher.DispatchHandler, onFinished: () => void) {
    this.#handler = handler;
    this.#onFinished = onFinished;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  /** @returns false when the request was taken back at once */
  start(): boolean {
    this.#guard(() => this.#handler.onRequestStart?.(this, {}));
    return this.#phase === 'waiting';
  }

  abort(reason: Error): void {
    if (this.#phase === 'finished' || this.#aborted) return;
    this.fail(reason);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    // Not from within the reader's own call.
    queueMicrotask(() => this.#deliver());
  }

  /** Ends the request with an error; after its end this does nothing. */
  fail(error: Error): void {
    if (this.#phase === 'finished') return;
    this.#phase = 'finished';
    // The handler is told first: undici's retries do nothing for a controller that is aborted already.
    try {
      this.#handler.onResponseError?.(this, error);
    } finally {
      this.#aborted = true;
      this.#reason = error;
      this.#onFinished();
    }
  }

  /** Gives the answer; with `endError` the connection dies after these bytes. */
  answer({ status, headers }: AnswerHead, body: Buffer, endError: Error | null): void {
    if (this.#phase !== 'waiting') return;
    this.#phase = 'answering';
    this.#rest = body;
    this.#endError = endError;
    this.rawHeaders = Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
    this.#guard(() => this.#handler.onResponseStart?.(this, status, { ...headers }, STATUS_CODES[status] ?? ''));
    this.#deliver();
  }

  #deliver(): void {
    while (this.#phase === 'answering' && !this.#paused && this.#rest.length > 0) {
      const piece = this.#rest.subarray(0, pieceBytes);
      this.#rest = this.#rest.subarray(pieceBytes);
      this.#guard(() => this.#handler.onResponseData?.(this, piece));
    }
    if (this.#phase !== 'answering' || this.#paused) return;
    if (this.#endError !== null) {
      this.fail(this.#endError);
      return;
    }
    this.#guard(() => this.#handler.onResponseEnd?.(this, {}));
    if (this.#phase !== 'answering') return;
    this.#phase = 'finished';
    this.#onFinished();
  }

  /** A handler that throws ends its request, as it does on a socket. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
