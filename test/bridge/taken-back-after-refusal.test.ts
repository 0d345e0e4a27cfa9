import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const decider = { person: 'Mona', reason: 'the card was repaired' };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const get = (path: string) => shop.passUntil(bridge.call('GET', `/v1${path}`));
const earn = () => post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
const attention = () => shop.core.needingAttention({ limit: 10 }).map(({ externalRef }) => externalRef);
const neverSucceeded = { status: 400, json: { error: { details: ['transaction_not_succeeded'] } } };

const ways = {
  'by reference': () => post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' }),
  'by id': () => post(`/transactions/${shop.operation('R-1').transactionId}/reverse`),
};
const wayNames = Object.keys(ways) as (keyof typeof ways)[];

async function refused(code = 'CARD_NOT_ELIGIBLE'): Promise<void> {
  const status = code === 'DUPLICATE_TRANSACTION' ? 409 : 422;
  await shop.fault('/transactions/earn', { type: 'error', status, code }, 1);
  await earn();
  await shop.pass(2_000);
  expect(shop.operation('R-1').state).toBe('refused');
}

async function failed(): Promise<void> {
  await shop.pass(100, 50);
  await shop.call('POST', `/_sandbox/transactions/${shop.operation('R-1').serviceTransactionId}/fail`, {
    code: 'INTERNAL',
  });
  await shop.pass(5_000);
}

describe.each(wayNames)('a sale that its program takes back after it came to nothing (%s)', (way) => {
  test('is closed once it was refused: nobody sends it again', async () => {
    await refused();
    for (let times = 0; times < 2; times += 1) expect(await ways[way]()).toMatchObject(neverSucceeded);
    expect(attention()).toEqual([]);
    const { operationId } = shop.operation('R-1');
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'not_now' });
    await shop.pass(20_000);
    expect(await shop.held('R-1')).toEqual([]);
    const told = { status: 'failed', error: { code: 'CARD_NOT_ELIGIBLE' } };
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([told]);
    expect(await earn()).toMatchObject({ status: 200, json: { ...told, duplicate: true } });
  });

  test('is closed though its number is another sale’s: it goes out under no other one', async () => {
    await refused('DUPLICATE_TRANSACTION');
    expect(await ways[way]()).toMatchObject(neverSucceeded);
    expect(attention()).toEqual([]);
    const { operationId } = shop.operation('R-1');
    expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'not_now' });
  });

  test('is closed once it has failed: nothing stands in its place', async () => {
    await earn();
    await failed();
    expect(await ways[way]()).toMatchObject(neverSucceeded);
    expect(attention()).toEqual([]);
    const { operationId, rowId } = shop.operation('R-1');
    expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'not_now' });
    expect(shop.core.history(rowId).at(-1)).toMatchObject({
      to: 'written_off',
      person: null,
      reason: 'taken back by the program main, and it never happened',
    });
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([
      { status: 'failed', error: { code: 'INTERNAL' } },
    ]);
  });

  test('stays with a person while nobody knows what the service holds of it', async () => {
    await refused();
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    const answer = await ways[way]();
    expect(attention()).toEqual(way === 'by id' ? [] : ['R-1']);
    expect(answer.status).toBe(way === 'by id' ? 400 : 504);
  });
});

describe.each(['earn', 'redeem'])(
  'a refused %s, of whose reversal the answer was lost, and that another till makes then',
  (intent) => {
    const sale = { identifier, external_ref: 'R-1', points: 10 };
    const reverse = (part: object = {}) => post('/transactions/reverse', { external_ref: 'R-1', intent, ...part });
    beforeEach(async () => {
      await shop.fault(`/transactions/${intent}`, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
      await post(`/transactions/${intent}`, sale);
      await shop.pass(2_000);
    });

    test.each([{}, { reversal_ref: 'V-1' }])(
      'is not taken back there when the reversal comes again (%o)',
      async (part) => {
        expect(await reverse(part)).toMatchObject(neverSucceeded);
        await shop.call('POST', `/v1/transactions/${intent}`, sale);
        await shop.pass(5_000);
        for (let times = 0; times < 2; times += 1) expect(await reverse(part)).toMatchObject(neverSucceeded);
        await shop.pass(20_000);
        expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
      },
    );

    test('is not taken back there when the till looks once more for its own', async () => {
      expect(await reverse()).toMatchObject(neverSucceeded);
      await shop.call('POST', `/v1/transactions/${intent}`, sale);
      await shop.pass(11 * 60_000, 5_000);
      expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
    });

    test('is found there where the reversal was not sent before, also when a person has tried to undo it meanwhile', async () => {
      await shop.fault('/transactions/reverse', { type: 'offline' }, 1);
      expect((await reverse()).status).toBe(504);
      const { rowId } = shop.operation('R-1', intent === 'earn' ? 'earn' : 'redeem');
      const undo = { origin: 'till', operationId: shop.newId(), reversalRef: null, reason: null } as const;
      expect(await shop.core.reverse(rowId, { ...undo, idempotencyKey: null })).toMatchObject({ kind: 'irreversible' });
      await shop.pass(20_000);
      await shop.call('POST', `/v1/transactions/${intent}`, sale);
      await shop.pass(5_000);
      expect((await reverse()).status).toBe(202);
    });

    test('is taken back where its own program makes it anew, under the same reference of the reversal', async () => {
      expect(await reverse()).toMatchObject(neverSucceeded);
      await post(`/transactions/${intent}`, { ...sale, points: 11 });
      await shop.pass(5_000);
      expect((await reverse()).status).toBe(202);
      await shop.pass(20_000);
      expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
    });
  },
);

describe('a sale that a manager has sent under another number, as another till has its own', () => {
  const reverse = ways['by reference'];
  const replace = () => shop.core.replace(shop.operation('R-1').operationId, decider);
  const refuseOnce = () =>
    shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  beforeEach(async () => {
    await shop.call('POST', '/v1/transactions/earn', { identifier, external_ref: 'R-1', points: 99 });
    await refused('DUPLICATE_TRANSACTION');
  });

  test('and that is refused under it is closed, and the other till’s is not taken back', async () => {
    await refuseOnce();
    await replace();
    await shop.pass(5_000);
    expect(attention()).toEqual(['R-1-2']);
    for (let times = 0; times < 2; times += 1) {
      expect(await reverse()).toMatchObject(neverSucceeded);
      expect(attention()).toEqual([]);
    }
    await shop.pass(20_000);
    expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
  });

  test('and that is refused after it was taken back leaves the other till’s alone when it is taken back again', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' });
    await replace();
    await shop.fault('/transactions?', { type: 'drop_request' });
    await shop.pass(5_000);
    expect((await reverse()).status).toBe(202);
    await shop.mend();
    await refuseOnce();
    await shop.pass(120_000, 1_000);
    expect(shop.operation('R-1-2')).toMatchObject({ state: 'cancelled', error: { code: 'CARD_NOT_ELIGIBLE' } });
    expect(await reverse()).toMatchObject({ status: 200, json: { duplicate: true } });
    await shop.pass(20_000);
    expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
    expect(attention()).toEqual([]);
  });
});

test('a sale that a manager sends under another number while its program takes it back is taken back there', async () => {
  await refused();
  await shop.fault('/transactions/reverse', { type: 'delay', ms: 5_000 }, 1);
  const answer = bridge.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
  await shop.pass(1_000);
  await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' }, 1);
  await shop.core.resend(shop.operation('R-1').operationId, decider);
  await shop.pass(1_000);
  expect(await shop.core.replace(shop.operation('R-1').operationId, decider)).toMatchObject({ kind: 'done' });
  expect((await shop.passUntil(answer)).status).toBe(202);
  await shop.pass(60_000, 1_000);
  expect(shop.operation('R-1-2').state).toBe('reversed');
  expect(await shop.held('reverse-earn-R-1-2')).toMatchObject([{ intent: 'reverse', status: 'success' }]);
  expect(shop.operation('reverse-earn-R-1-2', 'reverse').state).toBe('applied');
});

describe('a sale that its program makes anew after it was taken back, that is refused while its first bytes are on their way', () => {
  test.each(['before the service refused it', 'after'])('stays, with a person (taken back %s)', async (when) => {
    const refuseOnce = () =>
      shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const loseOnce = () => shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    if (when === 'after') await refused();
    else {
      await loseOnce();
      await refuseOnce();
      await earn();
      await shop.pass(200);
    }
    await ways['by reference']();
    await shop.pass(15_000);
    expect(shop.operation('R-1').state).toBe('cancelled');
    await shop.mend();
    await loseOnce();
    await refuseOnce();
    await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 11 });
    await shop.pass(15_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'refused', points: 11 });
    const { body } = shop.core.sentRequest(shop.operation('R-1').rowId) ?? expect.fail();
    await shop.call('POST', '/v1/transactions/earn', JSON.parse(body ?? ''));
    await shop.pass(5 * 60_000, 5_000);
    expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
    expect(shop.operation('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });
});

test('a sale that fails after it was taken back waits for nobody, as one that is refused', async () => {
  await shop.fault('/transactions/reverse', { type: 'drop_request' });
  await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 10_000 });
  await earn();
  await shop.pass(100, 50);
  expect((await ways['by reference']()).status).toBe(202);
  await failed();
  await shop.pass(60_000, 1_000);
  expect(shop.operation('R-1').state).toBe('written_off');
  expect(shop.operation('reverse-earn-R-1', 'reverse').state).toBe('cancelled');
  const { operationId } = shop.operation('R-1');
  expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'not_now' });
});

test('at the screen it stays with the person who is there', async () => {
  await refused();
  const other = await shop.passUntil(
    shop.core.reverse(shop.operation('R-1').rowId, {
      origin: 'till',
      operationId: shop.newId(),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    }),
  );
  expect(other).toMatchObject({ kind: 'irreversible', why: 'refused' });
  expect(attention()).toEqual(['R-1']);
});
