import type { Dispatcher } from 'undici';
import {
  type AnswerOf,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
  fillPath,
  isOfOtherCalls,
  type ParamsOf,
  type QueryOf,
} from '../../shared/contract/endpoints.ts';
import { createRouter } from '../../shared/contract/router.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import { type Asked, aboutAnother, refusalAboutAnother } from './about.ts';
import { mostRequestIdLength } from './bounded-error.ts';
import { exchange } from './exchange.ts';
import { failureOf } from './failure-causes.ts';
import { type CallOutcome, type Unknown, unknownOutcome } from './outcome.ts';
import { answerAboutAnother, parseJson, type RawAnswer, readAnswer } from './read-answer.ts';
import { RepeatedAnswers } from './repeated-answers.ts';

interface ClientOptions {
  /**
   * Reaches the service: over sockets, or in process for the embedded sandbox. The client does not know which. A promise:
   * it is loaded later, and calls wait for it.
   */
  readonly dispatcher: Dispatcher | Promise<Dispatcher>;
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  /** Null when there is none that can be read: every call then ends as one with a refused key, and nothing is sent. */
  readonly apiKey: string | null;
  readonly clock: Clock;
  /** How long the service may take to begin its answer, and then to end it. */
  readonly answerTimeoutMs: number;
}

/** A call ready to be sent: the body is bytes already, frozen for a write. */
interface Call<N extends EndpointName> {
  readonly params?: ParamsOf<N>;
  readonly query?: QueryOf<N>;
  readonly body?: string;
  readonly idempotencyKey?: string | null;
}

/** A write exactly as it was frozen when it was saved. */
interface FrozenRequest {
  readonly path: string;
  /** Empty for a call without a body. */
  readonly body: string;
  readonly idempotencyKey: string | null;
}

/** What the caller knows that a frozen write does not say of itself. */
type Known = Pick<Asked, 'reversesTransactionId'>;

/** What an answer is held against; the body is the request's own. */
type AskedParts = Omit<Asked, 'body'>;

interface Request {
  readonly path: string;
  readonly body: string | null;
  readonly idempotencyKey: string | null;
}

const nothingKnown: Known = { reversesTransactionId: null };

/** Typed calls made from the endpoint table. A call never throws: what goes wrong is an outcome. */
export class ServiceClient {
  readonly baseUrl: string;
  readonly #options: ClientOptions;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #authorization: string | null;
  /** Of a write with no key of its own, which almost all are: made once. */
  readonly #plainWriteHeaders: Record<string, string>;
  readonly #repeated = new RepeatedAnswers();

  constructor(options: ClientOptions) {
    const url = new URL(options.baseUrl);
    this.baseUrl = options.baseUrl;
    this.#options = options;
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#authorization = options.apiKey === null ? null : `Bearer ${options.apiKey}`;
    this.#plainWriteHeaders = headersOf({ body: '', idempotencyKey: null }, this.#authorization ?? '');
  }

  async call<N extends EndpointName>(name: N, call: Call<N>): Promise<CallOutcome<AnswerOf<N>>> {
    const endpoint: Endpoint = endpoints[name];
    const params: Readonly<Record<string, string>> = { ...call.params };
    const path = fillPath(endpoint.path, params) + queryText(call.query);
    const body = call.body ?? null;
    const request = { path, body, idempotencyKey: call.idempotencyKey ?? null };
    return this.#exchange(name, request, { ...nothingKnown, params, query: { ...call.query } });
  }

  /** Sends a frozen write: the same bytes at every attempt. */
  async send<N extends EndpointName>(
    name: N,
    frozen: FrozenRequest,
    known: Known = nothingKnown,
  ): Promise<CallOutcome<AnswerOf<N>>> {
    const body = frozen.body === '' ? null : frozen.body;
    return this.#exchange(name, { ...frozen, body }, { ...known, params: paramsIn(name, frozen.path), query: {} });
  }

  /**
   * Sends a request, and sends it once more where the refusal has a code that other calls give and this one does not: it was
   * meant for one of them, or the service is newer than the table. That does nothing twice, and two answers that say the same
   * are believed.
   */
  async #exchange<N extends EndpointName>(
    name: N,
    request: Request,
    asked: AskedParts,
  ): Promise<CallOutcome<AnswerOf<N>>> {
    const first = await this.#exchangeOnce(name, request, asked);
    if (first.kind !== 'refused' || !isOfOtherCalls(name, first.error.code)) return first;
    const second = await this.#exchangeOnce(name, request, asked);
    // Whatever kept the second from the service, the first may have reached it.
    if (second.kind === 'unknown') return { ...second, recorded: 'maybe' };
    if (second.kind === 'done' || second.error.code === first.error.code) return second;
    return isOfOtherCalls(name, second.error.code) ? answerAboutAnother(name, ['code'], second.facts) : second;
  }

  async #exchangeOnce<N extends EndpointName>(
    name: N,
    request: Request,
    asked: AskedParts,
  ): Promise<CallOutcome<AnswerOf<N>>> {
    const { dispatcher, clock, answerTimeoutMs } = this.#options;
    const authorization = this.#authorization;
    if (authorization === null) return noKey;
    let answer: RawAnswer;
    try {
      answer = await exchange(
        dispatcher instanceof Promise ? await dispatcher : dispatcher,
        {
          origin: this.#origin,
          path: this.#basePath + request.path,
          method: endpoints[name].method,
          headers:
            request.body !== null && request.idempotencyKey === null
              ? this.#plainWriteHeaders
              : headersOf(request, authorization),
          body: request.body,
          headersTimeout: answerTimeoutMs,
          bodyTimeout: answerTimeoutMs,
        },
        { clock, endsWithinMs: answerTimeoutMs },
      );
    } catch (error) {
      const { cause, sent } = failureOf(error);
      const message = errorText(error);
      return unknownOutcome(cause, message, { recorded: sent === 'none' ? 'no' : 'maybe' });
    }
    const outcome = aboutThis(name, readAnswer(name, answer, clock.now()), { ...asked, body: request.body });
    if (outcome.kind === 'unknown') return outcome;
    const requestId = requestIdOf(outcome);
    const date = String(answer.headers.date ?? '');
    const isRepeated =
      requestId !== null &&
      this.#repeated.take({ name, path: request.path, body: request.body }, { requestId, date, body: answer.body });
    return isRepeated ? answerAboutAnother(name, ['request_id'], outcome.facts) : outcome;
  }
}

const findCall = createRouter(
  endpointNames.map((name) => ({ method: endpoints[name].method, path: endpoints[name].path, target: name })),
);

/** @returns null where it tells none, or one that was cut and may stand for several */
function requestIdOf(outcome: Exclude<CallOutcome<unknown>, Unknown>): string | null {
  const { facts } = outcome;
  // A gateway may put its own id into the header. In the body of a refusal the service's stays.
  const inBody = outcome.kind === 'refused' ? outcome.error.request_id : '';
  const requestId = inBody === '' ? facts.requestId : inBody;
  return requestId === null || requestId.length >= mostRequestIdLength ? null : requestId;
}

/** @returns what the path of a frozen write has in the places that the endpoint's path leaves open */
function paramsIn(name: EndpointName, path: string): Readonly<Record<string, string>> {
  if (path === endpoints[name].path) return {};
  const match = findCall(endpoints[name].method, path);
  return match.kind === 'found' ? match.params : {};
}

/** Parses its body when somebody reads it. A class: V8 takes microseconds to make an object with a getter of its own. */
class AskedCall implements Asked {
  readonly params: Asked['params'];
  readonly query: Asked['query'];
  readonly reversesTransactionId: string | null;
  readonly #text: string | null;

  constructor({ params, query, reversesTransactionId, body }: AskedParts & Pick<Request, 'body'>) {
    this.params = params;
    this.query = query;
    this.reversesTransactionId = reversesTransactionId;
    this.#text = body;
  }

  get body(): unknown {
    return this.#text === null ? null : parseJson(this.#text);
  }
}

/** The outcome, or none at all when its answer is about something else: it was meant for another call. */
function aboutThis<N extends EndpointName>(
  name: N,
  outcome: CallOutcome<AnswerOf<N>>,
  request: AskedParts & Pick<Request, 'body'>,
): CallOutcome<AnswerOf<N>> {
  if (outcome.kind === 'unknown') return outcome;
  const asked = new AskedCall(request);
  const fields =
    outcome.kind === 'done'
      ? aboutAnother(name, asked, outcome.answer)
      : refusalAboutAnother(name, asked, outcome.body);
  if (fields.length === 0) return outcome;
  return answerAboutAnother(name, fields, outcome.facts);
}

const noKey = unknownOutcome('unauthenticated', 'There is no API key that can be read', { recorded: 'no' });

function headersOf(request: Pick<Request, 'body' | 'idempotencyKey'>, authorization: string): Record<string, string> {
  const headers: Record<string, string> = { authorization, accept: 'application/json' };
  if (request.body !== null) headers['content-type'] = 'application/json';
  if (request.idempotencyKey !== null) headers['idempotency-key'] = request.idempotencyKey;
  return headers;
}

function queryText(query: object | undefined): string {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}
