import { stringify } from 'node:querystring';
import { Dispatcher, errors } from 'undici';
import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { type IncomingCall, type Outcome, type OutgoingAnswer, truncated } from '../calls/exchange.ts';
import { closedByOtherSide, connectionRefused } from './connection-errors.ts';
import { InProcessController } from './in-process-controller.ts';
import { readLimited } from './limited-body.ts';

/** What stands behind the dispatcher. */
export interface ExchangingService {
  exchange(call: IncomingCall): Promise<Outcome>;
  /** In which the client's timeouts run. */
  readonly hostClock: Clock;
}

/** undici's own: how long the head of an answer may take. */
const defaultHeadersTimeoutMs = 300_000;

/**
 * The service behind undici's transport interface: a client reaches it with the very code that reaches production,
 * and a fault reaches the client as the very error that a socket would have given.
 */
export function inProcessDispatcher(service: ExchangingService): Dispatcher {
  return new InProcessDispatcher(service);
}

class InProcessDispatcher extends Dispatcher {
  readonly #service: ExchangingService;
  readonly #underWay = new Set<InProcessController>();
  #state: 'open' | 'closed' | 'destroyed' = 'open';
  #onIdle: (() => void)[] = [];

  constructor(service: ExchangingService) {
    super();
    this.#service = service;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new InProcessController(handler, () => this.#finish(controller));
    this.#underWay.add(controller);
    if (this.#state !== 'open') {
      controller.fail(this.#state === 'closed' ? new errors.ClientClosedError() : new errors.ClientDestroyedError());
      return false;
    }
    queueMicrotask(() => void this.#run(options, controller));
    return true;
  }

  async #run(options: Dispatcher.DispatchOptions, controller: InProcessController): Promise<void> {
    let cancelTimeout: CancelTimer = () => {};
    try {
      if (!controller.start()) return;
      const timeoutMs = options.headersTimeout ?? defaultHeadersTimeoutMs;
      if (timeoutMs > 0) {
        const onTimeout = (): void => controller.fail(new errors.HeadersTimeoutError());
        cancelTimeout = this.#service.hostClock.setTimer(onTimeout, timeoutMs);
      }
      const call = await toCall(options);
      // A call that was taken back before its body was complete never reaches the service.
      if (controller.aborted) return;
      const outcome = await this.#service.exchange(call);
      cancelTimeout();
      carryOut(outcome, controller, call);
    } catch (error) {
      controller.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      cancelTimeout();
    }
  }

  #finish(controller: InProcessController): void {
    this.#underWay.delete(controller);
    if (this.#underWay.size > 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const done of waiting) done();
  }

  override close(callback: () => void): void;
  override close(): Promise<void>;
  override close(callback?: () => void): Promise<void> | void {
    if (this.#state === 'open') this.#state = 'closed';
    if (callback === undefined) return new Promise((resolve) => this.#whenIdle(resolve));
    this.#whenIdle(callback);
  }

  #whenIdle(done: () => void): void {
    if (this.#underWay.size === 0) queueMicrotask(done);
    else this.#onIdle.push(done);
  }

  override destroy(error: Error | null, callback: () => void): void;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null): Promise<void>;
  override destroy(): Promise<void>;
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | void {
    this.#state = 'destroyed';
    const reason = first instanceof Error ? first : new errors.ClientDestroyedError();
    for (const controller of this.#underWay) controller.fail(reason);
    const callback = typeof first === 'function' ? first : second;
    if (callback === undefined) return Promise.resolve();
    queueMicrotask(callback);
  }
}

function carryOut(outcome: Outcome, controller: InProcessController, call: IncomingCall): void {
  switch (outcome.kind) {
    case 'no_connection':
      controller.fail(connectionRefused(call.origin));
      break;
    case 'dropped':
      controller.fail(closedByOtherSide());
      break;
    case 'partial':
      controller.answer(head(outcome.response), truncated(outcome.response.body), closedByOtherSide());
      break;
    case 'response': {
      const bytes = call.method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(outcome.response.body);
      controller.answer(head(outcome.response), bytes, null);
      break;
    }
    default:
      assertNever(outcome);
  }
}

function head({ status, headers, body }: OutgoingAnswer) {
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) named[name.toLowerCase()] = value;
  named['content-length'] = String(Buffer.byteLength(body));
  return { status, headers: named };
}

async function toCall(options: Dispatcher.DispatchOptions): Promise<IncomingCall> {
  const headers = readHeaders(options.headers);
  const origin = options.origin === undefined ? 'http://localhost' : new URL(options.origin).origin;
  const query = options.query === undefined ? '' : stringify(options.query);
  return {
    method: options.method,
    target: query === '' ? options.path : `${options.path}?${query}`,
    header: (name) => headers.get(name) ?? null,
    body: await readBody(options.body),
    address: null,
    origin,
  };
}

type HeaderValue = string | readonly string[] | number | null | undefined;

/** All the shapes in which undici takes headers. */
function readHeaders(headers: Dispatcher.DispatchOptions['headers']): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const add = (name: string | undefined, value: HeaderValue): void => {
    if (name === undefined || value === undefined || value === null) return;
    read.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value));
  };
  if (headers === undefined || headers === null) return read;
  if (Array.isArray(headers)) {
    for (let index = 0; index + 1 < headers.length; index += 2) add(headers[index], headers[index + 1]);
  } else if (Symbol.iterator in headers && typeof headers[Symbol.iterator] === 'function') {
    for (const [name, value] of headers as Iterable<[string, HeaderValue]>) add(name, value);
  } else {
    for (const [name, value] of Object.entries(headers)) add(name, value);
  }
  return read;
}

async function readBody(body: Dispatcher.DispatchOptions['body']): Promise<IncomingCall['body']> {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return limited(Buffer.from(body));
  if (body instanceof Uint8Array) return limited(body);
  if (!(Symbol.asyncIterator in body)) throw new errors.InvalidArgumentError('the sandbox takes JSON bodies only');
  return readLimited(body);
}

function limited(bytes: Uint8Array): Uint8Array | 'too_large' {
  return bytes.byteLength > maxBodyBytes ? 'too_large' : bytes;
}
