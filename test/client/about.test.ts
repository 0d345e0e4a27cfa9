import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { ServiceClient } from '../../app/client/client.ts';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { type EndpointName, endpointNames, endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** One call as it was asked, and what the real service answered to it. */
interface Exchanged {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** What a reversal by reference takes back. */
  readonly reversesTransactionId?: string;
  readonly answer: Outcome;
}

type Book = Readonly<Record<EndpointName, Exchanged>>;

/** What later calls are asked with; empty where an answer does not have it, which the service then refuses. */
const namedSchema = z.object({
  enrollment_id: z.string().default(''),
  otp: z.string().default(''),
  customer_id: z.string().default(''),
  transaction_id: z.string().default(''),
  reservation_id: z.string().default(''),
});
type Named = z.infer<typeof namedSchema>;

const clock = new ManualClock();
let service: Service;
let next: (told: Outcome) => Outcome = (told) => told;
let client: ServiceClient;
let last: Outcome | null = null;
const books: Book[] = [];

beforeAll(async () => {
  const random = seededRandom(7);
  service = createService({ clock, random, ids: createIds(clock, random), data: { kind: 'memory' } });
  client = new ServiceClient({
    dispatcher: inProcessDispatcher({
      hostClock: clock,
      exchange: async (call) => {
        last = await service.exchange(call);
        return withoutId(next(last));
      },
    }),
    baseUrl: 'http://service.invalid/v1',
    apiKey: service.apiKey,
    clock,
    answerTimeoutMs: 5_000,
  });
  books.push(await workThrough('A', 10), await workThrough('B', 20));
});
afterAll(() => service.close());

/** The id of an answer that came before betrays it by itself (repeated-answers.test.ts): here its body alone tells. */
function withoutId(outcome: Outcome): Outcome {
  if (outcome.kind !== 'response') return outcome;
  const { 'X-Request-Id': _, ...headers } = outcome.response.headers;
  return { ...outcome, response: { ...outcome.response, headers } };
}

async function control(path: string) {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const answer = await service.handle(new Request(`http://service.invalid/_sandbox${path}`, { headers }));
  return namedSchema.parse(await answer.json());
}

/** Every call once, for a customer of its own. Both customers ask for different values. */
async function workThrough(name: string, points: number): Promise<Book> {
  const phone = name === 'A' ? '96555100001' : '96555200002';
  const exchanged: Partial<Record<EndpointName, Exchanged>> = {};
  async function ask(call: EndpointName, request: Omit<Exchanged, 'answer'>): Promise<Named> {
    next = (told) => told;
    await asked(call, request);
    if (last === null) throw new Error(`${call} was not asked`);
    exchanged[call] = { ...request, answer: last };
    return namedSchema.parse(last.kind === 'response' ? JSON.parse(last.response.body) : {});
  }
  const pending = await ask('enroll', { body: { external_ref: `E-${name}`, phone } });
  const { otp } = await control(`/otp/${pending.enrollment_id}`);
  const { customer_id } = await ask('verify', { body: { enrollment_id: pending.enrollment_id, otp } });
  const identifier = { customer_id };
  await ask('identify', { body: identifier });
  const reference = { external_ref: `R-${name}` };
  const earned = await ask('earn', { body: { identifier, ...reference, points: points * 10 } });
  clock.advance(2_000);
  await new Promise((resolve) => setImmediate(resolve));
  await ask('transaction', { params: { transaction_id: earned.transaction_id } });
  await ask('transactionsByReference', { query: reference });
  const redeemed = await ask('redeem', { body: { identifier, ...reference, points } });
  const { reservation_id } = await ask('reserve', { body: { identifier, ...reference, points: points + 1 } });
  const held = await asked('reserve', { body: { identifier, external_ref: `C-${name}`, points } });
  if (held.kind !== 'done' || !('reservation_id' in held.answer)) throw new Error('Nothing is held');
  await ask('commit', { params: { reservation_id: held.answer.reservation_id }, body: { external_ref: `O-${name}` } });
  await ask('release', { params: { reservation_id } });
  await ask('reverseById', { params: { transaction_id: redeemed.transaction_id }, body: {} });
  await ask('reverse', {
    body: { ...reference, intent: 'earn', reversal_ref: `U-${name}` },
    reversesTransactionId: earned.transaction_id,
  });
  await ask('history', { params: { customer_id } });
  for (const call of endpointNames) if (exchanged[call] === undefined) throw new Error(`${call} is missing`);
  return exchanged as Book;
}

function asked(call: EndpointName, { params, query, body, reversesTransactionId }: Omit<Exchanged, 'answer'>) {
  const frozen = body === undefined ? '' : JSON.stringify(body);
  if (endpoints[call].kind === 'write') {
    const path = fillPath(endpoints[call].path, params ?? {});
    const known = { reversesTransactionId: reversesTransactionId ?? null };
    return client.send(call, { path, body: frozen, idempotencyKey: null }, known);
  }
  return client.call(call, {
    params: params as never,
    query: query as never,
    ...(frozen === '' ? {} : { body: frozen }),
  });
}

/** What tells no more than the call's own answer would; of an earn's id the poll tells whose it is. */
const saysAsLittle: ReadonlySet<string> = new Set(['enroll by verify', 'earn by reverse', 'earn by reverseById']);
/** The same endpoint's answer to somebody else, where no field of it names what it is about. */
const namesNothing: ReadonlySet<EndpointName> = new Set(['enroll', 'verify', 'earn']);

describe.each(endpointNames)('a call of %s', (call) => {
  const own = () => books[0]?.[call] ?? expect.fail();

  it('is answered by its own answer', async () => {
    next = () => own().answer;
    expect(await asked(call, own())).toMatchObject({ kind: 'done' });
  });

  it.each(endpointNames)("is not answered by another customer's %s", async (answered) => {
    next = () => books[1]?.[answered].answer ?? expect.fail();
    const outcome = await asked(call, own());
    if ((answered === call && namesNothing.has(call)) || saysAsLittle.has(`${call} by ${answered}`))
      expect(outcome.kind).toBe('done');
    else expect(outcome).toMatchObject({ kind: 'unknown', cause: 'not_the_service', recorded: 'maybe' });
  });

  it.each(endpointNames.filter((name) => name !== call))("is not answered by its customer's %s", async (answered) => {
    next = () => books[0]?.[answered].answer ?? expect.fail();
    const outcome = await asked(call, own());
    expect(outcome.kind).toBe(saysAsLittle.has(`${call} by ${answered}`) ? 'done' : 'unknown');
  });
});

function told(value: object, status = 200): Outcome {
  return {
    kind: 'response',
    response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) },
  };
}

/** A call's own answer with some fields changed. */
function changed(call: EndpointName, part: object): Outcome {
  const { answer } = books[0]?.[call] ?? expect.fail();
  if (answer.kind !== 'response') return expect.fail();
  return told({ ...JSON.parse(answer.response.body), ...part }, answer.response.status);
}

test.each<[EndpointName, object, string]>([
  ['redeem', { external_ref: 'R-B' }, 'external_ref'],
  ['redeem', { intent: 'earn' }, 'intent'],
  ['redeem', { points: 11 }, 'points'],
  ['redeem', { points: null, stamps: 10 }, 'points, stamps'],
  ['redeem', { customer_id: 'cus_B' }, 'customer_id'],
  ['commit', { external_ref: 'O-B' }, 'external_ref'],
  ['commit', { intent: 'earn' }, 'intent'],
  ['transaction', { transaction_id: 'txn_B' }, 'transaction_id'],
  ['earn', { external_ref: 'R-B', intent: 'earn' }, 'external_ref'],
  ['earn', { external_ref: 'R-A', intent: 'redeem' }, 'intent'],
  ['earn', { external_ref: 'R-A', intent: 'earn', points: 101 }, 'points'],
  ['reserve', { points: 12 }, 'points'],
  ['reserve', { state: 'released' }, 'state'],
  ['release', { reservation_id: 'res_B' }, 'reservation_id'],
  ['release', { state: 'reserved' }, 'state'],
  ['reverse', { reverses_transaction_id: 'txn_B' }, 'reverses_transaction_id'],
  ['reverseById', { reverses_transaction_id: 'txn_B' }, 'reverses_transaction_id'],
  ['identify', { customer_id: 'cus_B' }, 'customer_id'],
])('an answer to %s with %o is about something else: %s', async (call, part, fields) => {
  next = () => changed(call, part);
  const outcome = await asked(call, books[0]?.[call] ?? expect.fail());
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'not_the_service' });
  expect(outcome).toHaveProperty('message', expect.stringContaining(`something else: ${fields}`));
});

test.each<[EndpointName, object]>([
  ['redeem', { points: 11, duplicate: true }],
  ['reserve', { points: 12, duplicate: true }],
  ['earn', { external_ref: 'R-A', intent: 'earn', points: 101, duplicate: true }],
])(
  'a replayed %s with other values is believed here: who keeps the row tells that it is another till’s (%o)',
  async (call, part) => {
    next = () => changed(call, part);
    expect(await asked(call, books[0]?.[call] ?? expect.fail())).toMatchObject({ kind: 'done' });
  },
);

test.each([
  [{ phone: '5510 0001' }, {}, 'done'],
  [{ phone: '٥٥١٠٠٠٠١' }, {}, 'done'],
  [{ phone: '00965 (55) 10-00-01' }, {}, 'done'],
  [{ phone: '55100001' }, { phone: '+965******01' }, 'done'],
  [{ phone: '55100001' }, { phone: '+965 •••• 0001' }, 'done'],
  [{ phone: '55100001' }, { phone: '+965******02' }, 'unknown'],
  [{ phone: '+96555100001' }, { phone: 'XXXX0002' }, 'unknown'],
  [{ phone: '55100001' }, { phone: '********' }, 'done'],
  [{ phone: '55100001' }, { phone: 'hidden' }, 'done'],
  [{ phone: '55100001' }, { phone: null }, 'done'],
  [{ phone: '55100001' }, { phone: '+96555200002' }, 'unknown'],
  [{ email: 'SARA@Example.com' }, { email: 'sara@example.com' }, 'done'],
  [{ email: 'sara@example.com' }, { email: 's***@example.com' }, 'done'],
  [{ email: 'sara@example.com' }, { email: 'n***@example.com' }, 'unknown'],
  [{ email: 'sara@example.com' }, { email: 's***@example.org' }, 'unknown'],
  [{ email: 'sara@example.com' }, { email: 's•••@ex…le.com' }, 'done'],
  [{ email: 'sara@example.com' }, { email: 's···@example.com' }, 'done'],
  [{ email: 'max@example.com' }, { email: 'max@example.org' }, 'unknown'],
  [{ email: 'sara@example.com' }, { email: '***' }, 'done'],
  [{ email: 'sara@example.com' }, { email: 'noor@example.com' }, 'unknown'],
  [{ loyalty_id: 'LC-1' }, {}, 'done'],
])('a customer asked for by %o, told with %o, is %s', async (body, part, kind) => {
  next = () => changed('identify', part);
  expect((await asked('identify', { body })).kind).toBe(kind);
});

test.each([
  [{ phone: '55100001' }, {}, 'refused'],
  [{ phone: '55200002' }, {}, 'unknown'],
  // Either of the two belongs to the customer.
  [{ phone: '55200002', email: 'sara@example.com' }, {}, 'refused'],
  [{ phone: '55200002', email: 'noor@example.com' }, {}, 'unknown'],
  // The customer is told without the other of the two.
  [{ phone: '55100001', email: 'noor@example.com' }, { email: null }, 'refused'],
  [{ phone: '55200002', email: 'noor@example.com' }, { email: null }, 'unknown'],
  [{ phone: '55200002', email: 'noor@example.com' }, { phone: null }, 'unknown'],
  [{ phone: '55200002', email: 'noor@example.com' }, { phone: null, email: null }, 'refused'],
  // What is hidden may be theirs.
  [{ phone: '55200002', email: 'noor@example.com' }, { phone: '********' }, 'refused'],
])('ALREADY_ENROLLED tells an enrollment of %o about a customer with %o: %s', async (person, part, kind) => {
  const { answer } = books[0]?.identify ?? expect.fail();
  if (answer.kind !== 'response') return expect.fail();
  const customer = { ...JSON.parse(answer.response.body), email: 'sara@example.com', ...part };
  const error = { code: 'ALREADY_ENROLLED', message: 'm', retryable: false, request_id: 'r' };
  next = () => told({ error, customer }, 409);
  expect((await asked('enroll', { body: { external_ref: 'E-A', ...person } })).kind).toBe(kind);
});
