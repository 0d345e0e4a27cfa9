import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  await shop.call('POST', '/_sandbox/customers', {
    cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
  });
});
const theirs = { loyalty_id: 'LC-1001' };
const ours = { loyalty_id: 'LC-B' };
/** Another till's request, of which this one knows nothing. */
const other = (path: string, body: object) => shop.call('POST', `/v1${path}`, body);
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const state = (ref: string, intent: string) =>
  shop.core.operationsByReference(ref).find((operation) => operation.intent === intent)?.state;
const held = async (ref: string) => (await shop.held(ref)).map(({ intent, status }) => `${intent} ${status}`);

describe('a reversal_ref that another till has used for another sale', () => {
  test('does not take an earn back', async () => {
    await other('/transactions/earn', { identifier: theirs, external_ref: 'h1', points: 5 });
    await post('/transactions/earn', { identifier: ours, external_ref: 'h2', points: 6 });
    await shop.pass(5_000);
    await other('/transactions/reverse', { external_ref: 'h1', intent: 'earn', reversal_ref: 'V1' });
    await shop.pass(5_000);
    await post('/transactions/reverse', { external_ref: 'h2', intent: 'earn', reversal_ref: 'V1' });
    await shop.pass(10_000);
    expect([state('h2', 'earn'), await held('h2')]).toEqual(['applied', ['earn success']]);
  });
  test('is told as 409, and no later look takes the redemption for taken back', async () => {
    await other('/transactions/redeem', { identifier: theirs, external_ref: 'r1', points: 5 });
    await post('/transactions/redeem', { identifier: ours, external_ref: 'r2', points: 6 });
    await other('/transactions/reverse', { external_ref: 'r1', intent: 'redeem', reversal_ref: 'V2' });
    await shop.pass(5_000);
    const answer = await post('/transactions/reverse', { external_ref: 'r2', intent: 'redeem', reversal_ref: 'V2' });
    expect(answer.status).toBe(409);
    await shop.pass(12 * 60_000, 5_000);
    expect([state('r2', 'redeem'), await held('r2')]).toEqual(['applied', ['redeem success']]);
  });
  test('is told as 409 when the request by the service’s id was lost', async () => {
    await other('/transactions/redeem', { identifier: theirs, external_ref: 'r1', points: 5 });
    const { json } = await post('/transactions/redeem', { identifier: ours, external_ref: 'r2', points: 6 });
    await other('/transactions/reverse', { external_ref: 'r1', intent: 'redeem', reversal_ref: 'V2' });
    await shop.pass(5_000);
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
    const path = `/transactions/${json.transaction_id}/reverse`;
    const first = await post(path, { reversal_ref: 'V2' });
    const again = await post(path, { reversal_ref: 'V2' });
    expect([first.status, again.status]).toEqual([504, 409]);
    expect([state('r2', 'redeem'), await held('r2')]).toEqual(['applied', ['redeem success']]);
  });
  test('is not believed while that reversal of the same customer is still pending', async () => {
    await other('/transactions/redeem', { identifier: theirs, external_ref: 'r1', points: 5 });
    await post('/transactions/redeem', { identifier: theirs, external_ref: 'r2', points: 5 });
    await shop.pass(5_000);
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
    await post('/transactions/reverse', { external_ref: 'r2', intent: 'redeem', reversal_ref: 'V2' });
    await other('/transactions/reverse', { external_ref: 'r1', intent: 'redeem', reversal_ref: 'V2' });
    const again = await post('/transactions/reverse', { external_ref: 'r2', intent: 'redeem', reversal_ref: 'V2' });
    await shop.pass(12 * 60_000, 5_000);
    expect([again.status, state('r2', 'redeem')]).toEqual([409, 'applied']);
  });
  test('does not take a redemption back whose reversal was lost on the way', async () => {
    await other('/transactions/redeem', { identifier: theirs, external_ref: 'r1', points: 5 });
    await post('/transactions/redeem', { identifier: ours, external_ref: 'r2', points: 6 });
    await other('/transactions/reverse', { external_ref: 'r1', intent: 'redeem', reversal_ref: 'V2' });
    await shop.pass(5_000);
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
    await post('/transactions/reverse', { external_ref: 'r2', intent: 'redeem', reversal_ref: 'V2' });
    await shop.pass(12 * 60_000, 5_000);
    expect([state('r2', 'redeem'), await held('r2')]).toEqual(['applied', ['redeem success']]);
  });
});

test('a redemption under a number that another till has used and reversed is a conflict', async () => {
  const body = { identifier: theirs, external_ref: 'N', points: 10 };
  await other('/transactions/redeem', body);
  await other('/transactions/reverse', { external_ref: 'N', intent: 'redeem' });
  await shop.pass(3_000);
  const { status, json } = await post('/transactions/redeem', body);
  expect([status, json.error?.details]).toEqual([409, ['occurred_at']]);
  expect(await other('/transactions/redeem', body)).toMatchObject({ status: 'reversed', duplicate: true });
});

describe('a record of another till under the number of a request that was lost', () => {
  test.each([6 * 60_000, 2 * 3_600_000, 24 * 3_600_000])(
    'is not a redemption that was asked for %i ms later',
    async (ms) => {
      await other('/transactions/redeem', { identifier: theirs, external_ref: '70', points: 10 });
      await shop.pass(ms, ms / 10);
      await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
      const first = await post('/transactions/redeem', { identifier: theirs, external_ref: '70', points: 10 });
      const again = await post('/transactions/redeem', { identifier: theirs, external_ref: '70', points: 10 });
      expect([first.status, again.status, again.json.error?.details]).toEqual([504, 409, ['occurred_at']]);
    },
  );
  test('is not an earn of the next day', async () => {
    await other('/transactions/earn', { identifier: theirs, external_ref: '71', points: 10 });
    await shop.pass(24 * 3_600_000, 3_600_000);
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    await post('/transactions/earn', { identifier: theirs, external_ref: '71', points: 10 });
    await shop.pass(60_000, 1_000);
    expect(state('71', 'earn')).toBe('refused');
  });
  test('is not the commit of another reservation on the next day', async () => {
    const c1 = await other('/redemptions/reserve', { identifier: theirs, external_ref: 'c1', points: 10 });
    await other(`/redemptions/${c1.reservation_id}/commit`, { external_ref: 'O' });
    await shop.pass(24 * 3_600_000, 3_600_000);
    const c2 = await post('/redemptions/reserve', { identifier: theirs, external_ref: 'c2', points: 10 });
    await shop.fault(`/redemptions/${c2.json.reservation_id}/commit`, { type: 'drop_request' }, 1);
    const path = `/redemptions/${c2.json.reservation_id}/commit`;
    const first = await post(path, { external_ref: 'O' });
    const again = await post(path, { external_ref: 'O' });
    expect([first.status, again.status, await shop.held('O').then((l) => l.length)]).toEqual([504, 409, 1]);
  });
  test('is not the commit of another reservation at the same moment', async () => {
    const c1 = await other('/redemptions/reserve', { identifier: theirs, external_ref: 'c1', points: 10 });
    const c2 = await post('/redemptions/reserve', { identifier: theirs, external_ref: 'c2', points: 10 });
    await other(`/redemptions/${c1.reservation_id}/commit`, { external_ref: 'O' });
    await shop.fault(`/redemptions/${c2.json.reservation_id}/commit`, { type: 'drop_request' }, 1);
    const path = `/redemptions/${c2.json.reservation_id}/commit`;
    const first = await post(path, { external_ref: 'O' });
    const again = await post(path, { external_ref: 'O' });
    expect([first.status, again.status]).toEqual([504, 409]);
  });
});

describe('a record of the own request, whose answer was lost', () => {
  test('is found although the till’s clock was ahead by an hour and was set right since', async () => {
    shop.setTillClock(3_600_000);
    await shop.pass(60_000);
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 4);
    await shop.fault('/transactions?', { type: 'drop_request' }, 4);
    const first = await post('/transactions/redeem', { identifier: theirs, external_ref: '80', points: 10 });
    shop.setTillClock(-3_600_000);
    await shop.mend();
    await shop.pass(60_000);
    const again = await post('/transactions/redeem', { identifier: theirs, external_ref: '80', points: 10 });
    expect([first.status, again.status, await held('80')]).toEqual([504, 200, ['redeem success']]);
  });
  test('of a commit is confirmed by asking once more', async () => {
    const reserved = await post('/redemptions/reserve', { identifier: theirs, external_ref: 'c1', points: 10 });
    const path = `/redemptions/${reserved.json.reservation_id}/commit`;
    await shop.fault(path, { type: 'drop_response' }, 1);
    const first = await post(path, { external_ref: 'O' });
    const again = await post(path, { external_ref: 'O' });
    expect([first.status, again.status, await held('O')]).toEqual([504, 200, ['redeem success']]);
  });
});

describe('a commit of a hold that another till has made, where the service lists another source’s redemption first,', () => {
  const error = { code: 'INTERNAL', message: 'm', retryable: false, request_id: 'r' };
  const theirRecord = { transaction_id: 'txn_of_another_source', external_ref: 'O', intent: 'redeem' };
  const known = () => shop.core.operationsByReference('O')[0];

  /** @returns the path of its commit */
  async function heldElsewhere(part: object): Promise<string> {
    const hold = await other('/redemptions/reserve', { identifier: theirs, external_ref: 'c1', points: 10 });
    const sample = await other('/transactions/redeem', { identifier: ours, external_ref: 'any', points: 10 });
    answerInstead(shop, callOf('GET', '/transactions', 'external_ref=O'), (own) => {
      const { data } = own?.kind === 'response' ? JSON.parse(own.response.body) : expect.fail();
      return withFields(own, { data: [{ ...sample, ...theirRecord, ...part }, ...data] });
    });
    return `/redemptions/${hold.reservation_id}/commit`;
  }

  test.each([
    ['a failed one', { status: 'failed', error }],
    ['a reversed one', { status: 'reversed' }],
  ])('%s, is done when its answer was lost', async (_, part) => {
    const path = await heldElsewhere(part);
    await shop.fault(path, { type: 'drop_response' }, 1);
    await post(path, { external_ref: 'O' });
    const again = await post(path, { external_ref: 'O' });
    expect(again).toMatchObject({ status: 200, json: { status: 'success' } });
    const [record] = await shop.held('O');
    expect(known()).toMatchObject({ state: 'applied', serviceTransactionId: record?.transaction_id });
  });

  test('is done as itself when its request was lost', async () => {
    const path = await heldElsewhere({ status: 'success' });
    await shop.fault(path, { type: 'drop_request' }, 1);
    await post(path, { external_ref: 'O' });
    await shop.pass(60_000, 1_000);
    const [record] = await shop.held('O');
    expect(record).toMatchObject({ status: 'success' });
    expect(known()).toMatchObject({ state: 'applied', serviceTransactionId: record?.transaction_id });
  });

  test('is never shown as not done where its own record is made by the question whose theirs is', async () => {
    const path = await heldElsewhere({ status: 'success' });
    await shop.fault(path, { type: 'drop_request' });
    await shop.fault('/transactions?', { type: 'drop_request' });
    const commit = shop.redemption('O', {}, { intent: 'commit', path, body: { external_ref: 'O' }, identifier: null });
    await shop.passUntil(shop.core.perform(commit, { waitMs: 1_000 }));
    await shop.pass(60_000, 1_000);
    await shop.mend();
    await shop.pass(10 * 60_000, 5_000);
    const { rowId } = known() ?? expect.fail();
    expect(known()?.state).toBe('applied');
    expect(shop.core.history(rowId).map(({ to }) => to)).not.toContain('cancelled');
  });
});
