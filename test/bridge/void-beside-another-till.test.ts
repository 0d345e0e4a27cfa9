import { beforeEach, describe, expect, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { said } from '../support/meddling.ts';
import { endsWithTest, openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// Two tills on one API key with the same receipt numbers: whoever takes back what came to nothing at one of them does not
// mean what the other one has done under that number.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  await shop.call('POST', '/_sandbox/customers', {
    cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
  });
});

type Intent = 'earn' | 'redeem';
const identifier = { loyalty_id: 'LC-1001' };
const sale = { identifier, external_ref: 'R-1', points: 10 };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const atOtherTill = async (intent: Intent, part: object = {}) => {
  await shop.call('POST', `/v1/transactions/${intent}`, { ...sale, ...part });
  await shop.pass(3_000);
};
const reverse = (intent: Intent, part: object = {}) =>
  post('/transactions/reverse', { external_ref: 'R-1', intent, ...part });
const books = async () => (await shop.held('R-1')).map(({ status }) => status);
const attention = () => shop.core.needingAttention({ limit: 10 }).map(({ externalRef }) => externalRef);
const neverSucceeded = { status: 400, json: { error: { details: ['transaction_not_succeeded'] } } };

async function refusedHere(intent: Intent, part: object = {}): Promise<void> {
  await shop.fault(`/transactions/${intent}`, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  await post(`/transactions/${intent}`, { ...sale, ...part });
  await shop.pass(2_000);
}

async function expectLeftAlone(intent: Intent): Promise<void> {
  for (const part of [{}, { reversal_ref: 'V-1' }, { points: 10 }, {}]) {
    expect(await reverse(intent, part)).toMatchObject(neverSucceeded);
  }
  await shop.pass(11 * 60_000, 5_000);
  expect(await books()).toEqual(['success']);
  expect(attention()).toEqual([]);
}

describe.each(['earn', 'redeem'] as const)('a void of a refused %s leaves another till’s alone', (intent) => {
  test.each([
    ['value', { points: 20 }],
    ['customer', { identifier: { loyalty_id: 'LC-B' } }],
  ])('that is of another %s', async (_, part) => {
    await refusedHere(intent);
    await atOtherTill(intent, part);
    await expectLeftAlone(intent);
  });

  test('whose customer the service does not know', async () => {
    await post(`/transactions/${intent}`, { ...sale, identifier: { loyalty_id: 'LC-9999' } });
    await shop.pass(2_000);
    await atOtherTill(intent);
    await expectLeftAlone(intent);
  });

  test('of which it is not told whose it is: nothing is sent', async () => {
    await refusedHere(intent);
    await atOtherTill(intent, { identifier: { loyalty_id: 'LC-B' } });
    await shop.fault('/customers/identify', { type: 'offline' });
    expect(await reverse(intent)).toMatchObject({ status: 504, json: { error: { details: ['not_sent'] } } });
    await shop.mend();
    await shop.pass(60_000, 1_000);
    await expectLeftAlone(intent);
  });

  test('but not one of the same customer, value and time', async () => {
    await refusedHere(intent);
    await atOtherTill(intent);
    expect((await reverse(intent)).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect(await reverse(intent)).toMatchObject({ status: 200, json: { duplicate: true } });
  });
});

test('a void of a refused sale leaves another till’s of another time alone', async () => {
  await refusedHere('earn');
  await shop.pass(20 * 60_000, 60_000);
  await atOtherTill('earn');
  await expectLeftAlone('earn');
});

test('a void of a refused redemption leaves another till’s equal one alone that was made much later', async () => {
  await refusedHere('redeem');
  await shop.pass(11 * 60_000, 60_000);
  await atOtherTill('redeem');
  await expectLeftAlone('redeem');
});

describe.each([
  ['was set in the same run, hours before', 10 * 60_000, null],
  ['is set over a restart after it', 0, 2 * 60_000],
  ['is set far over a restart after it', 0, -3_600_000],
])('a void of a refused redemption, by a clock that %s,', (_, beforeMs, restartMs) => {
  beforeEach(async () => {
    shop.setTillClock(beforeMs);
    await post('/transactions/earn', { identifier, external_ref: 'R-0', points: 1 });
    await shop.pass(3 * 3_600_000, 60_000);
  });
  const hoursPass = async () => {
    if (restartMs !== null) {
      await shop.stop();
      shop.setTillClock(restartMs);
      shop.clock.advance(8 * 3_600_000);
      shop.start();
      bridge = endsWithTest(await serveCore(shop.core));
    }
    await shop.pass(3_600_000, 60_000);
  };

  test('leaves another till’s equal one of hours later alone', async () => {
    await refusedHere('redeem');
    await hoursPass();
    await atOtherTill('redeem');
    expect(await reverse('redeem')).toMatchObject(neverSucceeded);
    expect(await books()).toEqual(['success']);
  });

  test('takes its own back that was carried out all the same', async () => {
    await carriedOutAndRefused();
    await hoursPass();
    expect((await reverse('redeem')).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });
});

test.each([
  ['another', { points: 7 }],
  ['an equal', {}],
])('a void of a redemption that was never sent leaves %s one of another till alone', async (_, part) => {
  await shop.fault('/transactions/redeem', { type: 'offline' }, 1);
  const notSent = { status: 504, json: { error: { details: ['not_sent'] } } };
  expect(await post('/transactions/redeem', sale)).toMatchObject(notSent);
  expect(shop.operation('R-1', 'redeem').state).toBe('cancelled');
  await shop.pass(60_000);
  await atOtherTill('redeem', part);
  await expectLeftAlone('redeem');
});

test.each([
  ['of another value', { points: 7 }, 0],
  ['that was made much later', {}, 11 * 60_000],
])('a void of a refused commit leaves another till’s redemption alone %s', async (_, part, laterMs) => {
  const { json } = await post('/redemptions/reserve', { ...sale, external_ref: 'C-1' });
  await shop.fault(`/redemptions/${json.reservation_id}/commit`, {
    type: 'error',
    status: 409,
    code: 'RESERVATION_EXPIRED',
  });
  await post(`/redemptions/${json.reservation_id}/commit`, { external_ref: 'R-1' });
  await shop.mend();
  await shop.pass(laterMs, 60_000);
  await atOtherTill('redeem', part);
  expect(await reverse('redeem')).toMatchObject(neverSucceeded);
  expect(await books()).toEqual(['success']);
});

describe('a void of a refused commit of a hold that another system on the key has made', () => {
  async function held(): Promise<string> {
    const asked = { ...sale, external_ref: 'CART-1' };
    return (await shop.call('POST', '/v1/redemptions/reserve', asked)).reservation_id;
  }

  test.each([
    ['for another customer', { identifier: { loyalty_id: 'LC-B' }, points: 7 }],
    ['of the same customer and value', {}],
  ])('leaves another till’s redemption alone %s', async (_, part) => {
    const reservationId = await held();
    await shop.call('POST', `/v1/redemptions/${reservationId}/release`, {});
    const commit = await post(`/redemptions/${reservationId}/commit`, { external_ref: 'R-1' });
    expect(commit).toMatchObject({ status: 409, json: { error: { details: ['reservation_released'] } } });
    await atOtherTill('redeem', part);
    for (const again of [{}, { reversal_ref: 'V-1' }])
      expect(await reverse('redeem', again)).toMatchObject(neverSucceeded);
    expect(await books()).toEqual(['success']);
  });

  test('goes through where it was carried out all the same, once a look has found it', async () => {
    const reservationId = await held();
    const error = { code: 'RESERVATION_EXPIRED', message: 'm', retryable: false, request_id: 'req_m' };
    shop.meddle = async (call, carry) => {
      const own = await carry(call);
      if (call.target.endsWith('/commit')) return said(409, { error });
      return call.target.startsWith('/v1/transactions?') ? said(200, { data: [] }) : own;
    };
    expect((await post(`/redemptions/${reservationId}/commit`, { external_ref: 'R-1' })).status).toBe(409);
    shop.meddle = (call, carry) => carry(call);
    expect(await books()).toEqual(['success']);
    expect(await reverse('redeem')).toMatchObject(neverSucceeded);
    await shop.pass(11 * 60_000, 5_000);
    expect(attention()).toEqual(['R-1']);
    expect((await reverse('redeem')).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });
});

describe('a void of a refused sale whose bytes have come to the service all the same', () => {
  const arriveLate = async () => {
    const { body } = shop.core.sentRequest(shop.operation('R-1').rowId) ?? expect.fail();
    const bytes = JSON.parse(body ?? '');
    return async () => {
      await shop.call('POST', '/v1/transactions/earn', bytes);
      await shop.pass(3_000);
    };
  };

  test('goes through, later where the line is down', async () => {
    await refusedHere('earn');
    const arrives = await arriveLate();
    await shop.pass(20 * 60_000, 60_000);
    await arrives();
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect(await reverse('earn')).toMatchObject({ status: 504, json: { error: { details: ['not_sent'] } } });
    await shop.mend();
    await shop.pass(60_000, 1_000);
    expect((await reverse('earn')).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });

  test('goes through though it was corrected and refused once more since', async () => {
    await refusedHere('earn');
    const arrives = await arriveLate();
    await refusedHere('earn', { points: 11 });
    expect(shop.operation('R-1')).toMatchObject({ state: 'refused', points: 11 });
    await arrives();
    expect((await reverse('earn')).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });
});

test('a void that was lost before another till used the number is not sent again', async () => {
  await refusedHere('earn');
  await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
  const unknown = { status: 504, json: { error: { details: ['outcome_unknown'] } } };
  expect(await reverse('earn')).toMatchObject(unknown);
  await atOtherTill('earn', { points: 20 });
  expect(await reverse('earn')).toMatchObject(unknown);
  await shop.pass(11 * 60_000, 5_000);
  await expectLeftAlone('earn');
});

describe('a void of a refused sale while a cache gives one empty list to all look-ups', () => {
  const emptyList = said(200, { data: [] });
  beforeEach(async () => {
    await post('/transactions/earn', { identifier: { loyalty_id: 'LC-B' }, external_ref: 'R-0', points: 1 });
    await shop.pass(60_000, 1_000);
    await refusedHere('earn');
  });
  const keepTheList = () => {
    shop.meddle = async (call, carry) => (call.target.startsWith('/v1/transactions?') ? emptyList : carry(call));
  };
  const fetchAnew = async () => {
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(60_000, 1_000);
  };

  test('leaves another till’s alone', async () => {
    await atOtherTill('earn', { points: 20 });
    keepTheList();
    expect(await reverse('earn')).toMatchObject({ status: 504, json: { error: { details: ['not_sent'] } } });
    await fetchAnew();
    await expectLeftAlone('earn');
  });

  test('goes through later where its bytes have come to the service', async () => {
    const { body } = shop.core.sentRequest(shop.operation('R-1').rowId) ?? expect.fail();
    await shop.call('POST', '/v1/transactions/earn', JSON.parse(body ?? ''));
    await shop.pass(3_000);
    keepTheList();
    expect((await reverse('earn')).status).toBe(504);
    await fetchAnew();
    expect((await reverse('earn')).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });
});

test('a void of a refused sale comes to its end on a line that takes 2 seconds for each of its look-ups', async () => {
  await post('/transactions/earn', { identifier: { loyalty_id: 'LC-B' }, external_ref: 'R-0', points: 1 });
  await shop.pass(60_000, 1_000);
  await refusedHere('earn');
  await shop.fault('/*', { type: 'delay', ms: 2_000 });
  // The program is answered before that, and what it asked for goes on.
  expect((await reverse('earn')).status).toBe(504);
  await shop.pass(20_000, 1_000);
  expect(await reverse('earn')).toMatchObject(neverSucceeded);
});

/** No list shows it then. */
async function carriedOutAndRefused(): Promise<void> {
  const refusal = said(422, {
    error: { code: 'INSUFFICIENT_BALANCE', message: 'm', retryable: false, request_id: 'req_m' },
  });
  shop.meddle = async (call, carry) => {
    const own = await carry(call);
    if (call.target === '/v1/transactions/redeem') return refusal;
    return call.target.startsWith('/v1/transactions?') ? said(200, { data: [] }) : own;
  };
  expect((await post('/transactions/redeem', sale)).status).toBe(422);
  expect(shop.operation('R-1', 'redeem').state).toBe('cancelled');
  shop.meddle = (call, carry) => carry(call);
  expect(await books()).toEqual(['success']);
}

describe('a redemption that was carried out and answered as refused, and that no list showed then', () => {
  beforeEach(carriedOutAndRefused);

  test.each([{}, { reversal_ref: 'V-1' }])('is taken back by its void (%o)', async (part) => {
    expect((await reverse('redeem', part)).status).toBe(202);
    await shop.pass(10_000);
    expect(await books()).toEqual(['reversed']);
  });

  test('is told as taken back already when its void comes again under another reference', async () => {
    await reverse('redeem');
    await shop.pass(10_000);
    expect(await reverse('redeem', { reversal_ref: 'V-2' })).toMatchObject({
      status: 409,
      json: { error: { code: 'ALREADY_REVERSED' } },
    });
  });
});

test('a void of a refused sale goes through though one answer says that its customer is unknown', async () => {
  await refusedHere('earn');
  await atOtherTill('earn');
  await shop.fault('/customers/identify', { type: 'error', status: 404, code: 'CUSTOMER_NOT_FOUND' }, 1);
  expect((await reverse('earn')).status).toBe(202);
});

test('a void of a redemption that was a conflict leaves the other till’s alone, though one refused before had its value', async () => {
  await refusedHere('redeem');
  await atOtherTill('redeem');
  expect((await post('/transactions/redeem', { ...sale, points: 12 })).status).toBe(409);
  for (const part of [{}, { reversal_ref: 'V-1' }]) expect(await reverse('redeem', part)).toMatchObject(neverSucceeded);
  await shop.pass(11 * 60_000, 5_000);
  expect(await books()).toEqual(['success']);
});
