import type { Dispatcher } from 'undici';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { RawAnswer } from './read-answer.ts';

/**
 * One request and its whole answer. undici's own `request` makes a stream of each answer; ours are small, and the
 * stream would cost a third of the exchange.
 *
 * @throws {NoAnswer} with what undici says of a connection that was not made, was cut, or took too long
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limit: AnswerLimit,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new AnswerCollector(resolve, reject, limit));
  });
}

/**
 * How long an answer that has begun may take to end. undici's own limits are for the silence between two parts: an
 * answer that dribbles in would hold its customer's other sales for ever.
 */
interface AnswerLimit {
  readonly clock: Clock;
  readonly endsWithinMs: number;
}

/** A request has brought no whole answer. Its cause is what undici was told. */
export class NoAnswer extends Error {
  /** Whether undici had begun to write the request. Before that no byte of it can have left. */
  readonly isBegun: boolean;

  constructor(cause: Error, isBegun: boolean) {
    super(cause.message, { cause });
    this.name = 'NoAnswer';
    this.isBegun = isBegun;
  }
}

const byteOrderMark = 0xfeff;

class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (error: NoAnswer) => void;
  readonly #limit: AnswerLimit;
  #cancelTimer: CancelTimer | null = null;
  #isBegun = false;
  #isOver = false;
  #httpStatus = 0;
  #headers: RawAnswer['headers'] = {};
  #chunks: Buffer[] = [];

  constructor(resolve: (answer: RawAnswer) => void, reject: (error: NoAnswer) => void, limit: AnswerLimit) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#limit = limit;
  }

  /** Called on a connection that stands, just before the first byte is written. */
  onRequestStart(): void {
    this.#isBegun = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, httpStatus: number, headers: RawAnswer['headers']): void {
    this.#httpStatus = httpStatus;
    this.#headers = headers;
    // Most answers end in the turn in which they begin: no timer is made for those.
    queueMicrotask(() => {
      // Word that the answer is to come (1xx) gives it no more time.
      if (this.#isOver || this.#cancelTimer !== null) return;
      this.#cancelTimer = this.#limit.clock.setTimer(() => controller.abort(tooSlow()), this.#limit.endsWithinMs);
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    const text = bytes.toString('utf8');
    const body = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
    this.#resolve({ httpStatus: this.#httpStatus, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(new NoAnswer(error, this.#isBegun));
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
  }
}

function tooSlow(): Error {
  const error = new Error('The answer did not end in time');
  error.name = 'TimeoutError';
  return error;
}
