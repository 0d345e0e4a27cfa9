import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Something on the way, or the service's front, tells a Date that is minutes off; its books have the right time.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const minutes = (count: number) => count * 60_000;
const redeemCall = callOf('POST', '/transactions/redeem');
const identifyCall = callOf('POST', '/customers/identify');
/** So old that it agrees with no clock. */
const longAgo = () => new Date(shop.clock.now() - minutes(9 * 1_440)).toISOString();
const redeem = (write: ReturnType<CounterShop['redemption']>, waitMs: number) =>
  shop.passUntil(shop.core.perform(write, { waitMs }));

/** All answers have a Date that is so far off. */
function tellDate(offByMs: number): void {
  const before = shop.meddle;
  shop.meddle = async (call, carry) => {
    const outcome = await before(call, carry);
    if (outcome.kind !== 'response') return outcome;
    const date = new Date(shop.clock.now() + offByMs).toUTCString();
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
}

describe.each([minutes(10), -minutes(10), minutes(50)])('with a Date that is %i ms off', (offByMs) => {
  beforeEach(async () => {
    tellDate(offByMs);
    await shop.pass(120_000, 1_000);
  });

  test('an own redemption whose answer was lost is recognised in the books', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    const outcome = await redeem(shop.redemption('R-1', { points: 40 }), 60_000);
    expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(await shop.points()).toBe(205.5);
  });

  test('an own redemption that was recorded though the answer was 429 is recognised, also minutes later', async () => {
    answerInstead(shop, redeemCall, () => tooMany, { times: 1 });
    const write = shop.redemption('R-1', { points: 40 });
    await redeem(write, 0);
    await shop.pass(minutes(7), 5_000);
    expect(await redeem(write, 20_000)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(await shop.held('R-1')).toHaveLength(1);
  });

  test('a redemption of yesterday under the same number is another one', async () => {
    await shop.call('POST', '/v1/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'R-1',
      points: 40,
    });
    await shop.pass(minutes(90), 60_000);
    expect(await redeem(shop.redemption('R-1', { points: 40 }), 20_000)).toMatchObject({
      kind: 'refused',
      refusal: { error: { details: ['occurred_at'] } },
    });
  });
});

test.each([minutes(180), minutes(1_440), -minutes(180)])(
  'a redemption is told as done by its own answer, however far the dates are off: %i ms',
  async (offByMs) => {
    tellDate(offByMs);
    await shop.pass(120_000, 1_000);
    const outcome = await redeem(shop.redemption('R-1', { points: 40 }), 20_000);
    expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(await shop.points()).toBe(205.5);
  },
);

describe.each([minutes(180), minutes(1_440), -minutes(180)])(
  'a redemption whose answer was lost while the dates are %i ms off',
  (offByMs) => {
    let asked: ReturnType<CounterShop['redemption']>;
    beforeEach(async () => {
      asked = shop.redemption('R-1', { points: 40 });
      tellDate(offByMs);
      await shop.pass(120_000, 1_000);
      await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    });

    test('is told as done to who asks again', async () => {
      await redeem(asked, 0);
      expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
      expect(await shop.points()).toBe(205.5);
    });

    test('is told as done though the service answers 409 to who asks again', async () => {
      const repeated = { code: 'DUPLICATE_TRANSACTION', message: 'm', retryable: false, request_id: 'r-409' };
      answerInstead(shop, redeemCall, (own) => (own?.kind === 'response' ? said(409, { error: repeated }) : dropped));
      await redeem(asked, 0);
      expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    });
  },
);

describe('where the dates and the till’s clock are hours apart, and the service does not say which one is its own', () => {
  test.each([
    ['cannot be asked', () => dropped],
    ['is not known', () => said(404, { error: nobody })],
    ['has balances of another time', (own: Outcome | null) => withFields(own, { balances_as_of: longAgo() })],
  ])('because the customer %s, a lost redemption is unknown until the dates are right', async (_, answer) => {
    tellDate(minutes(180));
    await shop.pass(120_000, 1_000);
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    answerInstead(shop, identifyCall, answer);
    const asked = shop.redemption('R-1', { points: 40 });
    expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'unknown' });
    await shop.pass(minutes(10), 1_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('unknown');
    expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'unknown' });
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(minutes(10), 1_000);
    expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'done' });
    expect(await shop.points()).toBe(205.5);
  });
});

describe.each([minutes(10), -minutes(10), minutes(50)])(
  'where the dates are %i ms off, and the customer tells nothing',
  (offByMs) => {
    beforeEach(async () => {
      tellDate(offByMs);
      await shop.pass(120_000, 1_000);
      await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    });

    test('an own lost redemption is recognised though the customer is not known', async () => {
      answerInstead(shop, identifyCall, () => said(404, { error: nobody }));
      const outcome = await redeem(shop.redemption('R-1', { points: 40 }), 60_000);
      expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    });

    test('an own lost redemption is recognised though the balances are of another time', async () => {
      answerInstead(shop, identifyCall, (own) => withFields(own, { balances_as_of: longAgo() }));
      const outcome = await redeem(shop.redemption('R-1', { points: 40 }), 60_000);
      expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    });
  },
);

test('another system’s commit under the same order number stays another one where the dates are 10 minutes off', async () => {
  const holdOf = (external_ref: string) =>
    shop.call('POST', '/v1/redemptions/reserve', { identifier: { loyalty_id: 'LC-1001' }, external_ref, points: 40 });
  const [ours, theirs] = [await holdOf('C-9'), await holdOf('C-10')];
  tellDate(minutes(10));
  await shop.pass(120_000, 1_000);
  const path = `/redemptions/${ours.reservation_id}/commit`;
  await shop.fault(path, { type: 'drop_request' }, 1);
  const body = { external_ref: 'O-1' };
  await shop.call('POST', `/v1/redemptions/${theirs.reservation_id}/commit`, body);
  const asked = shop.redemption('O-1', {}, { intent: 'commit', path, identifier: null, body });
  expect(await redeem(asked, 20_000)).toMatchObject({ kind: 'refused' });
  expect(await shop.held('O-1')).toHaveLength(1);
});

test.each([minutes(10), -minutes(10), minutes(180)])(
  'a lost commit of another system’s hold is recognised by the same request once more where the dates are %i ms off',
  async (offByMs) => {
    const hold = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-9', points: 40 };
    const { reservation_id } = await shop.call('POST', '/v1/redemptions/reserve', hold);
    tellDate(offByMs);
    await shop.pass(120_000, 1_000);
    const path = `/redemptions/${reservation_id}/commit`;
    await shop.fault(path, { type: 'drop_response' }, 1);
    const body = { external_ref: 'O-1' };
    await redeem(shop.redemption('O-1', {}, { intent: 'commit', path, identifier: null, body }), 20_000);
    await shop.pass(minutes(5), 5_000);
    expect(shop.operation('O-1', 'commit').state).toBe('applied');
    expect(await shop.held('O-1')).toHaveLength(1);
  },
);

test('a redemption of another till, an hour ago, stays another one where this till’s clock is three hours behind', async () => {
  const theirs = shop.redemption('R-1', { points: 40 }).body ?? {};
  await shop.call('POST', '/v1/transactions/redeem', theirs);
  await shop.pass(minutes(60), 60_000);
  shop.setTillClock(-minutes(180));
  await shop.pass(120_000, 1_000);
  await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
  expect(await redeem(shop.redemption('R-1', { points: 40 }), 20_000)).toMatchObject({
    kind: 'refused',
    refusal: { error: { details: ['occurred_at'] } },
  });
});

test('a redemption of another till, 20 minutes ago, stays another one where this till’s clock is 20 minutes behind', async () => {
  shop.setTillClock(-minutes(20));
  await shop.pass(120_000, 1_000);
  const theirs = shop.redemption('R-1', { points: 40 }).body ?? {};
  await shop.call('POST', '/v1/transactions/redeem', theirs);
  await shop.pass(minutes(20), 60_000);
  expect(await redeem(shop.redemption('R-1', { points: 40 }), 20_000)).toMatchObject({
    kind: 'refused',
    refusal: { error: { details: ['occurred_at'] } },
  });
  expect(await shop.points()).toBe(205.5);
});

describe('a sale that was refused for the time that wrong dates gave it', () => {
  const days = (count: number) => count * 86_400_000;
  const decider = { person: 'Huda', reason: 'the clock is right again' };
  const resend = () => shop.core.resend(shop.operation('R-1').operationId, decider);
  const sentAtMs = () =>
    Date.parse(JSON.parse(shop.core.sentRequest(shop.operation('R-1').rowId)?.body ?? '').occurred_at);

  /** The till's own clock is wrong, too: the service takes neither time. */
  async function refuse(offByMs: number, request: object = {}): Promise<number> {
    shop.setTillClock(-days(10));
    tellDate(offByMs);
    await shop.pass(120_000, 1_000);
    await shop.saved('R-1', { points: 10, ...request });
    const soldAtMs = shop.clock.now();
    await shop.pass(5_000);
    expect(shop.operation('R-1')).toMatchObject({
      state: 'refused',
      error: { details: ['occurred_at_outside_window'] },
    });
    return soldAtMs;
  }

  async function setDatesRight(): Promise<void> {
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(300_000, 1_000);
  }

  test.each([days(5), -days(5)])('%i ms off is sent again with the right one', async (offByMs) => {
    const soldAtMs = await refuse(offByMs);
    await setDatesRight();
    expect(await resend()).toMatchObject({ kind: 'done', operation: { state: 'queued' } });
    await shop.pass(10_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(Math.abs(sentAtMs() - soldAtMs)).toBeLessThan(2_000);
    expect(Math.abs(shop.operation('R-1').occurredAtMs - soldAtMs)).toBeLessThan(2_000);
    expect(await shop.held('R-1')).toHaveLength(1);
    expect(await shop.points()).toBe(255.5);
  });

  test('is sent with the right one, too, when the till was started again in between', async () => {
    const soldAtMs = await refuse(days(5));
    await shop.stop();
    shop.meddle = (call, carry) => carry(call);
    shop.start();
    await shop.pass(5_000);
    await resend();
    await shop.pass(10_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(Math.abs(sentAtMs() - soldAtMs)).toBeLessThan(2_000);
  });

  test('keeps the time that the caller has said', async () => {
    const said = new Date(shop.clock.now() - days(4)).toISOString();
    await refuse(days(5), { occurred_at: said });
    await setDatesRight();
    await resend();
    await shop.pass(10_000);
    expect(shop.operation('R-1').state).toBe('refused');
    expect(sentAtMs()).toBe(Date.parse(said));
  });

  test('keeps its time while the dates are as wrong as before', async () => {
    await refuse(days(5));
    const before = sentAtMs();
    await resend();
    await shop.pass(10_000);
    expect(shop.operation('R-1').state).toBe('refused');
    expect(sentAtMs()).toBe(before);
  });
});

test('a right time stays when a sale is sent again after a start with a wrong clock', async () => {
  await shop.stop();
  const { meddle } = shop;
  // Saved before the till knew of any date.
  shop.meddle = async () => ({ kind: 'dropped' });
  shop.start();
  await shop.saved('R-1');
  shop.meddle = meddle;
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  await shop.pass(300_000, 1_000);
  const { occurredAtMs, operationId, state } = shop.operation('R-1');
  expect(state).toBe('refused');
  await shop.stop();
  shop.setTillClock(-3 * 3_600_000);
  shop.start();
  await shop.pass(300_000, 1_000);
  await shop.core.resend(operationId, { person: 'Huda', reason: 'the card is right now' });
  await shop.pass(10_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'applied', occurredAtMs });
});

test('a sale that was refused for another reason keeps its time when it is sent again after a start with another skew', async () => {
  tellDate(-minutes(10));
  await shop.pass(120_000, 1_000);
  await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  await shop.saved('R-1');
  await shop.pass(5_000);
  const { occurredAtMs, operationId } = shop.operation('R-1');
  await shop.stop();
  shop.meddle = (call, carry) => carry(call);
  shop.start();
  await shop.pass(5_000);
  await shop.core.resend(operationId, { person: 'Huda', reason: 'the card is right now' });
  await shop.pass(10_000);
  expect(shop.operation('R-1')).toMatchObject({ state: 'applied', occurredAtMs });
});

const error = { code: 'RATE_LIMITED', message: 'm', retryable: true, request_id: 'r' };
const nobody = { code: 'CUSTOMER_NOT_FOUND', message: 'm', retryable: false, request_id: 'r-404' };
const dropped = { kind: 'dropped' } as const;
const tooMany = said(429, { error }, { 'retry-after': '1' });
