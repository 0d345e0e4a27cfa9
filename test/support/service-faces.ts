import { Agent, type Dispatcher } from 'undici';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { serveService } from '../../app/service/faces/http.ts';
import { inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { createService, type Service, type ServiceOptions } from '../../app/service/service.ts';
import { endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { errorBodySchema } from '../../shared/contract/errors.ts';
import { ManualClock } from './manual-clock.ts';

/** When every test of the service starts. */
export const testStartMs = Date.parse('2026-11-20T18:13:00.000Z');

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes, checked by the contract below
  readonly body: any;
}

export interface CallOptions {
  /** Null sends no Authorization header. */
  readonly key?: string | null;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of JSON. */
  readonly raw?: string | Buffer;
}

/** The service behind one of its faces, spoken to as a client does. */
export interface TestFace {
  readonly service: Service;
  /** The host's clock: it moves only when the test moves it. */
  readonly host: ManualClock;
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  get(path: string, options?: CallOptions): Promise<Answer>;
  control(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Moves the sandbox's clock by the control API. */
  advance(durationMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface FaceOptions {
  readonly data?: ServiceOptions['data'];
  readonly host?: ManualClock;
  readonly currency?: string;
  readonly entropyOfStart?: NonNullable<ServiceOptions['entropyOfStart']>;
}

export interface FaceKind {
  readonly name: string;
  readonly start: (options?: FaceOptions) => Promise<TestFace>;
}

function startService(options: FaceOptions): { readonly service: Service; readonly host: ManualClock } {
  const host = options.host ?? new ManualClock(testStartMs);
  const random = seededRandom(1);
  const { data = { kind: 'memory' }, currency, entropyOfStart } = options;
  const named = currency === undefined ? {} : { currency };
  const base = { clock: host, random, ids: createIds(host, random), data, ...named };
  return { service: createService(entropyOfStart === undefined ? base : { ...base, entropyOfStart }), host };
}

/** Both faces of the service: every suite runs behind each. */
export const faces: readonly FaceKind[] = [
  {
    name: 'in process',
    start: async (options = {}) => {
      const { service, host } = startService(options);
      const dispatcher = inProcessDispatcher(service);
      const stop = async () => service.close();
      return createFace({ service, host, dispatcher, origin: 'http://sandbox.invalid', stop });
    },
  },
  {
    name: 'over HTTP',
    start: async (options = {}) => {
      const { service, host } = startService(options);
      const http = await serveService(service, { host: '127.0.0.1', port: 0, clock: host });
      const dispatcher = new Agent({ connections: 8 });
      const { origin } = new URL(http.baseUrl);
      const stop = async () => {
        await dispatcher.close();
        await http.close();
        service.close();
      };
      return createFace({ service, host, dispatcher, origin, stop });
    },
  },
];

interface FaceParts extends Pick<TestFace, 'service' | 'host' | 'dispatcher' | 'origin'> {
  readonly stop: () => Promise<void>;
}

function createFace({ service, host, dispatcher, origin, stop }: FaceParts): TestFace {
  async function send(method: string, path: string, body: unknown, options: CallOptions): Promise<Answer> {
    const key = options.key === undefined ? service.apiKey : options.key;
    const bytes = options.raw ?? (body === undefined ? null : JSON.stringify(body));
    const answer = await dispatcher.request({
      origin,
      method,
      path,
      body: bytes,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(bytes === null ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        ...options.headers,
      },
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  }
  const face: TestFace = {
    service,
    host,
    dispatcher,
    origin,
    async call(method, path, body, options = {}) {
      const answer = await send(method, `/v1${path}`, body, options);
      checkAgainstContract(method, path, answer);
      return answer;
    },
    post: (path, body, options) => face.call('POST', path, body, options),
    get: (path, options) => face.call('GET', path, undefined, options),
    control: (method, path, body, options = {}) => send(method, `/_sandbox${path}`, body, options),
    async advance(durationMs) {
      const answer = await face.control('POST', '/clock', { advance_ms: durationMs });
      if (answer.status !== 200) throw new Error(`The clock did not move: ${JSON.stringify(answer.body)}`);
    },
    close: stop,
  };
  return face;
}

/** Every answer of every test has the shape that the contract gives it, error or not. */
function checkAgainstContract(method: string, path: string, answer: Answer): void {
  if (answer.status >= 400) {
    errorBodySchema.parse(answer.body);
    return;
  }
  const plain = path.split('?')[0] ?? '';
  const name = endpointNames.find((candidate) => {
    const endpoint = endpoints[candidate];
    return endpoint.method === method && new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain);
  });
  if (name === undefined) return;
  const schema = new Map<number, { parse(value: unknown): unknown }>(
    Object.entries(endpoints[name].answers).map(([status, answerSchema]) => [Number(status), answerSchema]),
  ).get(answer.status);
  if (schema === undefined) throw new Error(`${method} ${path} answered ${answer.status}, which the contract lacks`);
  schema.parse(answer.body);
}
