import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Unknown } from '../../app/client/outcome.ts';
import { Connectivity } from '../../app/line/connectivity.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { Shop } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Act, answer, captivePortal, refusal, type SeenRequest } from '../support/scripted-service.ts';

// A service that answers look-ups with an error of its own, and may take sales all the same: a sale finds out.

const hourMs = 3_600_000;
const broken = refusal(503, 'INTERNAL');
const isLookUp = ({ call }: SeenRequest) => call !== 'earn';
const connection = () => shop.core.status().connection;
const answerLookUpsWith = (act: Act) => {
  shop.service.script = (request) => (isLookUp(request) ? act : answer);
};
const references = (count: number) => Array.from({ length: count }, (_, index) => `R-${index}`);
const areApplied = (refs: readonly string[]) => () => refs.every((ref) => shop.state(ref) === 'applied');
const areAccepted = (refs: readonly string[]) => () => refs.every((ref) => shop.state(ref) === 'accepted');
const timesRecorded = (refs: readonly string[]) => refs.filter((ref) => shop.service.recorded.has(ref)).length;

/** Lets the time pass. @returns the states of the line that were shown, without repetitions */
async function shownWhile(durationMs: number, stepMs: number): Promise<readonly string[]> {
  const shown: string[] = [connection().state];
  for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
    await shop.pass(stepMs, stepMs);
    if (shown.at(-1) !== connection().state) shown.push(connection().state);
  }
  return shown;
}

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => connection().state === 'online');
});
afterEach(() => shop.end());

describe('while the service answers look-ups with 503 for an hour, and takes sales,', () => {
  it('50 sales are delivered, each once, and the till asks as seldom as before', async () => {
    answerLookUpsWith(broken);
    await shop.pass(60_000, 1_000);
    expect(connection()).toMatchObject({ state: 'offline', cause: 'service' });
    const asked = shop.service.requests.length;
    const refs = references(50);
    const shown: string[] = [];
    for (const ref of refs) {
      await shop.saved(ref);
      await shop.until(() => shop.state(ref) === 'accepted');
      shown.push(...(await shownWhile(hourMs / refs.length, 4_000)));
    }
    expect([...new Set(shown)]).toEqual(['online']);
    expect(connection().look_ups_wait_until).toBeDefined();
    expect(shop.service.earns).toHaveLength(50);
    expect(shop.service.requests.length - asked).toBeLessThan(500);
    shop.service.script = () => answer;
    await shop.passUntil(areApplied(refs), { limitMs: 180_000 });
    expect(timesRecorded(refs)).toBe(50);
    expect(shop.service.earns).toHaveLength(50);
    await shop.pass(60_000, 1_000);
    expect(connection().look_ups_wait_until).toBeUndefined();
  });

  it('a backlog is delivered, after one sale has found out', async () => {
    await shop.service.stop();
    const refs = references(50);
    await Promise.all(refs.map((ref) => shop.saved(ref)));
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 60_000 });
    answerLookUpsWith(broken);
    await shop.service.start();
    await shop.passUntil(areAccepted(refs), { limitMs: 30_000 });
    expect(shop.service.earns).toHaveLength(50);
  });

  it('a till that starts delivers', async () => {
    await shop.stop();
    answerLookUpsWith(broken);
    shop.start();
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'accepted', { limitMs: 10_000 });
  });

  it('a till sends no time by a single date, which may be wrong', async () => {
    await shop.stop();
    const looks = () => shop.service.requests.filter(isLookUp).length;
    const lookedBefore = looks();
    shop.service.script = (request) => {
      shop.service.skewMs = looks() === lookedBefore + 1 ? 4 * 24 * hourMs : 0;
      return isLookUp(request) ? broken : answer;
    };
    shop.start();
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'accepted', { limitMs: 60_000 });
    const { occurred_at: toldAt } = JSON.parse(shop.service.earnsOf('R-1')[0]?.body ?? '');
    expect(Math.abs(Date.parse(toldAt) - shop.clock.now())).toBeLessThan(60_000);
  });

  it('also after somebody has set the clock, while sales are taken', async () => {
    answerLookUpsWith(broken);
    await shop.pass(60_000, 1_000);
    await shop.saved('R-1');
    await shop.passUntil(areAccepted(['R-1']));
    await shop.pass(200_000, 1_000);
    const [rightMs, asked] = [shop.clock.now(), shop.service.requests.length];
    shop.clock.jump(hourMs);
    shop.service.script = (request) => {
      const isFirst = shop.service.requests.length === asked + 1;
      shop.service.skewMs = (isFirst ? 4 * 24 * hourMs : 0) - hourMs;
      return isLookUp(request) ? broken : answer;
    };
    await shop.saved('R-2');
    await shop.passUntil(areAccepted(['R-2']), { limitMs: 60_000 });
    const { occurred_at: toldAt } = JSON.parse(shop.service.earnsOf('R-2')[0]?.body ?? '');
    expect(Math.abs(Date.parse(toldAt) - rightMs)).toBeLessThan(60_000);
  });

  it('a wait that it asks for with a look-up is kept, until somebody tries the line', async () => {
    answerLookUpsWith(refusal(503, 'INTERNAL', { headers: { 'retry-after': '600' } }));
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 60_000 });
    await shop.saved('R-1');
    await shop.pass(500_000, 5_000);
    expect(shop.service.earns).toHaveLength(0);
    answerLookUpsWith(broken);
    await shop.core.tryLine();
    await shop.until(() => shop.state('R-1') === 'accepted');
  });

  it('says so still to whoever tries the line', async () => {
    answerLookUpsWith(broken);
    await shop.pass(60_000, 1_000);
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    await shop.core.tryLine();
    expect(connection()).toMatchObject({ state: 'online', look_ups_wait_until: expect.any(String) });
  });

  it('429 to some of them changes nothing', async () => {
    let asked = 0;
    shop.service.script = (request) => {
      if (!isLookUp(request)) return answer;
      asked += 1;
      return asked % 2 === 0 ? refusal(429, 'RATE_LIMITED') : broken;
    };
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 300_000 });
    for (const ref of references(10)) {
      await shop.saved(ref);
      await shop.until(() => shop.state(ref) === 'accepted');
      expect(await shownWhile(60_000, 2_000)).toEqual(['online']);
    }
  });

  it('once they are answered again the line is judged by them, also while sales pass', async () => {
    answerLookUpsWith(broken);
    await shop.pass(60_000, 1_000);
    await shop.saved('R-1');
    shop.service.script = () => answer;
    for (let at = 0; at < 30; at += 1) {
      await shop.saved(`S-${at}`);
      await shop.pass(5_000, 1_000);
    }
    shop.service.script = () => broken;
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 20_000 });
  });

  it('a sale that it refuses keeps no other waiting, and is refused when look-ups are answered', async () => {
    shop.service.script = (request) => {
      if (isLookUp(request)) return broken;
      return request.externalRef?.startsWith('N-') === true ? refusal(404, 'CUSTOMER_NOT_FOUND') : answer;
    };
    await shop.pass(60_000, 1_000);
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    for (let at = 0; at < 20; at += 1) {
      await shop.saved(`N-${at}`);
      await shop.pass(20_000, 1_000);
      await shop.saved(`S-${at}`);
      await shop.passUntil(() => shop.state(`S-${at}`) === 'accepted', { limitMs: 1_000 });
      expect(connection().state).toBe('online');
    }
    shop.service.script = ({ call, externalRef }) =>
      call === 'earn' && externalRef?.startsWith('N-') === true ? refusal(404, 'CUSTOMER_NOT_FOUND') : answer;
    await shop.passUntil(() => shop.core.status().operations.refused === 20, { limitMs: 600_000 });
  });
});

describe('while the service answers everything with 503 for an hour,', () => {
  it('a till asks hardly oftener than without tries, costs no sale an attempt, and delivers each once when it ends', async () => {
    const refs = references(50);
    shop.service.script = () => broken;
    for (const ref of refs) await shop.saved(ref);
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 1_000 });
    expect(await shownWhile(hourMs, 2_000)).toEqual(['offline']);
    // 3 were on their way when it began. Without a try the till asked 241 times in all.
    expect(shop.service.earns.length).toBeGreaterThan(3 + 10);
    expect(shop.service.earns.length).toBeLessThanOrEqual(3 + 25);
    expect(shop.service.requests.length).toBeLessThan(241 + 50);
    expect(refs.filter((ref) => shop.operation(ref).attempts > 0)).toEqual([]);
    expect(shop.core.status().operations).toMatchObject({ refused: 0, failed: 0 });
    shop.service.script = () => answer;
    await shop.passUntil(areApplied(refs), { limitMs: 120_000 });
    expect(shop.service.recorded.size).toBe(50);
  });

  it('no second sale goes out behind the one that failed: the till waits and looks first', async () => {
    shop.service.script = () => broken;
    await shop.saved('R-1');
    await shop.until(() => connection().state === 'offline');
    await shop.saved('R-2');
    const asked = shop.service.requests.length;
    await shop.pass(990, 10);
    expect(shop.service.requests.length).toBeGreaterThan(asked);
    expect(shop.service.earns).toHaveLength(1);
    await shop.passUntil(() => shop.service.earns.length === 2, { limitMs: 60_000 });
  });

  it('whoever tries the line lets a sale try at once', async () => {
    shop.service.script = () => broken;
    for (const ref of references(30)) await shop.saved(ref);
    await shop.pass(hourMs / 2, 2_000);
    await shop.passUntil(() => shop.core.status().operations.sending === 0);
    const sent = shop.service.earns.length;
    await shop.passUntil(() => shop.service.earns.length > sent);
    await shop.core.tryLine();
    await shop.until(() => shop.service.earns.length === sent + 2);
  });

  it('a single sale that tries again and again pays for nothing', async () => {
    shop.service.script = () => broken;
    await shop.saved('R-1');
    await shop.pass(hourMs, 2_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', attempts: 0 });
    shop.service.script = () => answer;
    await shop.passUntil(areApplied(['R-1']), { limitMs: 60_000 });
    expect(shop.service.recorded.size).toBe(1);
  });

  it('and has recorded what it says that it did not, each sale is delivered once', async () => {
    shop.service.script = (request) => (isLookUp(request) ? broken : refusal(503, 'INTERNAL', { does: true }));
    const refs = references(50);
    for (const ref of refs) await shop.saved(ref);
    await shop.pass(hourMs, 2_000);
    expect(shop.service.recorded.size).toBeGreaterThan(10);
    shop.service.script = () => answer;
    await shop.passUntil(areApplied(refs), { limitMs: 300_000 });
    expect(shop.service.recorded.size).toBe(50);
    expect(shop.core.status().operations).toMatchObject({ refused: 0, failed: 0, unknown: 0 });
  });

  it.each([
    ['brings no answer', broken],
    ['is refused, for which nothing else vouches,', refusal(404, 'CUSTOMER_NOT_FOUND')],
  ] as const)('and then takes sales again, one that still %s keeps no other from trying', async (_, act) => {
    const refs = references(3);
    shop.service.script = () => broken;
    for (const ref of refs) await shop.saved(ref);
    await shop.passUntil(() => refs.every((ref) => shop.state(ref) === 'unknown'));
    shop.service.script = (request) => (isLookUp(request) ? broken : request.externalRef === 'R-0' ? act : answer);
    await shop.passUntil(areAccepted(refs.slice(1)), { limitMs: hourMs / 4 });
    expect(shop.state('R-0')).toBe('unknown');
  });

  it('after it took sales without look-ups, a till shows it when a sale fails', async () => {
    answerLookUpsWith(broken);
    await shop.pass(60_000, 1_000);
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    shop.service.script = () => broken;
    await shop.pass(60_000, 1_000);
    await Promise.all(references(40).map((ref) => shop.saved(`S-${ref}`)));
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 1_000 });
    // A look had failed since the last sale passed: a single one finds out.
    expect(shop.service.earns).toHaveLength(2);
    expect(await shownWhile(600_000, 2_000)).toEqual(['offline']);
  });
});

it.each([
  ['somebody else', captivePortal, 'not_the_service'],
  ['a proxy', { kind: 'say', status: 503, body: '<h1>Bad gateway</h1>' }, 'not_the_service'],
  ['a service that knows the key no more', refusal(401, 'UNAUTHENTICATED'), 'unauthenticated'],
] as const)('a look-up that %s answers lets no sale try', async (_, act, cause) => {
  answerLookUpsWith(act);
  await shop.passUntil(() => connection().cause === cause, { limitMs: 60_000 });
  await shop.saved('R-1');
  await shop.pass(600_000, 2_000);
  expect(shop.service.earns).toHaveLength(0);
});

it('a sale that tries and is told to wait makes the queue wait', async () => {
  shop.service.script = (request) =>
    isLookUp(request) ? broken : refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '600' } });
  await shop.pass(60_000, 1_000);
  await shop.saved('S-1');
  await shop.until(() => connection().cause === 'throttled');
  expect(connection()).toMatchObject({ state: 'online', waits_until: expect.any(String) });
  const asked = shop.service.requests.length;
  for (const ref of references(5)) await shop.saved(ref);
  await shop.pass(590_000, 2_000);
  expect(shop.service.requests.length).toBe(asked);
});

it('a sale that is told to wait makes the queue wait, also where a look that was under way ends after it with an error of the service', async () => {
  const clock = new ManualClock();
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const looks: ((outcome: Unknown) => void)[] = [];
  const line = new Connectivity({
    clock,
    random: seededRandom(1),
    reconnectSpreadMs: 0,
    idleProbeMs: 15_000,
    flapSettleMs: 5_000,
    probe: () => new Promise<Unknown>((resolve) => looks.push(resolve)),
  });
  const error = { code: 'INTERNAL', message: 'no', retryable: true, request_id: 'req_1' };
  const said = { kind: 'unknown', recorded: 'maybe', message: 'no', error, facts: null, retryAfterMs: null } as const;
  line.start();
  looks[0]?.({ ...said, cause: 'service' });
  await turn();
  expect([line.gate, line.saleGate]).toEqual(['closed', 'trial']);
  line.saleTries();
  expect(line.saleGate).toBe('closed');
  clock.advance(1_000);
  expect(looks).toHaveLength(2);
  line.failed('throttled', 600_000);
  looks[1]?.({ ...said, cause: 'service' });
  await turn();
  clock.advance(590_000);
  expect(looks).toHaveLength(2);
  expect(line.saleGate).toBe('closed');
  clock.advance(20_000);
  expect(looks).toHaveLength(3);
  line.stop();
});
