import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { IncomingCall } from '../../app/service/calls/exchange.ts';
import { serveService } from '../../app/service/faces/http.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { type Endpoint, type EndpointName, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { errorObjectSchema } from '../../shared/contract/errors.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  arbitraryOf,
  hostileValue,
  type KnownFields,
  mutated,
  mutation,
  type Schema,
} from '../support/schema-arbitrary.ts';
import { testStartMs } from '../support/service-faces.ts';

// LONG_TESTS=1 sends 50,000 requests; FUZZ_SEED repeats a run.
const isLong = process.env.LONG_TESTS === '1';
const seed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 1_000_000 : 20261120));
const requestsEach = 200;
const histories = isLong ? 250 : 15;

interface FuzzRequest {
  readonly name: EndpointName | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Stands for an id that an earlier answer gave: the nth of its kind, counted round. */
const fromEarlier = (kind: string) => fc.nat(9).map((index) => `@${kind}:${index}`);
const reference = fc.nat(30).map((number) => `R-${number}`);
const loyaltyId = fc.integer({ min: 1001, max: 1015 }).map((number) => `LC-${number}`);
const known: KnownFields = {
  points: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) }, { weight: 1, arbitrary: fc.double() }),
  amount_minor: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 900 }) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
  ),
  loyalty_id: loyaltyId,
  phone: fc.nat(99).map((number) => `+9655551${String(number).padStart(4, '0')}`),
  email: fc.constantFrom('fatima.alsabah@example.com', 'new@example.com', 'not an address'),
  external_id: fc.constantFrom('crm-1001', 'crm-1002', 'nobody'),
  customer_id: fromEarlier('customer_id'),
  card_id: fromEarlier('card_id'),
  coupon_code: fromEarlier('card_id'),
  enrollment_id: fromEarlier('enrollment_id'),
  external_ref: reference,
  reversal_ref: reference,
  reward_id: fc.constantFrom('rwd_coffee', 'rwd_cake', 'rwd_car'),
  template_id: fc.constantFrom('tpl_stamp', 'tpl_coupon', 'tpl_unknown', 'tpl_none'),
  currency: fc.constantFrom('KWD', 'KWD', 'USD', 'XXX', 'kwd'),
  otp: fc.nat(999_999).map(String),
  occurred_at: fc.constantFrom(
    '2026-11-20T18:00:00Z',
    '2026-11-20T21:12:00+03:00',
    '2020-01-01T00:00:00Z',
    '2026-11-20',
  ),
};

const headerValue = fc.stringMatching(/^[!-~]{0,140}$/);
const oddHeaders = fc.record(
  {
    authorization: fc.constantFrom(
      'Bearer',
      'Basic x',
      'Bearer loyalty_pk_live_x',
      'bearer  loyalty_pk_test_demo_4kq7m2xw9c3t',
    ),
    'content-type': fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/xml', ''),
    'idempotency-key': headerValue,
  },
  { requiredKeys: [] },
);

function schemaOf(schema: z.ZodType): Schema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })));
}

function requestOf(name: EndpointName): fc.Arbitrary<FuzzRequest> {
  const endpoint: Endpoint = endpoints[name];
  const parts = fc.record({
    params: arbitraryOf(schemaOf(endpoint.params), {
      ...known,
      transaction_id: fromEarlier('transaction_id'),
      reservation_id: fromEarlier('reservation_id'),
    }),
    query: arbitraryOf(schemaOf(endpoint.query), known),
    body: arbitraryOf(schemaOf(endpoint.body), known),
    mutations: fc.array(mutation, { maxLength: 2 }),
    isMutated: fc.nat(2).map((chance) => chance === 0),
    headers: fc.oneof({ weight: 15, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
    key: fc.option(fc.nat(20), { freq: 3 }),
  });
  return parts.map(({ params, query, body, mutations, isMutated, headers, key }) => {
    const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, field: string) =>
      encode(Reflect.get(Object(params), field)),
    );
    const search = Object.entries(Object(query))
      .map(([field, value]) => `${encode(field)}=${encode(value)}`)
      .join('&');
    const sent = isMutated ? mutations.reduce<unknown>((value, change) => mutated(value, change), body) : body;
    return {
      name,
      method: endpoint.method,
      path: search === '' ? filled : `${filled}?${search}`,
      headers: { ...(key === null ? {} : { 'idempotency-key': `K-${key}` }), ...headers },
      body: endpoint.bodyRule === 'none' ? null : JSON.stringify(sent ?? null),
    };
  });
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.startsWith('@') ? text : encodeURIComponent(text.isWellFormed() ? text : '%');
}

/** What is no call of the specification at all. */
const garbage: fc.Arbitrary<FuzzRequest> = fc.record({
  name: fc.constant(null),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'BREW'),
  path: fc.oneof(
    fc.constantFrom(...endpointNames.map((name) => endpoints[name].path)),
    fc.constantFrom(
      '/',
      '//',
      '/%',
      '/transactions/%ff',
      '/transactions/..%2f',
      '/transactions?external_ref=a&external_ref=b',
      '/customers/x/transactions?limit=1e1',
      '/transactions/earn/',
      '/__proto__',
    ),
    fc.stringMatching(/^\/[!-~]{0,30}$/),
  ),
  headers: oddHeaders,
  body: fc.option(
    fc.oneof(
      fc.constantFrom(
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '1e400',
        '{"a":1e999}',
        '\ufeff{}',
        '[[[[[[',
        `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
        '{"identifier":{"__proto__":{"phone":"1"}}}',
      ),
      hostileValue.map((value) => JSON.stringify(value) ?? 'undefined'),
      fc.string({ maxLength: 200 }),
    ),
  ),
});

const request = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(...endpointNames.map(requestOf)) },
  { weight: 2, arbitrary: garbage },
);

/** What a well-made client sends at all; anything else is for the raw sockets of other tests. */
function mayTravel({ method, path }: FuzzRequest): boolean {
  return method !== 'BREW' && /^\/[!-~]*$/.test(path);
}

/** Ids that answers gave, by their field. */
class Earlier {
  readonly #ids = new Map<string, string[]>();

  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && name.endsWith('_id'))
        this.#ids.set(name, [inner, ...(this.#ids.get(name) ?? [])].slice(0, 10));
      else this.learn(inner);
    }
  }

  fill(text: string): string {
    return text.replace(/@(\w+):(\d)/g, (_, kind: string, index: string) => {
      const ids = this.#ids.get(kind) ?? ['none_yet'];
      return ids[Number(index) % ids.length] ?? 'none_yet';
    });
  }
}

const strictErrorBody = z.strictObject({
  error: errorObjectSchema.unwrap().strict(),
  customer: z.unknown().optional(),
});

function check(sent: FuzzRequest, status: number, body: string): void {
  const what = `${sent.method} ${sent.path} ${sent.body?.slice(0, 300)} answered ${status} ${body.slice(0, 300)}`;
  expect(status, what).toBeLessThan(500);
  const json: unknown = JSON.parse(body);
  if (status >= 400) {
    expect(strictErrorBody.safeParse(json).error?.message, what).toBeUndefined();
    return;
  }
  if (sent.name === null) return;
  const answers: Endpoint['answers'] = endpoints[sent.name].answers;
  const schema = answers[status];
  expect(schema, what).toBeDefined();
  expect(schema?.safeParse(json).error?.message, what).toBeUndefined();
}

function newService(path?: string): { readonly service: Service; readonly clock: ManualClock } {
  const clock = new ManualClock(testStartMs);
  const random = seededRandom(seed);
  const data = path === undefined ? ({ kind: 'memory' } as const) : ({ kind: 'file', path } as const);
  return { service: createService({ clock, random, ids: createIds(clock, random), data }), clock };
}

async function inProcess(service: Service, sent: FuzzRequest): Promise<{ status: number; body: string }> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${service.apiKey}`,
    'content-type': 'application/json',
    ...sent.headers,
  };
  const call: IncomingCall = {
    method: sent.method,
    target: `/v1${sent.path}`,
    header: (name) => headers[name] ?? null,
    body: sent.body === null ? null : Buffer.from(sent.body),
    address: '127.0.0.1',
    origin: 'http://sandbox.invalid',
  };
  const outcome = await service.exchange(call);
  if (outcome.kind !== 'response') throw new Error(`No answer: ${outcome.kind}`);
  return outcome.response;
}

/** Two hundred requests in a message help nobody: seed and path find them again. */
async function holds(checking: ReturnType<typeof fc.check<[FuzzRequest[]]>>): Promise<void> {
  const { failed, counterexamplePath, errorInstance } = await checking;
  if (!failed) return;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`seed ${seed}, path ${counterexamplePath}: ${why.slice(0, 2000)}`, { cause: errorInstance });
}

const tally = new Map<string, number>();

async function play(
  requests: readonly FuzzRequest[],
  clock: ManualClock,
  send: (sent: FuzzRequest) => Promise<{ status: number; body: string }>,
): Promise<void> {
  const earlier = new Earlier();
  for (const [index, made] of requests.entries()) {
    const sent = { ...made, path: earlier.fill(made.path), body: made.body === null ? null : earlier.fill(made.body) };
    const { status, body } = await send(sent);
    check(sent, status, body);
    earlier.learn(JSON.parse(body));
    tally.set(`${status}`, (tally.get(`${status}`) ?? 0) + 1);
    if (index % 10 === 9) clock.advance(400);
  }
}

test(`${histories * requestsEach} requests made from the contract meet no fault of the service (seed ${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-fuzz-'));
  const property = fc.asyncProperty(
    fc.array(request, { minLength: requestsEach, maxLength: requestsEach }),
    async (requests) => {
      const path = join(folder, `${Math.random()}.sqlite`);
      const { service, clock } = newService(path);
      try {
        await play(requests, clock, (sent) => inProcess(service, sent));
        clock.advance(10_000);
        const alive = await inProcess(service, {
          name: 'identify',
          method: 'POST',
          path: '/customers/identify',
          headers: {},
          body: '{"loyalty_id":"LC-1001"}',
        });
        expect(alive.status).toBe(200);
      } finally {
        service.close();
      }
      const database = new BetterSqlite3(path, { readonly: true });
      expect(database.pragma('foreign_key_check')).toEqual([]);
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
      expect(Reflect.get({}, 'phone')).toBeUndefined();
    },
  );
  try {
    await holds(fc.check(property, { seed, numRuns: histories, endOnFailure: true }));
    if (isLong) console.log(`seed ${seed}:`, Object.fromEntries(tally));
    // The run reaches what it is meant to reach: good answers and refusals of many kinds.
    for (const status of ['200', '201', '202', '400', '401', '404', '405', '409', '415', '422'])
      expect([...tally.keys()]).toContain(status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 1_800_000);

test(`requests made from the contract meet no fault of the service over sockets (seed ${seed})`, async () => {
  const { service, clock } = newService();
  const face = await serveService(service, { host: '127.0.0.1', port: 0, clock });
  const agent = new Agent();
  try {
    const property = fc.asyncProperty(fc.array(request, { minLength: 100, maxLength: 100 }), (requests) =>
      play(requests.filter(mayTravel), clock, async (sent) => {
        const answer = await agent.request({
          origin: new URL(face.baseUrl).origin,
          path: `/v1${sent.path}`,
          method: sent.method as 'GET',
          headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json', ...sent.headers },
          body: sent.method === 'GET' ? null : sent.body,
        });
        return { status: answer.statusCode, body: await answer.body.text() };
      }),
    );
    await holds(fc.check(property, { seed, numRuns: isLong ? 50 : 4, endOnFailure: true }));
  } finally {
    await agent.close();
    await face.close();
    service.close();
  }
}, 600_000);
