import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { databasePath } from '../../app/machine/data-files.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, holdCalls, said } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const redeem = (ref: string) => post('/transactions/redeem', { identifier, external_ref: ref, points: 10 });
const reverse = (ref: string, intent: string, part: object = {}) =>
  post('/transactions/reverse', { external_ref: ref, intent, ...part });

describe('a reversal of a redemption whose answer was lost', () => {
  const sendCount = async () => {
    const { data } = await shop.call('GET', '/_sandbox/requests?limit=50');
    return data.filter(({ path }: { path: string }) => path === '/transactions/reverse').length;
  };

  test('is told as done before to who asks again, when the books show it', async () => {
    await redeem('R-1');
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    expect((await reverse('R-1', 'redeem')).status).toBe(504);
    await shop.pass(3_000);
    expect(await sendCount()).toBe(1);
    expect(await reverse('R-1', 'redeem')).toMatchObject({ status: 200, json: { duplicate: true } });
    expect(await sendCount()).toBe(1);
    await shop.pass(5_000);
    expect(await shop.points()).toBe(245.5);
  });

  test('is told as done before to who asks again, when the service says so while it still works on it', async () => {
    await redeem('R-1');
    await shop.pass(5_000);
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 20_000 });
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    expect((await reverse('R-1', 'redeem')).status).toBe(504);
    expect(await reverse('R-1', 'redeem')).toMatchObject({ status: 200, json: { duplicate: true } });
    await shop.pass(60_000, 1_000);
    expect(await shop.points()).toBe(245.5);
  });
});

describe('a reversal of a redemption that is still on its way', () => {
  const redemption = callOf('POST', '/transactions/redeem');
  const notSent = {
    status: 504,
    json: { error: { code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['not_sent'] } },
  };

  test('is told that nothing was sent, and goes through when it is sent again', async () => {
    const held = holdCalls(shop, redemption);
    const redeeming = redeem('R-1');
    await held.begun();
    const early = await reverse('R-1', 'redeem');
    expect(early).toMatchObject(notSent);
    expect(early.json.error.message).toMatch(/^Nothing was sent: /);
    expect(shop.core.operationsByReference('reverse-redeem-R-1')).toEqual([]);
    held.end();
    expect((await redeeming).status).toBe(200);
    expect((await reverse('R-1', 'redeem')).status).toBe(202);
    await shop.pass(5_000);
    expect(await shop.points()).toBe(245.5);
  });

  test('is told that there is nothing to take back once the redemption was refused', async () => {
    await shop.fault('/transactions/redeem', { type: 'error', status: 422, code: 'INSUFFICIENT_BALANCE' }, 1);
    const held = holdCalls(shop, redemption);
    const redeeming = redeem('R-1');
    await held.begun();
    expect(await reverse('R-1', 'redeem')).toMatchObject(notSent);
    held.end();
    expect((await redeeming).status).toBe(422);
    expect((await reverse('R-1', 'redeem')).status).toBe(400);
  });
});

describe('a reversal that is passed on by reference while the books cannot be read', () => {
  test.each([
    ['offline', { type: 'offline' }],
    ['service', { type: 'error', status: 503, code: 'INTERNAL' }],
  ])('is not known rather than refused, and is found when they can be read again (%s)', async (cause, effect) => {
    await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'X-1', points: 10 });
    await shop.pass(3_000);
    await shop.fault('/transactions', effect);
    const told = await reverse('X-1', 'redeem');
    expect(told).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
    // Not for an answer about something else: nothing was compared yet.
    expect(shop.core.operationsByReference('reverse-redeem-X-1')).toMatchObject([{ state: 'unknown', cause }]);
    await shop.mend();
    await shop.pass(60_000, 1_000);
    expect(shop.core.operationsByReference('reverse-redeem-X-1')).toMatchObject([{ state: 'applied' }]);
    expect(await reverse('X-1', 'redeem')).toMatchObject({ status: 200, json: { duplicate: true } });
    expect(await shop.points()).toBe(245.5);
  });
});

test('a reversal that was recorded is not given up on one empty list that a cache gives to all look-ups', async () => {
  await redeem('K-0');
  await shop.pass(60_000, 1_000);
  await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'X-1', points: 10 });
  await shop.pass(3_000);
  await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
  const { meddle } = shop;
  answerInstead(shop, callOf('GET', '/transactions'), () => said(200, { data: [] }));
  expect((await reverse('X-1', 'redeem')).status).toBe(504);
  await shop.pass(300_000, 1_000);
  expect(shop.core.operationsByReference('reverse-redeem-X-1')).toMatchObject([{ state: 'unknown' }]);
  shop.meddle = meddle;
  await shop.pass(600_000, 5_000);
  expect(shop.core.operationsByReference('reverse-redeem-X-1')).toMatchObject([{ state: 'applied' }]);
});

describe('a redemption whose answer was lost, and which a POS program has taken back by the service’s id', () => {
  /** The reversal is kept under the service's id of a redemption that learns its own only afterwards. */
  async function takenBackById({
    isAnswerLost,
  }: {
    readonly isAnswerLost: boolean;
  }): Promise<{ readonly status: number; readonly reversalRef: string }> {
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 60_000 });
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    expect((await redeem('R-1')).status).toBe(504);
    await shop.mend();
    const [held] = await shop.held('R-1');
    const id = held?.transaction_id ?? '';
    const error = { code: 'VALIDATION_ERROR', message: 'Not found', retryable: false, request_id: 'req_1' };
    answerInstead(shop, callOf('GET', `/transactions/${id}`), () => said(404, { error }), { times: 1 });
    if (isAnswerLost) await shop.fault(`/transactions/${id}/reverse`, { type: 'drop_response' }, 1);
    const { status } = await post(`/transactions/${id}/reverse`);
    await redeem('R-1');
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'applied', serviceTransactionId: id });
    return { status, reversalRef: `reverse-${id}` };
  }
  const atTheScreen = async (): Promise<string> => {
    const { rowId } = shop.operation('R-1', 'redeem');
    const part = { reversalRef: null, reason: null, idempotencyKey: null };
    const decided = await shop.core.reverse(rowId, { origin: 'till', operationId: shop.newId(), ...part });
    if (decided.kind !== 'immediate') throw new Error(decided.kind);
    expect(await shop.passUntil(shop.core.perform(decided.write, { waitMs: 0 }))).toMatchObject({ kind: 'done' });
    return decided.write.externalRef;
  };

  test('and whose reversal’s answer was lost too, is found out at the screen: no second reversal goes out', async () => {
    const { status, reversalRef } = await takenBackById({ isAnswerLost: true });
    expect(status).toBe(504);
    expect(await atTheScreen()).toBe(reversalRef);
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('can be taken back at the screen once that reversal has failed', async () => {
    const { status, reversalRef } = await takenBackById({ isAnswerLost: false });
    expect(status).toBe(202);
    const [reversal] = shop.core.operationsByReference(reversalRef);
    await shop.call('POST', `/_sandbox/transactions/${reversal?.serviceTransactionId}/fail`, { code: 'INTERNAL' });
    await shop.pass(120_000, 1_000);
    expect(shop.core.operationsByReference(reversalRef)).toMatchObject([{ state: 'failed' }]);
    expect(await atTheScreen()).toBe('reverse-redeem-R-1');
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });
});

test('the value of a commit that this till has not kept is compared by the service', async () => {
  const held = await shop.call('POST', '/v1/redemptions/reserve', { identifier, external_ref: 'C-9', points: 100 });
  await post(`/redemptions/${held.reservation_id}/commit`, { external_ref: 'O-9' });
  const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
  database.exec(`UPDATE operations SET answer = NULL, points = NULL WHERE external_ref = 'O-9'`);
  database.close();
  expect((await reverse('O-9', 'redeem', { points: 40 })).status).toBe(400);
  expect(await shop.points()).toBe(145.5);
  expect((await reverse('O-9', 'redeem', { points: 100 })).status).toBe(202);
  await shop.pass(10_000);
  expect(await shop.points()).toBe(245.5);
});

test('of a reward it is not known that it was claimed while its answer is lost, and it was not where it never came', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
  const reward = { reward: true, reward_id: 'rwd_cake' };
  expect((await post('/transactions/redeem', { identifier, external_ref: 'R-1', ...reward })).status).toBe(504);
  const { transactionId } = shop.operation('R-1', 'redeem');
  const ways = [() => reverse('R-1', 'redeem'), () => post(`/transactions/${transactionId}/reverse`)];
  for (const way of ways) {
    expect(await way()).toMatchObject({ status: 504, json: { error: { details: ['not_sent'] } } });
  }
  await shop.pass(120_000, 1_000);
  expect(shop.operation('R-1', 'redeem').state).toBe('cancelled');
  for (const way of ways) {
    expect(await way()).toMatchObject({ status: 400, json: { error: { details: ['transaction_not_succeeded'] } } });
  }
});
