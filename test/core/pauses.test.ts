import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop, signal } from '../support/core-shop.ts';
import { type Act, answer, captivePortal, refusal, type SeenRequest } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const references = (count: number, prefix = 'R') => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const saveAll = (refs: readonly string[]) => Promise.all(refs.map((ref) => shop.saved(ref)));
const allApplied = (refs: readonly string[]) => () => refs.every((ref) => shop.state(ref) === 'applied');

/** Every call of the service answers alike, until the test says otherwise. */
function everyCall(act: Act): void {
  shop.service.script = () => act;
}

describe('a cause that is not a row’s own pauses all rows and costs none an attempt', () => {
  it.each([
    ['the key is refused', refusal(401, 'UNAUTHENTICATED'), 'key_refused', 'unauthenticated'],
    ['the tenant is suspended', refusal(403, 'TENANT_SUSPENDED'), 'suspended', 'suspended'],
    ['it is too many requests', refusal(429, 'RATE_LIMITED'), 'online', 'throttled'],
    ['a captive portal answers', captivePortal, 'offline', 'not_the_service'],
    ['the service is broken', refusal(503, 'INTERNAL'), 'offline', 'service'],
    ['every line is cut', { kind: 'lose_request' }, 'offline', 'offline'],
  ] as const)('%s', async (_, act, state, cause) => {
    everyCall(act);
    const refs = references(40);
    await saveAll(refs);
    await shop.pass(600_000, 5_000);
    expect(shop.core.status().connection).toMatchObject({ state, cause });
    for (const ref of refs) {
      expect(shop.operation(ref).attempts).toBe(0);
      expect(['queued', 'unknown']).toContain(shop.state(ref));
    }
    // A few were on their way when it began; after that a cheap read asks, and no sale is spent on it. Where reads are
    // throttled, only a sale can find out whether sales are.
    expect(shop.service.earns.length).toBeLessThanOrEqual(cause === 'throttled' ? 40 : 16);
    expect(shop.service.requests.length).toBeLessThan(200);
    expect(shop.service.requests.filter(({ call }) => call === 'by_reference').length).toBeGreaterThan(3);
    shop.service.script = () => answer;
    await shop.passUntil(allApplied(refs));
    expect(shop.service.recorded.size).toBe(40);
    expect(shop.core.status().connection).toMatchObject({ state: 'online', cause: null });
  });

  it('leaves a row that was never seen by the service cancellable', async () => {
    everyCall(refusal(401, 'UNAUTHENTICATED'));
    const operation = await shop.saved('R-1');
    await shop.pass(20_000, 1_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'queued', maybeSent: false });
    expect(await shop.core.cancel(operation.operationId)).toMatchObject({ kind: 'cancelled' });
  });

  it('does not make an unknown row look unsent', async () => {
    shop.service.script = ({ call, attempt }) => {
      if (call !== 'earn') return answer;
      return attempt === 1 ? { kind: 'lose_answer' } : refusal(401, 'UNAUTHENTICATED');
    };
    const operation = await shop.saved('R-1');
    await shop.passUntil(() => shop.service.earnsOf('R-1').length === 2);
    await shop.quiet();
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', maybeSent: true });
    expect(await shop.core.cancel(operation.operationId)).toMatchObject({ kind: 'too_late' });
  });
});

describe('Retry-After', () => {
  const earnsSince = (atMs: number) => shop.service.earns.filter((earn) => earn.atMs > atMs);

  it.each([
    ['in seconds', () => '90'],
    ['as a date', () => new Date(shop.clock.now() + 90_000).toUTCString()],
  ])('%s is waited for', async (_, retryAfter) => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': retryAfter() } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    shop.service.script = () => answer;
    const throttledAtMs = shop.clock.now();
    const asked = shop.service.requests.length;
    await shop.pass(88_000, 1_000);
    expect(shop.service.requests.length).toBe(asked);
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(earnsSince(throttledAtMs)).toHaveLength(1);
  });

  it('of years is waited for an hour, which the status names; who tries sends at once', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '99999999' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    const until = new Date(shop.clock.now() + 3_600_000).toISOString();
    expect(shop.core.status().connection).toMatchObject({ cause: 'throttled', waits_until: until });
    expect(shop.warnings).toContainEqual(expect.stringContaining(until));
    shop.service.script = () => answer;
    await shop.pass(600_000, 5_000);
    expect(shop.state('R-1')).toBe('queued');
    expect(shop.core.status().connection.waits_until).toBe(until);
    await shop.core.tryLine();
    expect(shop.core.status().connection.waits_until).toBeUndefined();
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 30_000 });
  });

  it('as a date is counted from the service’s own clock', async () => {
    shop.service.skewMs = 7 * 24 * 3_600_000;
    shop.service.script = ({ call }) =>
      call === 'earn'
        ? refusal(429, 'RATE_LIMITED', {
            headers: { 'retry-after': new Date(shop.clock.now() + shop.service.skewMs + 30_000).toUTCString() },
          })
        : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 120_000 });
  });

  it('is waited for even when an answer to an earlier request comes after it', async () => {
    const mayAnswer = signal();
    shop.service.script = ({ call, externalRef }) => {
      if (call !== 'earn') return answer;
      return externalRef === 'R-0'
        ? { kind: 'answer_after', until: mayAnswer.promise }
        : refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } });
    };
    await shop.saved('R-0');
    await shop.until(() => shop.service.inFlight === 1);
    await saveAll(references(30, 'S'));
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    await shop.quiet();
    const sent = shop.service.earns.length;
    shop.service.script = () => answer;
    mayAnswer.give();
    await shop.until(() => shop.state('R-0') === 'accepted');
    await shop.pass(55_000, 1_000);
    expect(shop.service.earns.length).toBe(sent);
    await shop.passUntil(allApplied(references(30, 'S')));
  });

  it('is told as offline when the line breaks meanwhile, and looked at until the line is back', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '3600' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    await shop.service.stop();
    void shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.until(() => shop.core.status().connection.cause === 'offline');
    expect(shop.core.status().connection.state).toBe('offline');
    await shop.pass(600_000, 5_000);
    expect(shop.core.status().connection.state).toBe('offline');
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().connection.state === 'online', { limitMs: 60_000 });
    expect(shop.core.status().connection).toMatchObject({ cause: 'throttled', waits_until: expect.any(String) });
    expect(shop.service.earns).toHaveLength(1);
  });

  it('ends by itself also when the line breaks meanwhile and is back before its time', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } }) : answer;
    const held = signal();
    // A look at the line is under way when the service asks to wait; it ends with a cut line.
    await shop.passUntil(() => shop.clock.hasTimerIn(15_000));
    shop.service.script = ({ call }) =>
      call === 'earn'
        ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } })
        : { kind: 'answer_after', until: held.promise };
    shop.clock.advance(15_000);
    await shop.quiet();
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    await shop.service.stop();
    await shop.until(() => shop.core.status().connection.cause === 'offline');
    held.give();
    shop.service.script = () => answer;
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().connection.state === 'online', { limitMs: 40_000 });
    expect(shop.core.status().connection.cause).toBe('throttled');
    expect(shop.service.recorded.size).toBe(0);
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 120_000 });
  });

  it('is waited for even when the cashier looks up a customer meanwhile', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    const sent = shop.service.earns.length;
    expect(await shop.core.identify({ loyalty_id: 'LC-9' })).toMatchObject({ kind: 'done' });
    await shop.pass(50_000, 1_000);
    expect(shop.service.earns.length).toBe(sent);
  });
});

describe('one bad row stops nothing', () => {
  const isBad = ({ call, externalRef }: SeenRequest) => call === 'earn' && externalRef === 'BAD';

  it.each([
    ['answered 500', refusal(500, 'INTERNAL')],
    ['answered by a proxy that chokes on it', { kind: 'say', status: 502, body: '<h1>Bad gateway</h1>' }],
    ['cut off', { kind: 'lose_request' }],
  ] as const)('when it is always %s it steps aside, is tried slowly, and the others flow', async (_, act) => {
    shop.service.script = (request) => (isBad(request) ? act : answer);
    await shop.saved('BAD');
    const refs = references(60);
    await saveAll(refs);
    await shop.passUntil(allApplied(refs), { limitMs: 60_000 });
    expect(shop.state('BAD')).toBe('unknown');
    await shop.pass(3_600_000, 10_000);
    const tries = shop.service.earnsOf('BAD').length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(60);
    expect(shop.operation('BAD').attempts).toBeGreaterThanOrEqual(tries - 2);
    expect(shop.core.status().connection).toMatchObject({ state: 'online' });
    // A new sale goes out at once, and the bad one is delivered when it can be.
    await shop.saved('NEW');
    await shop.until(() => shop.state('NEW') === 'accepted');
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('BAD') === 'applied');
    expect(shop.service.recorded.size).toBe(62);
  });

  it.each([
    ['429', refusal(429, 'RATE_LIMITED')],
    ['429 for a minute', refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '60' } })],
    ['403', refusal(403, 'TENANT_SUSPENDED')],
    ['401', refusal(401, 'UNAUTHENTICATED')],
  ] as const)('also one that alone is always answered %s keeps no later sale back', async (_, act) => {
    shop.service.script = (request) => (isBad(request) ? act : answer);
    await shop.saved('BAD');
    await shop.pass(600_000, 1_000);
    const later = ['NEW-1', 'NEW-2', 'NEW-3'];
    await saveAll(later);
    await shop.pass(3_600_000, 1_000);
    expect(later.filter((reference) => shop.service.recorded.has(reference))).toEqual(later);
    expect(shop.operation('BAD')).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('also where it is its customer’s first, whose later ones wait for it', async () => {
    shop.service.script = (request) => (isBad(request) ? refusal(429, 'RATE_LIMITED') : answer);
    await shop.saved('BAD', { identifier: { loyalty_id: 'LC-7' } });
    await shop.saved('SAME', { identifier: { loyalty_id: 'LC-7' } });
    await shop.saved('OTHER', { identifier: { loyalty_id: 'LC-8' } });
    await shop.pass(3_600_000, 1_000);
    expect([shop.state('SAME'), shop.state('OTHER')]).toEqual(['queued', 'accepted']);
    expect(shop.service.earnsOf('SAME')).toHaveLength(0);
  });

  it('also a transaction that cannot be read does not hold the queue', async () => {
    shop.service.script = ({ call, url }) =>
      call === 'transaction' && url.endsWith('txn_000001') ? refusal(500, 'INTERNAL') : answer;
    await shop.saved('UNREADABLE');
    await shop.until(() => shop.state('UNREADABLE') === 'accepted');
    await shop.pass(600_000, 2_000);
    expect(shop.core.status().connection).toMatchObject({ state: 'online', cause: null });
    const since = shop.core.status().connection.since;
    expect(since).toBe('2026-11-20T18:13:00.000Z');
    await shop.saved('NEW');
    await shop.until(() => shop.state('NEW') === 'accepted');
  });

  it('also a customer whose look-up fails does not hold the queue', async () => {
    shop.service.script = ({ call }) => (call === 'identify' ? refusal(500, 'INTERNAL') : answer);
    expect(await shop.core.identify({ loyalty_id: 'LC-9' })).toMatchObject({ kind: 'unknown', cause: 'service' });
    await shop.quiet();
    await shop.saved('NEW');
    await shop.until(() => shop.state('NEW') === 'accepted');
  });
});

describe('a service that reads and does not write', () => {
  it('is not hammered, and takes all when it writes again', async () => {
    shop.service.script = ({ call }) => (call === 'earn' ? refusal(500, 'INTERNAL') : answer);
    const refs = references(200);
    await saveAll(refs);
    await shop.pass(1_800_000, 5_000);
    // 200 rows in half an hour: it tries again and again, and never in a rush.
    expect(shop.service.earns.length).toBeGreaterThan(20);
    expect(shop.service.earns.length).toBeLessThan(1_000);
    const busiestSecond = new Map<number, number>();
    for (const { atMs } of shop.service.earns) {
      const second = Math.floor(atMs / 1_000);
      busiestSecond.set(second, (busiestSecond.get(second) ?? 0) + 1);
    }
    expect(Math.max(...busiestSecond.values())).toBeLessThan(40);
    shop.service.script = () => answer;
    await shop.passUntil(allApplied(refs));
    expect(shop.service.recorded.size).toBe(200);
  }, 60_000);
});

describe('coming back', () => {
  it('is spread over a random time after an outage, so that a street of tills does not come back in step', async () => {
    const startedAfterMs: number[] = [];
    for (let seed = 1; seed <= 4; seed += 1) {
      const till = await Shop.open({ pacing: { reconnectSpreadMs: 15_000 }, seed });
      await till.until(() => till.core.status().connection.state === 'online');
      await till.service.stop();
      await till.saved('R-1');
      await till.pass(60_000, 5_000);
      await till.service.start();
      const backAtMs = till.clock.now();
      await till.passUntil(() => till.service.earns.length > 0);
      const seenBack = till.service.requests.find(({ call, atMs }) => call === 'by_reference' && atMs >= backAtMs);
      startedAfterMs.push((till.service.earns[0]?.atMs ?? 0) - (seenBack?.atMs ?? 0));
      await till.passUntil(() => till.state('R-1') === 'applied');
      await till.end();
    }
    expect(new Set(startedAfterMs).size).toBe(4);
    expect(Math.max(...startedAfterMs) - Math.min(...startedAfterMs)).toBeGreaterThan(1_000);
    expect(Math.max(...startedAfterMs)).toBeLessThanOrEqual(15_000);
  });

  it('happens by itself, with nothing new to send', async () => {
    await shop.service.stop();
    await shop.saved('R-1');
    await shop.pass(300_000, 5_000);
    expect(shop.core.status().connection.state).toBe('offline');
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 90_000 });
  });

  it('is seen on the top bar though nothing is to be sent: an idle line is looked at', async () => {
    await shop.service.stop();
    await shop.passUntil(() => shop.core.status().connection.state === 'offline', { limitMs: 60_000 });
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().connection.state === 'online', { limitMs: 90_000 });
    expect(shop.core.status().lastAnswerAtMs).toBeGreaterThan(Date.parse('2026-11-20T18:13:00.000Z'));
  });
});

describe('a wrong address of the service', () => {
  const nothingHere = refusal(404, 'VALIDATION_ERROR');

  it('refuses no sale: all wait until it is right', async () => {
    everyCall(nothingHere);
    const refs = references(12);
    await saveAll(refs);
    await shop.pass(300_000, 5_000);
    expect(shop.core.status()).toMatchObject({
      connection: { state: 'offline', cause: 'not_the_service' },
      operations: { refused: 0 },
    });
    shop.service.script = () => answer;
    await shop.passUntil(allApplied(refs));
    expect(shop.service.recorded.size).toBe(12);
  });
});

describe('somebody who waits for a look-up', () => {
  const silent = { kind: 'answer_after', until: new Promise(() => undefined) } as const;

  it('is answered within a second when the line is known to be down', async () => {
    everyCall(captivePortal);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.core.status().connection.state === 'offline');
    everyCall(silent);
    const found = shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.pass(900, 100);
    expect(await found).toMatchObject({ kind: 'unknown', cause: 'not_the_service' });
  });

  it('is answered within seconds when a line that seemed good is silent', async () => {
    everyCall(silent);
    const found = shop.core.readTransactionsByReference('R-1');
    await shop.pass(5_000, 500);
    expect(await found).toMatchObject({ kind: 'unknown', cause: 'timeout' });
  });

  it('still gets an answer that comes at once on a line that was down', async () => {
    everyCall(captivePortal);
    await shop.saved('R-1');
    await shop.passUntil(() => shop.core.status().connection.state === 'offline');
    everyCall(answer);
    expect(await shop.core.identify({ loyalty_id: 'LC-1' })).toMatchObject({ kind: 'done' });
    expect(shop.core.status().connection.state).toBe('online');
  });

  it('is given time while the service only asks to send less', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '600' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    let goOn: (value: unknown) => void = () => undefined;
    const slow = new Promise((resolve) => {
      goOn = resolve;
    });
    shop.service.script = () => ({ kind: 'answer_after', until: slow });
    const found = shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.pass(2_000, 500);
    goOn(null);
    expect(await found).toMatchObject({ kind: 'done' });
  });

  it('finds offline the customer whose answer came too late', async () => {
    let goOn: (value: unknown) => void = () => undefined;
    const slow = new Promise((resolve) => {
      goOn = resolve;
    });
    shop.service.script = () => ({ kind: 'answer_after', until: slow });
    const found = shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.pass(6_000, 500);
    expect(await found).toMatchObject({ kind: 'unknown' });
    goOn(null);
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
  });
});
