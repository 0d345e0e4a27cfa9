import { beforeEach, describe, expect, test } from 'vitest';
import { referenceOfEach } from '../../app/operations/requests/asked-reference.ts';
import { localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

/** Two POS programs on one till; the first one has the token of the ready line. */
const tokens = { first: localToken, second: 'tb_local_second', shared: 'tb_local_shared' } as const;
type Program = keyof typeof tokens;

const get = (program: Program, path: string) =>
  shop.passUntil(bridge.call('GET', `/v1${path}`, undefined, { authorization: `Bearer ${tokens[program]}` }));
const post = (program: Program, path: string, body: object) =>
  shop.passUntil(bridge.call('POST', `/v1${path}`, body, { authorization: `Bearer ${tokens[program]}` }));

const customer = { loyalty_id: 'LC-1001' };
const earnOf = (ref: string) => ({ identifier: customer, external_ref: ref, points: 5 });

/** A sale of the first program's, applied. @returns its ids */
async function saleOfFirst(ref: string): Promise<{ readonly local: string; readonly service: string }> {
  const { json } = await post('first', '/transactions/earn', earnOf(ref));
  await shop.pass(5_000);
  return { local: json.transaction_id, service: shop.operation(ref).serviceTransactionId ?? '' };
}

const statuses = async (ref: string) => (await shop.held(ref)).map(({ intent, status }) => `${intent} ${status}`);
const unknownHere = { status: 404, json: { error: { details: ['transaction_not_found'] } } };

describe('another program of the till', () => {
  test('reads nothing of a sale, by reference, by either id, in the history, online or not', async () => {
    const ids = await saleOfFirst('A-1');
    const { json: found } = await get('first', '/transactions?external_ref=A-1');
    expect(found.data).toHaveLength(1);
    const history = `/customers/${found.data[0].customer_id}/transactions?limit=50`;
    expect((await get('first', history)).json.data).toMatchObject([{ external_ref: 'A-1', transaction_id: ids.local }]);
    for (const line of ['online', 'offline']) {
      for (const id of [ids.local, ids.service]) {
        expect(await get('second', `/transactions/${id}`)).toMatchObject(unknownHere);
      }
      const byReference = await get('second', '/transactions?external_ref=A-1');
      expect(byReference.json.data ?? []).toEqual([]);
      if (line === 'online') expect((await get('second', history)).json.data).toEqual([]);
      await shop.fault('', { type: 'offline' });
    }
  });

  test('reads nothing of a sale whose answer was lost, out of the service’s books', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    await post('first', '/transactions/earn', earnOf('A-1'));
    await shop.fault('/transactions/earn', { type: 'offline' });
    await shop.pass(2_000);
    const [record] = await shop.held('A-1');
    expect(record).toBeDefined();
    expect((await get('second', '/transactions?external_ref=A-1')).json.data).toEqual([]);
    expect(await get('second', `/transactions/${record?.transaction_id}`)).toMatchObject(unknownHere);
    expect(await post('second', `/transactions/${record?.transaction_id}/reverse`, {})).toMatchObject(unknownHere);
    expect(await statuses('A-1')).toEqual(['earn success']);
  });

  test('takes nothing of it back, by reference or by either id', async () => {
    const ids = await saleOfFirst('A-1');
    const spent = await post('first', '/transactions/redeem', { ...earnOf('A-2') });
    expect(spent.status).toBe(200);
    const attacks = [
      ['/transactions/reverse', { external_ref: 'A-1', intent: 'earn' }],
      ['/transactions/reverse', { external_ref: 'A-1', intent: 'earn', reversal_ref: 'MINE' }],
      ['/transactions/reverse', { external_ref: 'A-2', intent: 'redeem' }],
      [`/transactions/${ids.local}/reverse`, {}],
      [`/transactions/${ids.service}/reverse`, {}],
      [`/transactions/${spent.json.transaction_id}/reverse`, {}],
    ] as const;
    for (const [path, body] of attacks) expect(await post('second', path, body)).toMatchObject(unknownHere);
    await shop.pass(10_000);
    expect([await statuses('A-1'), await statuses('A-2')]).toEqual([['earn success'], ['redeem success']]);
    // Who took it takes it back.
    expect((await post('first', '/transactions/reverse', { external_ref: 'A-2', intent: 'redeem' })).status).toBe(202);
  });

  test('learns nothing from a reference that stands for a request of the first one', async () => {
    await saleOfFirst('A-1');
    await post('first', '/transactions/redeem', earnOf('A-2'));
    await post('second', '/transactions/earn', earnOf('B-1'));
    const taken = { status: 409, json: { error: { details: ['reference_of_another_program'] } } };
    expect(await post('second', '/transactions/earn', earnOf('A-1'))).toMatchObject(taken);
    expect(await post('second', '/transactions/earn', { ...earnOf('A-1'), points: 6 })).toMatchObject(taken);
    expect(await post('second', '/transactions/redeem', earnOf('A-2'))).toMatchObject(taken);
    const ownReversal = { external_ref: 'A-2', intent: 'redeem', reversal_ref: 'V-1' };
    expect((await post('first', '/transactions/reverse', ownReversal)).status).toBe(202);
    const reversal = { external_ref: 'B-1', intent: 'earn', reversal_ref: 'V-1' };
    expect(await post('second', '/transactions/reverse', reversal)).toMatchObject(taken);
    expect((await post('first', '/transactions/earn', earnOf('A-1'))).json).toMatchObject({ duplicate: true });
  });

  test('spends and lets go nothing that the first one holds, and ends no enrollment of it', async () => {
    const held = await post('first', '/redemptions/reserve', earnOf('CART-1'));
    const path = `/redemptions/${held.json.reservation_id}`;
    const unknown = { status: 404, json: { error: { details: ['reservation_not_found'] } } };
    expect(await post('second', `${path}/commit`, { external_ref: 'B-1' })).toMatchObject(unknown);
    expect(await post('second', `${path}/release`, {})).toMatchObject(unknown);
    const begun = await post('first', '/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
    const enrollment_id = begun.json.enrollment_id;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    expect(await post('second', '/customers/enroll/verify', { enrollment_id, otp })).toMatchObject({
      status: 422,
      json: { error: { code: 'OTP_INVALID', details: ['enrollment_not_found'] } },
    });
    expect((await post('first', `${path}/commit`, { external_ref: 'A-1' })).status).toBe(200);
    expect((await post('first', '/customers/enroll/verify', { enrollment_id, otp })).status).toBe(201);
  });

  test('sees and takes back everything where store IT lets it share; whose sale it was sees that', async () => {
    const ids = await saleOfFirst('A-1');
    expect((await get('shared', `/transactions/${ids.local}`)).json).toMatchObject({ status: 'success' });
    const back = await post('shared', `/transactions/${ids.local}/reverse`, {});
    expect(back.status).toBe(202);
    await shop.pass(10_000);
    expect((await get('first', `/transactions/${ids.local}`)).json).toMatchObject({ status: 'reversed' });
    expect((await get('first', `/transactions/${back.json.transaction_id}`)).json).toMatchObject({ intent: 'reverse' });
    expect(await get('second', `/transactions/${back.json.transaction_id}`)).toMatchObject(unknownHere);
  });
});

describe('what a program was told of by the till itself, though another one began it', () => {
  const phone = '+96555512345';
  const verify = async (enrollment_id: string) => {
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    return post('first', '/customers/enroll/verify', { enrollment_id, otp });
  };

  test.each(['the screen', 'second'])(
    'an enrollment by %s that the service answers with is finished with its code',
    async (other) => {
      const body = { external_ref: 'E-1', phone };
      const part = { intent: 'enroll', path: '/customers/enroll', identifier: null, body } as const;
      const write = shop.redemption(
        'E-1#1',
        {},
        other === 'second' ? { ...part, origin: 'bridge', posName: other } : part,
      );
      const begun = await shop.passUntil(shop.core.perform(write, { waitMs: 0 }));
      const enrollment_id = begun.kind === 'done' ? begun.operation.serviceTransactionId : null;
      answerInstead(shop, callOf('POST', '/customers/enroll'), (own) => withFields(own, { enrollment_id }));
      const told = await post('first', '/customers/enroll', { external_ref: 'E-2', phone });
      expect(told).toMatchObject({ status: 202, json: { enrollment_id } });
      expect(await verify(told.json.enrollment_id)).toMatchObject({ status: 201 });
    },
  );

  test.each([
    ['commit', { external_ref: 'A-1' }],
    ['release', {}],
  ])('a hold that the same request is answered with is ended by its %s', async (end, body) => {
    const held = await post('second', '/redemptions/reserve', earnOf('CART-1'));
    const path = `/redemptions/${held.json.reservation_id}/${end}`;
    expect((await post('first', path, body)).status).toBe(404);
    const again = await post('first', '/redemptions/reserve', earnOf('CART-1'));
    expect(again).toMatchObject({ status: 200, json: { reservation_id: held.json.reservation_id, duplicate: true } });
    expect((await post('first', path, body)).status).toBe(200);
  });
});

describe('the record of an enrollment', () => {
  const phone = '+96555512345';
  /** By whom the service's record can be read, in each way in which there is one. */
  async function readersOf(ref: string, told: { readonly status: number; readonly json: { customer_id: string } }) {
    expect(told.status).toBe(201);
    const [record] = await shop.held(ref);
    const { customer_id } = told.json;
    const readers: string[] = [];
    for (const program of ['first', 'second', 'shared'] as const) {
      const own = program === 'shared' ? [] : [`/transactions?external_ref=${ref}`];
      for (const path of [`/customers/${customer_id}/transactions`, ...own]) {
        const { json } = await get(program, path);
        if (json.data.length > 0) readers.push(program);
      }
      const byId = await get(program, `/transactions/${record?.transaction_id}`);
      if (byId.status === 200) readers.push(program);
      else expect(byId).toMatchObject(unknownHere);
    }
    return readers;
  }

  test('is the program’s that asked for it, and nothing to another one', async () => {
    const { enrollment_id } = (await post('second', '/customers/enroll', { external_ref: 'U-77', phone })).json;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    const told = await post('second', '/customers/enroll/verify', { enrollment_id, otp });
    expect(await readersOf('U-77', told)).toEqual(['second', 'second', 'second', 'shared', 'shared']);
  });

  test('at the till’s own screen is the first program’s to see, and nothing to another one', async () => {
    const operationId = shop.newId();
    const externalRef = referenceOfEach('U-78', operationId);
    const body = { external_ref: 'U-78', phone };
    const enroll = { operationId, externalRef, intent: 'enroll', path: '/customers/enroll', identifier: null } as const;
    const write = shop.redemption('U-78', {}, { ...enroll, body });
    const begun = await shop.passUntil(shop.core.perform(write, { waitMs: 0 }));
    const enrollment_id = begun.kind === 'done' ? begun.operation.serviceTransactionId : null;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    const told = await post('shared', '/customers/enroll/verify', { enrollment_id, otp });
    expect(await readersOf('U-78', told)).toEqual(['first', 'first', 'first', 'shared', 'shared']);
  });
});

describe('a sale of the till’s own screen', () => {
  test('is seen by the first program, is taken back by none, and is nothing to another one', async () => {
    const sale = await shop.saved('SCREEN-1');
    await shop.pass(5_000);
    const path = `/transactions/${sale.transactionId}`;
    expect((await get('first', path)).json).toMatchObject({ external_ref: 'SCREEN-1', status: 'success' });
    expect(await get('second', path)).toMatchObject(unknownHere);
    for (const program of ['first', 'second'] as const) {
      expect(await post(program, `${path}/reverse`, {})).toMatchObject(unknownHere);
      const byReference = { external_ref: 'SCREEN-1', intent: 'earn' };
      expect(await post(program, '/transactions/reverse', byReference)).toMatchObject(unknownHere);
    }
    await shop.pass(10_000);
    expect(await statuses('SCREEN-1')).toEqual(['earn success']);
  });
});

test('what was done at another till is everybody’s, as at the service', async () => {
  await shop.call('POST', '/v1/transactions/redeem', earnOf('ELSEWHERE-1'));
  expect((await get('second', '/transactions?external_ref=ELSEWHERE-1')).json.data).toHaveLength(1);
  const reversal = { external_ref: 'ELSEWHERE-1', intent: 'redeem' };
  expect((await post('second', '/transactions/reverse', reversal)).status).toBe(202);
});
