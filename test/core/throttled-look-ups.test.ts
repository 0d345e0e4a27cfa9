import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

// A service that limits look-ups and not sales: what it asks with the answer to a look-up holds no sale.

const hourMs = 3_600_000;
const aDay = { headers: { 'retry-after': '86400' } };
const throttle = (isThrottled: (request: SeenRequest) => boolean, more: object = aDay) => {
  shop.service.script = (request) => (isThrottled(request) ? refusal(429, 'RATE_LIMITED', more) : answer);
};
const isLookUp = ({ call }: SeenRequest) => call !== 'earn';
const lookUps = () => shop.service.requests.filter(isLookUp).length;
const connection = () => shop.core.status().connection;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => connection().state === 'online');
});
afterEach(() => shop.end());

describe('a look-up that is told to wait a day', () => {
  beforeEach(async () => {
    throttle(isLookUp);
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
  });

  it('keeps no sale waiting where it is a poll', async () => {
    await shop.pass(5_000);
    for (const ref of ['R-2', 'R-3', 'R-4']) {
      await shop.saved(ref);
      await shop.until(() => shop.state(ref) === 'accepted');
      await shop.pass(60_000, 1_000);
    }
    expect(connection()).toMatchObject({ state: 'online', cause: null });
  });

  it('keeps no sale waiting where it is a cashier’s', async () => {
    expect(await shop.core.identify({ loyalty_id: 'LC-9' })).toMatchObject({ kind: 'unknown', cause: 'throttled' });
    await shop.saved('R-2');
    await shop.until(() => shop.state('R-2') === 'accepted');
  });

  it('is followed by none of the till’s own for an hour, which the status names', async () => {
    await shop.pass(5_000);
    const asked = lookUps();
    const until = connection().look_ups_wait_until;
    expect(Date.parse(until ?? '') - shop.clock.now()).toBeGreaterThan(hourMs - 5_000);
    expect(connection().waits_until).toBeUndefined();
    await shop.pass(hourMs - 60_000, 10_000);
    expect(lookUps()).toBe(asked);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 120_000 });
    expect(connection().look_ups_wait_until).toBeUndefined();
  });

  it('is followed by one at once when somebody tries the line', async () => {
    await shop.pass(5_000);
    shop.service.script = () => answer;
    await shop.core.tryLine();
    expect(connection().look_ups_wait_until).toBeUndefined();
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 5_000 });
  });

  it('is told to whoever tries the line while look-ups are limited still', async () => {
    await shop.pass(5_000);
    const asked = lookUps();
    await shop.core.tryLine();
    expect(lookUps()).toBe(asked + 1);
    expect(connection().look_ups_wait_until).toBeDefined();
  });

  it('keeps no sale longer than the service has asked with the answer to a sale', async () => {
    await shop.pass(5_000);
    throttle(({ call }) => call === 'earn', { headers: { 'retry-after': '30' } });
    await shop.saved('R-2');
    await shop.until(() => connection().cause === 'throttled');
    const asked = lookUps();
    throttle(isLookUp);
    await shop.pass(28_000, 1_000);
    expect(shop.state('R-2')).toBe('queued');
    await shop.passUntil(() => shop.state('R-2') === 'accepted', { limitMs: 10_000 });
    expect(lookUps()).toBe(asked);
  });

  it('says nothing after an outage: the line is looked at, and then a sale tries', async () => {
    await shop.pass(5_000);
    await shop.service.stop();
    await shop.saved('R-2');
    await shop.passUntil(() => connection().state === 'offline', { limitMs: 60_000 });
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-2') === 'accepted', { limitMs: 60_000 });
    expect(connection()).toMatchObject({ state: 'online', cause: null });
  });
});

it('a service that answers no look-up but with 429 takes the sales of a till that starts', async () => {
  await shop.stop();
  throttle(isLookUp, {});
  shop.start();
  await shop.saved('R-1');
  await shop.passUntil(() => shop.state('R-1') === 'accepted', { limitMs: 10_000 });
  await shop.pass(hourMs, 10_000);
  await shop.saved('R-2');
  await shop.until(() => shop.state('R-2') === 'accepted');
});

describe('sales whose refusal cannot be checked, because the service limits look-ups,', () => {
  const areRefused = (refs: (ref: string) => boolean, more: object = aDay) => {
    shop.service.script = (request) => {
      if (isLookUp(request)) return refusal(429, 'RATE_LIMITED', more);
      return refs(request.externalRef ?? '') ? refusal(404, 'CUSTOMER_NOT_FOUND') : answer;
    };
  };
  const isNobodys = (ref: string) => ref.startsWith('N-');
  const saveAll = async (refs: readonly string[]) => {
    for (const ref of refs) await shop.saved(ref);
  };
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}-${at}`);

  it('keep no other sale waiting, and are asked about seldom', async () => {
    areRefused(isNobodys);
    const good = numbered('R', 60);
    await saveAll(good.flatMap((ref, at) => (at % 10 === 0 ? [`N-${at}`, ref] : [ref])));
    await shop.passUntil(() => good.every((ref) => shop.state(ref) === 'accepted'), { limitMs: 5_000 });
    expect(connection()).toMatchObject({ state: 'online', cause: null });
    const asked = shop.service.requests.length;
    const looked = lookUps();
    await shop.pass(hourMs - 60_000, 10_000);
    expect(shop.state('N-0')).toBe('unknown');
    expect(lookUps()).toBe(looked);
    // Each of the six every five minutes.
    expect(shop.service.requests.length - asked).toBeLessThanOrEqual(6 * 13);
    await shop.saved('R-later');
    await shop.until(() => shop.state('R-later') === 'accepted');
  });

  it('are refused soon after it takes look-ups again', async () => {
    areRefused(isNobodys, { headers: { 'retry-after': '120' } });
    await saveAll(['N-1', 'R-1']);
    await shop.passUntil(() => shop.state('N-1') === 'unknown', { limitMs: 5_000 });
    await shop.pass(60_000, 1_000);
    shop.service.script = (request) =>
      isNobodys(request.externalRef ?? '') && !isLookUp(request) ? refusal(404, 'CUSTOMER_NOT_FOUND') : answer;
    await shop.passUntil(() => shop.state('N-1') === 'refused', { limitMs: 300_000 });
  });

  it('pause nothing when they are refused one after another at last', async () => {
    areRefused(isNobodys, { headers: { 'retry-after': '120' } });
    const nobodys = numbered('N', 12);
    await saveAll(nobodys.flatMap((ref, at) => [ref, `R-${at}`]));
    await shop.passUntil(() => nobodys.every((ref) => shop.state(ref) === 'unknown'), { limitMs: 5_000 });
    shop.service.script = ({ call, externalRef }) =>
      call === 'earn' && isNobodys(externalRef ?? '') ? refusal(404, 'CUSTOMER_NOT_FOUND') : answer;
    await shop.passUntil(() => nobodys.every((ref) => shop.state(ref) === 'refused'), { limitMs: 300_000 });
    expect(connection()).toMatchObject({ state: 'online', cause: null });
  });

  it('pause the queue for a minute at most where there are many in a row', async () => {
    areRefused(() => true);
    await shop.service.stop();
    await saveAll(numbered('N', 40));
    await shop.service.start();
    await shop.passUntil(() => connection().cause === 'throttled', { limitMs: 60_000 });
    expect(Date.parse(connection().waits_until ?? '') - shop.clock.now()).toBeLessThanOrEqual(60_000);
    await shop.pass(600_000, 1_000);
    expect(shop.service.earns.length).toBeLessThanOrEqual(40);
    areRefused(isNobodys);
    await shop.saved('R-1');
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'accepted', { limitMs: 120_000 });
  });
});
