import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { type Act, answer, captivePortal, refusal, type SeenRequest } from '../support/scripted-service.ts';

// While look-ups fail, a sale that passes proves that the service is there. For a while: then the till says that it is offline.

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** A proof counts for two minutes, and is asked for every 15 seconds. */
const toldWithinMs = 135_000;
const broken = refusal(503, 'INTERNAL');
const brokenFor10Minutes = refusal(503, 'INTERNAL', { headers: { 'retry-after': '600' } });
const isLookUp = ({ call }: SeenRequest) => call !== 'earn';
const connection = () => shop.core.status().connection;
const references = (count: number) => Array.from({ length: count }, (_, index) => `R-${index}`);
const answerLookUpsWith = (act: Act) => {
  shop.service.script = (request) => (isLookUp(request) ? act : answer);
};

/** Lets the time pass. @returns the states of the line that were told meanwhile, without repetitions */
async function toldWhile(durationMs: number): Promise<readonly string[]> {
  const told: string[] = [connection().state];
  const end = shop.core.onChange(() => {
    if (told.at(-1) !== connection().state) told.push(connection().state);
  });
  await shop.pass(durationMs, 1_000);
  end();
  return told;
}

async function sell(ref: string): Promise<void> {
  await shop.saved(ref);
  await shop.until(() => shop.state(ref) === 'accepted');
}

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => connection().state === 'online');
  answerLookUpsWith(broken);
  await shop.pass(minuteMs, 1_000);
  await sell('R-first');
  expect(connection()).toMatchObject({ state: 'online', cause: null });
});
afterEach(() => shop.end());

describe('while the service fails to answer look-ups, and a sale has passed,', () => {
  it('the till is online for two minutes, and then offline until the next sale, which goes out at once', async () => {
    expect(await toldWhile(110_000)).toEqual(['online']);
    const saidAt = shop.clock.now();
    expect(await toldWhile(hourMs)).toEqual(['online', 'offline']);
    expect(connection()).toMatchObject({ state: 'offline', cause: 'service' });
    expect(Date.parse(connection().since) - saidAt).toBeLessThan(toldWithinMs - 110_000);
    await sell('R-next');
    expect(connection()).toMatchObject({ state: 'online', cause: null });
  });

  it.each([
    ['answers every call with 503', broken],
    ['asks with it to wait', brokenFor10Minutes],
    ['stands behind a sign-in page', captivePortal],
    ['is cut off', null],
  ])('and it then %s, the till says so as soon', async (_, act) => {
    if (act === null) await shop.service.stop();
    else shop.service.script = () => act;
    await shop.passUntil(() => connection().state === 'offline', { limitMs: toldWithinMs });
    expect(await toldWhile(hourMs)).toEqual(['offline']);
  });

  it('for an hour without a sale, the till asks as seldom as while it is online', async () => {
    await shop.pass(toldWithinMs, 1_000);
    const asked = shop.service.requests.length;
    expect(await toldWhile(hourMs)).toEqual(['offline']);
    expect(shop.service.requests.length - asked).toBeLessThan(180);
  });

  it('a till that sells every minute is online all the time', async () => {
    for (const ref of references(60)) {
      await sell(ref);
      expect(await toldWhile(minuteMs)).toEqual(['online']);
    }
  });

  it('a till that sells every three hours sends each sale at once', async () => {
    for (const ref of references(3)) {
      await shop.pass(3 * hourMs, 5_000);
      expect(connection().state).toBe('offline');
      await sell(ref);
      expect(connection().state).toBe('online');
    }
    expect(shop.service.earns).toHaveLength(4);
  });

  it('a look-up that is answered again tells of it at once', async () => {
    await shop.pass(hourMs, 1_000);
    shop.service.script = () => answer;
    await shop.passUntil(() => connection().state === 'online', { limitMs: 75_000 });
    expect(connection().look_ups_wait_until).toBeUndefined();
  });

  it('an answer that too many look-ups are made is a proof, too', async () => {
    answerLookUpsWith(refusal(429, 'RATE_LIMITED'));
    expect(await toldWhile(hourMs)).toEqual(['online']);
    await shop.service.stop();
    await shop.passUntil(() => connection().state === 'offline', { limitMs: toldWithinMs });
  });

  it('an answer to what a person asks is a proof, too', async () => {
    shop.service.script = ({ call }) => (call === 'earn' || call === 'identify' ? answer : broken);
    await shop.pass(hourMs, 1_000);
    expect(connection().state).toBe('offline');
    expect(await shop.core.identify({ loyalty_id: 'LC-9' })).toMatchObject({ kind: 'done' });
    expect(connection().state).toBe('online');
    expect(await toldWhile(hourMs)).toEqual(['online', 'offline']);
  });

  it('whoever tries the line has it looked at, also between two waits of the look-ups', async () => {
    await shop.pass(toldWithinMs, 1_000);
    await shop.passUntil(() => connection().look_ups_wait_until === undefined);
    shop.service.script = () => answer;
    await shop.core.tryLine();
    expect(connection()).toMatchObject({ state: 'online', cause: null });
  });
});

describe('while the service asks with a failed look-up to wait ten minutes, and a sale has passed,', () => {
  beforeEach(async () => {
    answerLookUpsWith(brokenFor10Minutes);
    await shop.passUntil(() => Date.parse(connection().look_ups_wait_until ?? '') - shop.clock.now() > 500_000);
    await sell('R-second');
  });

  it('the till says that it is offline as soon, though it looks at nothing before, and sends the next sale at once', async () => {
    await shop.service.stop();
    await shop.passUntil(() => connection().state === 'offline', { limitMs: toldWithinMs });
    await shop.service.start();
    await sell('R-next');
    expect(connection().state).toBe('online');
  });

  it('a single sale of many finds out that sales fail by now', async () => {
    await shop.pass(toldWithinMs, 1_000);
    shop.service.script = () => broken;
    const sent = shop.service.earns.length;
    await Promise.all(references(40).map((ref) => shop.saved(ref)));
    await shop.passUntil(() => shop.core.status().operations.unknown === 1, { limitMs: 1_000 });
    expect(shop.service.earns.length).toBe(sent + 1);
  });
});
