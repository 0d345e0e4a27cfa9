import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// One answer says that a sale has come to its end. The service goes on to hold it, and to apply it.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const error = { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'r' };
const states = (ref: string, intent: OperationIntent = 'earn') =>
  shop.core.history(shop.operation(ref, intent).rowId).map(({ to }) => to);
const pollCall = callOf('GET', /^\/transactions\/txn_/);
/** The list of a look-up shows the right record, with some of its fields changed. */
const listOf = (part: object, times = Number.POSITIVE_INFINITY) =>
  answerInstead(
    shop,
    callOf('GET', '/transactions', 'external_ref=A'),
    (own) => {
      const { data } = own?.kind === 'response' ? JSON.parse(own.response.body) : expect.fail();
      return withFields(own, { data: data.map((record: object) => ({ ...record, ...part })) });
    },
    { times },
  );

describe.each([
  ['failed', error],
  ['reversed', null],
])('an earn that is said to be %s', (status, reason) => {
  test('by one poll goes on', async () => {
    const told = answerInstead(shop, pollCall, (own) => withFields(own, { status, error: reason }), { times: 1 });
    await shop.saved('A');
    await shop.pass(30_000);
    expect(told.count).toBe(1);
    expect(states('A')).not.toContain(status);
    expect(shop.operation('A').state).toBe('applied');
  });

  test('by one replay goes on', async () => {
    const isEarn = callOf('POST', '/transactions/earn', '"A"');
    let count = 0;
    shop.meddle = async (call, carry) => {
      const own = await carry(call);
      if (!isEarn(call)) return own;
      count += 1;
      if (count === 1) return { kind: 'dropped' };
      const [held] = await shop.held('A');
      return count === 2 ? said(200, { ...held, status, error: reason, duplicate: true }) : own;
    };
    await shop.saved('A');
    await shop.pass(120_000);
    expect(count).toBeGreaterThan(1);
    expect(states('A')).not.toContain(status);
    expect(shop.operation('A').state).toBe('applied');
  });

  test('by the service, also when it is asked once more, has ended', async () => {
    answerInstead(shop, pollCall, (own) => withFields(own, { status, error: reason }));
    await shop.saved('A');
    await shop.pass(5_000);
    expect(shop.operation('A').state).toBe(status);
  });
});

describe('what a POS program reads', () => {
  const read = () => shop.passUntil(shop.core.readTransactionsByReference('A'));

  test.each([
    ['failed', error],
    ['reversed', null],
  ])('as %s once, of an earn on its way, is no answer', async (status, reason) => {
    await shop.saved('A');
    await shop.pass(500);
    expect(shop.operation('A').state).toBe('accepted');
    listOf({ status, error: reason }, 1);
    expect(await read()).toMatchObject({ kind: 'unknown' });
    await shop.pass(10_000);
    expect(shop.operation('A').state).toBe('applied');
    expect(states('A')).not.toContain(status);
  });

  test('as reversed once, of an earn that is applied, is no answer', async () => {
    await shop.saved('A');
    await shop.pass(10_000);
    listOf({ status: 'reversed' }, 1);
    expect(await read()).toMatchObject({ kind: 'unknown' });
    expect(await read()).toMatchObject({ kind: 'done', answer: { data: [{ status: 'success' }] } });
    expect(shop.operation('A').state).toBe('applied');
  });
});

describe('a redemption whose answer says that it has failed', () => {
  const redeemCall = callOf('POST', '/transactions/redeem');
  const redeem = () => shop.passUntil(shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 20_000 }));
  const failed = { status: 'failed', error };

  test('is told as done where the books show it so', async () => {
    const told = answerInstead(shop, redeemCall, (own) => withFields(own, failed), { times: 1 });
    expect(await redeem()).toMatchObject({ kind: 'done', answer: { status: 'success' } });
    expect(told.count).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('is not known while the books cannot be read', async () => {
    answerInstead(shop, redeemCall, (own) => withFields(own, failed));
    answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), () => ({ kind: 'dropped' }));
    expect(await redeem()).toMatchObject({ kind: 'unknown' });
  });

  test('is told as failed where the books show it so, too', async () => {
    answerInstead(shop, redeemCall, (own) => withFields(own, failed));
    listOf(failed);
    expect(await redeem()).toMatchObject({ kind: 'refused', refusal: { error: { code: error.code } } });
    // Nobody has to decide about what was told at once.
    expect(shop.operation('A', 'redeem').state).toBe('cancelled');
    expect(shop.core.status().operations).toMatchObject({ failed: 0 });
    expect(await redeem()).toMatchObject({ kind: 'refused', refusal: { error: { code: error.code } } });
  });

  test('waits for a person where that was found out when nobody waited any more', async () => {
    answerInstead(shop, redeemCall, () => ({ kind: 'dropped' }), { times: 1 });
    const hidden = answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), (own) => {
      const { data } = own?.kind === 'response' ? JSON.parse(own.response.body) : expect.fail();
      return hidden.count < 3
        ? { kind: 'dropped' }
        : withFields(own, { data: data.map((record: object) => ({ ...record, ...failed })) });
    });
    const asking = shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 0 });
    expect(await shop.passUntil(asking)).toMatchObject({ kind: 'unknown' });
    await shop.pass(60_000, 1_000);
    expect(shop.operation('A', 'redeem').state).toBe('failed');
  });
});

describe.each([
  ['failed', error],
  ['reversed', null],
])('one look-up that shows %s', (status, reason) => {
  const redeemCall = callOf('POST', '/transactions/redeem');

  test('ends no redemption whose answer was lost: it is told as done', async () => {
    answerInstead(shop, redeemCall, () => ({ kind: 'dropped' }), { times: 1 });
    const told = listOf({ status, error: reason }, 1);
    const asking = shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 20_000 });
    expect(await shop.passUntil(asking)).toMatchObject({ kind: 'done', answer: { status: 'success' } });
    expect(told.count).toBe(1);
    expect(states('A', 'redeem')).not.toContain(status);
    expect(await shop.points()).toBe(205.5);
  });

  test('ends no watch: what was paid in full, and arrives late, is taken back', async () => {
    const lost = answerInstead(shop, redeemCall, () => ({ kind: 'dropped' }), { isLost: true });
    await shop.passUntil(shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 2_000 }));
    expect(lost.count).toBeGreaterThan(0);
    const { rowId, operationId } = shop.operation('A', 'redeem');
    const { path, body } = shop.core.sentRequest(rowId) ?? expect.fail();
    await shop.core.decide(operationId, 'take_full_payment');
    await shop.pass(120_000);
    expect(shop.operation('A', 'redeem').state).toBe('cancelled');
    await shop.call('POST', `/v1${path}`, JSON.parse(body ?? ''));
    expect(await shop.points()).toBe(205.5);
    const told = listOf({ status, error: reason }, 1);
    await shop.pass(1_800_000, 5_000);
    expect(told.count).toBe(1);
    expect(await shop.points()).toBe(245.5);
    expect(shop.operation('A', 'redeem').state).toBe('reversed');
  });

  test('ends no sale that may be at the service under an earlier key', async () => {
    answerInstead(shop, callOf('POST', '/transactions/earn'), () => ({ kind: 'dropped' }));
    answerInstead(shop, callOf('GET', '/transactions'), () => ({ kind: 'dropped' }));
    await shop.saved('A');
    await shop.pass(20_000);
    expect(shop.operation('A').state).toBe('unknown');
    await shop.stop();
    shop.meddle = (call, carry) => carry(call);
    const told = listOf({ status, error: reason }, 1);
    shop.start((await shop.call('POST', '/_sandbox/keys', {})).key);
    await shop.pass(600_000, 1_000);
    expect(told.count).toBe(1);
    expect(shop.operation('A').state).toBe('applied');
    expect(states('A')).not.toContain(status);
  });

  test('ends a redemption when a second one shows it, too', async () => {
    answerInstead(shop, redeemCall, () => ({ kind: 'dropped' }), { times: 1 });
    listOf({ status, error: reason });
    const asking = shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 20_000 });
    expect(await shop.passUntil(asking)).toMatchObject({ kind: status === 'failed' ? 'refused' : 'done' });
    expect(states('A', 'redeem')).toContain(status);
  });
});
