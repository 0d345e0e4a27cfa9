import { beforeEach, describe, expect, test } from 'vitest';
import type { IncomingCall, Outcome } from '../../app/service/calls/exchange.ts';
import type { Carry, CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Another till of the shop has the same key, and prints the same receipt numbers. It sells to the same customer for the
// same value.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const isEarn = callOf('POST', '/transactions/earn');
const identifier = { loyalty_id: 'LC-1001' };
const instant = (laterMs = 0) => new Date(shop.clock.now() + laterMs).toISOString();
const otherTillSells = (ref: string, part: object = {}) =>
  shop.call('POST', '/v1/transactions/earn', {
    identifier,
    external_ref: ref,
    points: 10,
    occurred_at: instant(),
    ...part,
  });
const sell = (ref: string, request: object = {}) =>
  shop.saveEarn(ref, { identifier, points: 10, ...request }, { origin: 'bridge' });
const conflict = (...details: readonly string[]) => ({
  state: 'refused',
  found: null,
  error: { code: 'DUPLICATE_TRANSACTION', details },
});

describe('a sale that was refused because another till had its number first', () => {
  test('stays refused when it is looked for again', async () => {
    await otherTillSells('R-1');
    await shop.pass(5_000);
    await sell('R-1', { occurred_at: instant(-20 * minuteMs) });
    await shop.pass(10_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
    await shop.pass(26 * hourMs, minuteMs);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
  });

  test('stays refused when it comes again with the time of that one', async () => {
    const occurred_at = instant();
    await otherTillSells('R-1', { occurred_at });
    await shop.pass(5_000);
    await sell('R-1', { occurred_at: instant(-6 * minuteMs) });
    await shop.pass(10_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
    await sell('R-1', { occurred_at: instant(-4 * minuteMs) });
    await shop.pass(10_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
  });

  test('stays refused when another one takes its place that is refused, too', async () => {
    await otherTillSells('R-1');
    await shop.pass(5_000);
    const occurred_at = instant(-20 * minuteMs);
    await sell('R-1', { occurred_at });
    await shop.pass(10_000);
    await sell('R-1', { occurred_at, points: 7 });
    await shop.pass(10_000);
    await shop.pass(26 * hourMs, minuteMs);
    expect(shop.operation('R-1')).toMatchObject({ ...conflict('points'), points: 7 });
  });
});

describe('a sale under a number under which another till has taken back its own just now', () => {
  const takeBack = (ref: string, intent: 'earn' | 'redeem') =>
    shop.call('POST', '/v1/transactions/reverse', { external_ref: ref, intent });

  test('is a conflict, and not called reversed', async () => {
    await otherTillSells('R-1');
    await shop.pass(5_000);
    await takeBack('R-1', 'earn');
    await shop.pass(60_000, 5_000);
    await sell('R-1');
    await shop.pass(10_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
  });

  test('of the very time is that sale: its POS took it to this till', async () => {
    const occurred_at = instant();
    await otherTillSells('R-1', { occurred_at });
    await shop.pass(5_000);
    await takeBack('R-1', 'earn');
    await shop.pass(60_000, 5_000);
    await sell('R-1', { occurred_at });
    await shop.pass(10_000);
    expect(shop.operation('R-1').state).toBe('reversed');
  });

  test('is its own where one wrong answer alone says that it was taken back', async () => {
    const reversed = { status: 'reversed', duplicate: true, occurred_at: instant(20_000) };
    answerInstead(
      shop,
      isEarn,
      (own) => {
        const { transaction_id } = JSON.parse((own?.kind === 'response' ? own : expect.fail()).response.body);
        return said(200, {
          transaction_id,
          external_ref: 'R-1',
          intent: 'earn',
          points: 10,
          amount_minor: null,
          ...reversed,
        });
      },
      { times: 1 },
    );
    await sell('R-1');
    await shop.pass(60_000, 5_000);
    expect(shop.operation('R-1').state).toBe('applied');
  });

  test('is a conflict for a redemption: nothing is given', async () => {
    await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'R-1', points: 40 });
    await takeBack('R-1', 'redeem');
    await shop.pass(5_000);
    const write = shop.redemption('R-1', { points: 40 });
    expect(await shop.passUntil(shop.core.perform(write, { waitMs: 120_000 }))).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 409, error: { code: 'DUPLICATE_TRANSACTION', details: ['occurred_at'] } },
    });
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', serviceTransactionId: null });
  });

  test('is its own redemption when its answer was lost, and another till took that back', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' }, 1);
    const performed = shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 0 });
    await shop.passUntil(performed);
    await takeBack('R-1', 'redeem');
    await shop.pass(5 * minuteMs, 5_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('reversed');
  });
});

describe('a sale whose first request got no answer', () => {
  /** The till's requests get no answer from its first sale on, and none but that one may arrive. `shop.call` is another till's. */
  function loseTheLine(first: (call: IncomingCall, carry: Carry) => Promise<Outcome>): void {
    let isLost = false;
    shop.meddle = async (call, carry) => {
      if (isLost) return { kind: 'dropped' };
      isLost = isEarn(call);
      return isLost ? first(call, carry) : carry(call);
    };
  }
  const findTheLine = () => {
    shop.meddle = (call, carry) => carry(call);
  };
  const failed = said(503, { error: { code: 'INTERNAL', message: 'm', retryable: true, request_id: 'r' } });

  test.each<[string, Outcome]>([
    ['lost', { kind: 'dropped' }],
    ['answered with 503', failed],
  ])('is not the sale of another till on the next day: it was %s', async (_, first) => {
    loseTheLine(async () => first);
    await sell('R-1');
    await shop.pass(24 * hourMs, 10 * minuteMs);
    await otherTillSells('R-1');
    await shop.pass(30 * minuteMs, minuteMs);
    findTheLine();
    await shop.pass(5 * minuteMs, 5_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
    await shop.pass(26 * hourMs, minuteMs);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
    expect(await shop.held('R-1')).toHaveLength(1);
  });

  test.each([3_000, -3_000])('is not that sale, either, where the clock was set by %i ms meanwhile', async (byMs) => {
    loseTheLine(async () => failed);
    await sell('R-1');
    await shop.pass(minuteMs, 5_000);
    shop.setTillClock(byMs);
    await shop.pass(24 * hourMs, 10 * minuteMs);
    await otherTillSells('R-1');
    await shop.pass(30 * minuteMs, minuteMs);
    findTheLine();
    await shop.pass(5 * minuteMs, 5_000);
    expect(shop.operation('R-1')).toMatchObject(conflict('occurred_at'));
  });

  test.each([3_000, -3_000, hourMs, -hourMs])(
    'is its own with the time of its arrival where the clock was set by %i ms meanwhile',
    async (byMs) => {
      shop.meddle = async () => ({ kind: 'no_connection' });
      await sell('R-1');
      await shop.pass(2 * hourMs, 10 * minuteMs);
      loseTheLine(async (call, carry) => {
        const request = JSON.parse(Buffer.from(call.body ?? []).toString('utf8'));
        const occurred_at = new Date(shop.clock.now()).toISOString();
        await carry({ ...call, body: Buffer.from(JSON.stringify({ ...request, occurred_at })) });
        return { kind: 'dropped' };
      });
      await shop.pass(10 * minuteMs, 5_000);
      expect(await shop.held('R-1')).toHaveLength(1);
      shop.setTillClock(byMs);
      await shop.pass(hourMs, 10 * minuteMs);
      findTheLine();
      await shop.pass(6 * minuteMs, 5_000);
      expect(shop.operation('R-1').state).toBe('applied');
      expect(shop.core.history(shop.operation('R-1').rowId).map(({ to }) => to)).not.toContain('refused');
    },
  );

  test('is not that sale after a restart, either, and taking it back reverses nothing', async () => {
    loseTheLine(async () => failed);
    const { rowId } = await shop.saved('R-1');
    await shop.pass(hourMs, 10 * minuteMs);
    await shop.stop();
    await shop.pass(10 * hourMs, 10 * minuteMs);
    await otherTillSells('R-1');
    shop.start();
    const undo = { operationId: shop.newId(), reversalRef: null, reason: null, idempotencyKey: null } as const;
    await shop.core.reverse(rowId, { origin: 'till', ...undo });
    await shop.pass(30 * minuteMs, minuteMs);
    findTheLine();
    await shop.pass(10 * minuteMs, 5_000);
    expect(shop.operation('R-1').state).not.toBe('reversed');
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'earn', status: 'success' }]);
  });

  test.each([
    ['of its arrival', (soldAtMs: number) => Math.max(soldAtMs, shop.clock.now())],
    ['that is brought forward', (soldAtMs: number) => Math.max(soldAtMs, shop.clock.now() - 2 * hourMs)],
  ])('is its own with a time %s, also a day later and after a restart', async (_, noted) => {
    loseTheLine(async (call, carry) => {
      const request = JSON.parse(Buffer.from(call.body ?? []).toString('utf8'));
      const occurred_at = new Date(noted(Date.parse(request.occurred_at))).toISOString();
      await carry({ ...call, body: Buffer.from(JSON.stringify({ ...request, occurred_at })) });
      return { kind: 'dropped' };
    });
    await sell('R-1', { occurred_at: instant(-5 * hourMs) });
    await shop.pass(hourMs, 10 * minuteMs);
    await shop.stop();
    await shop.pass(23 * hourMs, 10 * minuteMs);
    shop.start();
    await shop.pass(minuteMs);
    findTheLine();
    await shop.pass(5 * minuteMs, 5_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(shop.core.history(shop.operation('R-1').rowId).map(({ to }) => to)).not.toContain('refused');
    expect(await shop.held('R-1')).toHaveLength(1);
  });
});
