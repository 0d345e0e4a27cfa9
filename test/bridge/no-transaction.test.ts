import { beforeEach, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});
const call = (method: string, path: string, body?: object) => shop.passUntil(bridge.call(method, `/v1${path}`, body));

test('an enrollment that waits for its code is no transaction, by either of its ids', async () => {
  const enrolled = await call('POST', '/customers/enroll', {
    external_ref: 'E-1',
    phone: '+96550009999',
    name: 'Noor',
  });
  expect(enrolled.status).toBe(202);
  const own = shop.core.recentOperations({ limit: 1 })[0]?.transactionId;
  for (const id of [enrolled.json.enrollment_id, own]) {
    const { status, json } = await call('GET', `/transactions/${id}`);
    expect([status, json.error.details]).toEqual([404, ['transaction_not_found']]);
  }
});

test.each(['%65arn', 'rede%65m', '%72everse'])('a call’s own name is no transaction: %s', async (id) => {
  const { status, json } = await call('GET', `/transactions/${id}`);
  expect([status, json.error.details]).toEqual([404, ['transaction_not_found']]);
});

test('another enrollment under its reference hears that the first one’s code completes it', async () => {
  const enroll = (name: string) =>
    call('POST', '/customers/enroll', { external_ref: 'E-1', phone: '+96550009999', name });
  expect((await enroll('Noor')).status).toBe(202);
  const { status, json } = await enroll('Nora');
  expect(status).toBe(409);
  expect(json.error.message).toContain('the first one under this reference has begun, and its code completes it.');
});

test.each(['(+965) 5551 2345', ' +965 5551 2345', '[+] 965 5551 2345'])(
  'a customer enrolls and is found by %s, as a phone may be written',
  async (phone) => {
    const begun = await call('POST', '/customers/enroll', { external_ref: 'E-1', phone });
    expect(begun.status).toBe(202);
    const { enrollment_id } = begun.json;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    expect((await call('POST', '/customers/enroll/verify', { enrollment_id, otp })).status).toBe(201);
    const found = await call('POST', '/customers/identify', { phone });
    expect(found).toMatchObject({ status: 200, json: { phone: '+96555512345' } });
  },
);

test('a redemption that was written off is not to be tried again', async () => {
  const identifier = { loyalty_id: 'LC-1001' };
  const body = { identifier, external_ref: 'R-1', points: 40 };
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  expect((await call('POST', '/transactions/redeem', body)).status).toBe(504);
  await shop.mend();
  const { operationId } = shop.operation('R-1', 'redeem');
  const decider = { person: 'Huda', reason: 'asked by the customer' };
  expect(await shop.passUntil(shop.core.writeOff(operationId, decider))).toMatchObject({ kind: 'done' });
  const again = await call('POST', '/transactions/redeem', body);
  expect(again).toMatchObject({ status: 422, json: { error: { retryable: false, details: ['written_off'] } } });
});
