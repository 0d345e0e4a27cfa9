import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Another till on the same key uses the number of a redemption that was refused here, for the same customer and value. A look
// into the books takes it for this till's only where it can have come of a try of this till's.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const identifier = { loyalty_id: 'LC-1001' };

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const redeem = () => shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 5 }), { waitMs: 0 }));
const atOtherTill = () => shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'R-1', points: 5 });
const shown = () => shop.operation('R-1', 'redeem');
const books = async () => (await shop.held('R-1')).map(({ status }) => status);

/** It is carried out, which no list shows yet, and answered with a refusal. */
async function carriedOutAndRefused(
  status: number,
  code: string,
  alsoMeddle: () => void = () => undefined,
): Promise<void> {
  const refusal = said(status, { error: { code, message: 'm', retryable: false, request_id: 'req_m' } });
  shop.meddle = async (call, carry) => {
    const own = await carry(call);
    if (call.target === '/v1/transactions/redeem') return refusal;
    return call.target.startsWith('/v1/transactions?') ? said(200, { data: [] }) : own;
  };
  alsoMeddle();
  await redeem();
  shop.meddle = (call, carry) => carry(call);
  await shop.mend();
  expect(shown().state).toBe('cancelled');
  expect(await books()).toEqual(['success']);
}

const refusals = [
  [422, 'INSUFFICIENT_BALANCE'],
  [429, 'RATE_LIMITED'],
] as const;

describe.each(refusals)('after a redemption was answered %i %s', (status, code) => {
  async function refused(): Promise<void> {
    await shop.fault('/transactions/redeem', { type: 'error', status, code }, 1);
    await redeem();
    expect(shown().state).toBe('cancelled');
  }

  test.each([
    ['in time', 0],
    ['hours later, when the line is back', 7.5 * hourMs],
  ])('a look %s leaves another till’s of 6.5 minutes later alone', async (_, downMs) => {
    await refused();
    await shop.pass(6.5 * minuteMs, 5_000);
    await atOtherTill();
    if (downMs > 0) {
      await shop.fault('/*', { type: 'offline' });
      await shop.pass(downMs, minuteMs);
      await shop.mend();
    }
    await shop.pass(26 * hourMs, minuteMs);
    expect(shown()).toMatchObject({ state: 'cancelled', found: null });
    expect(await books()).toEqual(['success']);
  });

  test.each([
    ['in one run', async () => undefined],
    ['by a clock that was set', async () => shop.setTillClock(-hourMs)],
    ['after a restart', () => restarted(0)],
    ['after a restart with the clock set ahead', () => restarted(hourMs)],
    ['after a restart with the clock set back', () => restarted(-hourMs)],
  ])('its own that was carried out all the same is found %s', async (_, meanwhile) => {
    await carriedOutAndRefused(status, code);
    await shop.pass(2 * minuteMs, 5_000);
    await meanwhile();
    await shop.pass(2 * hourMs, 5_000);
    expect(shown()).toMatchObject({ state: 'applied', found: 'stands' });
  });
});

async function restarted(clockByMs: number): Promise<void> {
  await shop.stop();
  shop.setTillClock(clockByMs);
  shop.start();
  await shop.pass(minuteMs, 1_000);
}

describe.each([
  ['was right', 0, 0],
  ['was right, and is set an hour ahead', 0, hourMs],
  ['was right, and is set an hour back', 0, -hourMs],
  ['was right, and is set two minutes ahead', 0, 2 * minuteMs],
  ['was an hour behind, and is put right', -hourMs, hourMs],
  ['was an hour ahead, and is put right', hourMs, -hourMs],
])('by a clock that %s over a restart', (_, wrongMs, setMs) => {
  beforeEach(async () => {
    shop.setTillClock(wrongMs);
    for (const ref of ['W-1', 'W-2', 'W-3']) {
      await shop.pass(minuteMs, 5_000);
      await shop.saved(ref, { points: 1 });
    }
    await shop.pass(minuteMs, 5_000);
  });

  test('a conflict with another till’s of before stays one', async () => {
    await atOtherTill();
    await shop.pass(20 * minuteMs, 5_000);
    expect(await redeem()).toMatchObject({ kind: 'refused', refusal: { error: { details: ['occurred_at'] } } });
    await shop.pass(2 * minuteMs, 5_000);
    await restarted(setMs);
    await shop.pass(hourMs, 5_000);
    expect(shown()).toMatchObject({ state: 'cancelled', found: null });
    expect(await books()).toEqual(['success']);
  });

  test('its own that was carried out and refused is found', async () => {
    await carriedOutAndRefused(422, 'INSUFFICIENT_BALANCE');
    await shop.pass(2 * minuteMs, 5_000);
    await restarted(setMs);
    await shop.pass(hourMs, 5_000);
    expect(shown()).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('its own without an answer is done', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    expect(await redeem()).toMatchObject({ kind: 'unknown' });
    await restarted(setMs);
    await shop.mend();
    await shop.pass(hourMs, 5_000);
    expect(shown()).toMatchObject({ state: 'applied', found: null });
  });
});

test.each([5 * minuteMs, -5 * minuteMs, hourMs])(
  'its own that was carried out by a service whose dates were %i ms off, and are right after a restart, is found',
  async (offMs) => {
    const tellDates = (offByMs: number) => {
      const { meddle } = shop;
      shop.meddle = async (call, carry) => {
        const outcome = await meddle(call, carry);
        if (outcome.kind !== 'response') return outcome;
        const date = new Date(shop.clock.now() + offByMs).toUTCString();
        return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
      };
    };
    tellDates(offMs);
    await shop.pass(10 * minuteMs, 5_000);
    for (const ref of ['W-1', 'W-2', 'W-3']) {
      await shop.saved(ref, { points: 1 });
      await shop.pass(minuteMs, 5_000);
    }
    await carriedOutAndRefused(422, 'INSUFFICIENT_BALANCE', () => tellDates(offMs));
    await shop.pass(2 * minuteMs, 5_000);
    await restarted(0);
    await shop.pass(hourMs, 5_000);
    expect(shown()).toMatchObject({ state: 'applied', found: 'stands' });
  },
);

test('its own that was carried out while the answer took long is found', async () => {
  await shop.fault('/*', { type: 'delay', ms: 2_000 });
  await carriedOutAndRefused(422, 'INSUFFICIENT_BALANCE');
  await shop.pass(2 * hourMs, 5_000);
  expect(shown()).toMatchObject({ state: 'applied', found: 'stands' });
});

test('a look for a refused commit leaves another till’s redemption of much later alone', async () => {
  const reserve = shop.redemption('CART-1', { points: 5 }, { intent: 'reserve', path: '/redemptions/reserve' });
  const held = await shop.passUntil(shop.core.perform(reserve, { waitMs: 0 }));
  const path = `/redemptions/${held.kind === 'done' ? held.operation.serviceTransactionId : ''}/commit`;
  await shop.fault(path, { type: 'error', status: 409, code: 'RESERVATION_EXPIRED' });
  const commit = { ...shop.redemption('R-1', {}, { intent: 'commit', path }), body: { external_ref: 'R-1' } };
  expect(await shop.passUntil(shop.core.perform(commit, { waitMs: 0 }))).toMatchObject({ kind: 'refused' });
  await shop.pass(6.5 * minuteMs, 5_000);
  await atOtherTill();
  await shop.pass(hourMs, 5_000);
  expect(shop.operation('R-1', 'commit')).toMatchObject({ state: 'cancelled', found: null });
});
