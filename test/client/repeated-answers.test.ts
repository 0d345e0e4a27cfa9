import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceClient } from '../../app/client/client.ts';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { createService, type Service } from '../../app/service/service.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import { callService } from '../support/call-service.ts';
import { ManualClock } from '../support/manual-clock.ts';

// A proxy on the way gives an answer that it has kept from an earlier call.

const first = { phone: '+96555100001' };
const second = { phone: '+96555200002' };
const aboutAnother = { kind: 'unknown', cause: 'not_the_service', recorded: 'maybe', isAboutAnother: true };

let clock: ManualClock;
let service: Service;
let client: ServiceClient;
/** What the proxy makes of the service's own answer. */
let proxy: (own: Outcome) => Outcome;
let last: Outcome;

beforeEach(async () => {
  clock = new ManualClock();
  const random = seededRandom(7);
  service = createService({ clock, random, ids: createIds(clock, random), data: { kind: 'memory' } });
  proxy = (own) => own;
  asKept = (kept) => kept;
  client = new ServiceClient({
    dispatcher: inProcessDispatcher({
      hostClock: clock,
      exchange: async (call) => {
        last = proxy(await service.exchange(call));
        return last;
      },
    }),
    baseUrl: 'http://service.invalid/v1',
    apiKey: service.apiKey,
    clock,
    answerTimeoutMs: 5_000,
  });
  for (const { phone } of [first, second]) {
    // Nothing in the profile betrays whose it is.
    const cards = [{ template_id: 'tpl_reward', loyalty_id: `LC-${phone}` }];
    await callService(service, { method: 'POST', path: '/_sandbox/customers', body: { cards } });
  }
});
afterEach(() => service.close());

const identify = (identifier: Identifier) => client.call('identify', { body: JSON.stringify(identifier) });
const card = ({ phone }: typeof first) => ({ loyalty_id: `LC-${phone}` });
const earn = (externalRef: string) =>
  client.send('earn', {
    path: '/transactions/earn',
    body: JSON.stringify({ identifier: card(first), external_ref: externalRef, points: 10 }),
    idempotencyKey: null,
  });
const redeem = (externalRef: string) =>
  client.send('redeem', {
    path: '/transactions/redeem',
    body: JSON.stringify({ identifier: card(first), external_ref: externalRef, points: 10 }),
    idempotencyKey: null,
  });

/** What the proxy makes of an answer that it has kept. */
let asKept: (kept: Outcome) => Outcome;

/** From now on the proxy gives the last answer again. */
function repeatLast(): void {
  const kept = asKept(last);
  proxy = () => kept;
}

/** RFC 9111 has a cache say for how long it has kept what it gives. */
function withAge(kept: Outcome): Outcome {
  if (kept.kind !== 'response') return kept;
  return { ...kept, response: { ...kept.response, headers: { ...kept.response.headers, age: '3' } } };
}

/** All answers have this id, as from a front that was set up so. */
function nameAll(requestId: string, before = proxy): void {
  proxy = (own) => {
    const outcome = before(own);
    if (outcome.kind !== 'response') return outcome;
    const headers = { ...outcome.response.headers, 'x-request-id': requestId };
    return { ...outcome, response: { ...outcome.response, headers } };
  };
}

describe.each([
  ['an answer', (kept: Outcome) => kept],
  ['an answer whose age is told', withAge],
])('%s that came before to another call', (_, keptBy) => {
  beforeEach(async () => {
    asKept = keptBy;
    // As each start asks something first.
    await earn('R-0');
  });

  test('shows nobody the customer who was looked for before', async () => {
    expect(await identify(card(first))).toMatchObject({ kind: 'done' });
    repeatLast();
    expect(await identify(card(second))).toMatchObject(aboutAnother);
    proxy = (own) => own;
    expect(await identify(card(second))).toMatchObject({ kind: 'done' });
  });

  test('is disbelieved, too, where many came in between', async () => {
    await identify(card(first));
    const kept = asKept(last);
    for (let count = 1; count <= 1_100; count += 1) await earn(`R-${count}`);
    proxy = () => kept;
    expect(await identify(card(second))).toMatchObject(aboutAnother);
  });

  test('proves no sale to be taken', async () => {
    await earn('R-1');
    repeatLast();
    expect(await earn('R-2')).toMatchObject(aboutAnother);
  });

  test('proves no sale to be refused', async () => {
    expect(await redeem('R-1')).toMatchObject({ kind: 'refused' });
    repeatLast();
    expect(await redeem('R-2')).toMatchObject(aboutAnother);
  });

  test('proves no sale to be refused, though a gateway has put its own id into the header', async () => {
    expect(await redeem('R-1')).toMatchObject({ kind: 'refused' });
    repeatLast();
    nameAll('gateway', proxy);
    expect(await redeem('R-2')).toMatchObject(aboutAnother);
  });

  test('proves nothing of the books', async () => {
    const lookUp = (externalRef: string) =>
      client.call('transactionsByReference', { query: { external_ref: externalRef } });
    expect(await lookUp('R-1')).toMatchObject({ kind: 'done', answer: { data: [] } });
    repeatLast();
    expect(await lookUp('R-2')).toMatchObject(aboutAnother);
  });
});

describe('an answer that is believed though its id came before', () => {
  test('is one to the same call: a service may give its stored answer to a write that is repeated', async () => {
    const told = await earn('R-1');
    repeatLast();
    expect(await earn('R-1')).toEqual(told);
    expect(await earn('R-1')).toEqual(told);
  });

  test('is one to the same enrollment, in other words', async () => {
    const enroll = (name: string) =>
      client.send('enroll', {
        path: '/customers/enroll',
        body: JSON.stringify({ external_ref: 'E-1', phone: '+96555300003', name }),
        idempotencyKey: null,
      });
    const told = await enroll('Huda');
    repeatLast();
    expect(await enroll('Huda Ali')).toEqual(told);
  });

  const lookUp = (externalRef: string) =>
    client.call('transactionsByReference', { query: { external_ref: externalRef } });
  const nothingThere = { kind: 'done', answer: { data: [] } };

  test('is one of a front that gives an id to each of its connections, and not to each answer', async () => {
    const own = proxy;
    for (const [count, ref] of ['R-5', 'R-6', 'R-7', 'R-8'].entries()) {
      nameAll(`connection ${count % 2}`, own);
      clock.advance(1_000);
      expect(await lookUp(ref)).toMatchObject(nothingThere);
    }
  });

  test('is one of a service whose ids are too long to be told apart', async () => {
    const own = proxy;
    for (const ref of ['R-5', 'R-6', 'R-7']) {
      nameAll(`${'x'.repeat(200)} ${ref}`, own);
      expect(await lookUp(ref)).toMatchObject(nothingThere);
      nameAll('another', own);
      await identify(card(first));
    }
  });

  test('is one of a service whose front names all answers alike, however often they are alike', async () => {
    nameAll('front');
    for (const ref of ['R-7', 'R-8', 'R-9']) {
      expect(await lookUp(ref)).toMatchObject(nothingThere);
    }
    expect(await identify(card(first))).toMatchObject({ kind: 'done' });
    expect(await identify(card(second))).toMatchObject({ kind: 'done' });
    for (const ref of ['R-1', 'R-2', 'R-3']) {
      expect(await redeem(ref)).toMatchObject({ kind: 'refused' });
      expect(await client.call('transactionsByReference', { query: { external_ref: ref } })).toMatchObject({
        kind: 'done',
      });
    }
  });
});
