import { afterEach, describe, expect, test } from 'vitest';
import { outcomeUnknown } from '../../app/bridge/immediate-answers.ts';
import { referenceTaken } from '../../app/bridge/reference-taken.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { type BridgeUnderTest, startBridge } from '../support/bridge-server.ts';
import { FakeCore } from '../support/fake-core.ts';
import { doneOutcome, fakeOperation, refusedOutcome } from '../support/fake-records.ts';

let bridge: BridgeUnderTest;
afterEach(() => bridge?.close());

const identifier = { loyalty_id: 'LC-1001' };

test.each([
  ['the shop’s currency', {}, 'USD'],
  ['its own', { currency: 'KWD' }, 'KWD'],
])('an amount that is spent goes out in %s', async (_, part, currency) => {
  bridge = await startBridge(new FakeCore({ currency: 'USD' }));
  await bridge.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'R-1', amount_minor: 500, ...part });
  await bridge.call('POST', '/v1/redemptions/reserve', { identifier, external_ref: 'C-1', amount_minor: 500, ...part });
  expect(bridge.core.performed.map(({ body }) => body?.currency)).toEqual([currency, currency]);
});

test('points that are spent go out without a currency', async () => {
  bridge = await startBridge(new FakeCore({ currency: 'USD' }));
  await bridge.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'R-1', points: 5 });
  expect(bridge.core.performed.map(({ body }) => body)).toEqual([expect.not.objectContaining({ currency: 'USD' })]);
});

const transaction: Transaction = {
  transaction_id: 'txn_asked',
  intent: 'earn',
  status: 'success',
  external_ref: 'R-1',
  customer_id: 'cus_1',
  card_id: 'card_1',
  amount_minor: null,
  currency: null,
  points: 10,
  stamps: null,
  visits: null,
  new_balances: null,
  error: null,
  occurred_at: '2026-11-20T18:13:00.000Z',
  completed_at: '2026-11-20T18:13:01.000Z',
};

test.each([
  ['by its id, where the same reference of this key is another one’s', 'txn_other', '/transactions/txn_asked/reverse'],
  ['by its reference, where that is its own', 'txn_asked', '/transactions/reverse'],
])('what another key’s till did is taken back %s', async (_, underReference, path) => {
  bridge = await startBridge();
  bridge.core.transactionOutcome = doneOutcome(transaction);
  bridge.core.listOutcome = doneOutcome({ data: [{ ...transaction, transaction_id: underReference }] });
  await bridge.call('POST', '/v1/transactions/txn_asked/reverse', {});
  expect(bridge.core.performed.map((write) => write.path)).toEqual([path]);
});

describe('a reversal with a value, of a reference for which the service lists the sales of two sources', () => {
  const reverseWith = async (points: number, listed: readonly number[]) => {
    bridge = await startBridge();
    const data = listed.map((held, index) => ({ ...transaction, transaction_id: `txn_${index}`, points: held }));
    bridge.core.listOutcome = doneOutcome({ data });
    return bridge.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'earn', points });
  };

  test('is the service’s to compare where one of them has that value', async () => {
    await reverseWith(10, [12, 10]);
    expect(bridge.core.performed.map(({ body }) => body?.points)).toEqual([10]);
  });

  test('goes out without it where all of them have that value', async () => {
    await reverseWith(10, [10, 10]);
    expect(bridge.core.performed.map(({ body }) => body?.points)).toEqual([undefined]);
  });

  test('is a partial one where none of them has that value', async () => {
    expect((await reverseWith(11, [12, 10])).status).toBe(400);
    expect(bridge.core.performed).toEqual([]);
  });
});

test('a hold is paid for by an id of the service that is longer than a text may be', async () => {
  bridge = await startBridge();
  const path = `/redemptions/${'r'.repeat(600)}/commit`;
  await bridge.call('POST', `/v1${path}`, { external_ref: 'O-1' });
  expect(bridge.core.performed.map((write) => write.path)).toEqual([path]);
});

test('what is taken back by an id as long as an id may be has a reference of its own that fits', async () => {
  bridge = await startBridge();
  bridge.core.transactionOutcome = refusedOutcome(404, 'VALIDATION_ERROR');
  const ids = ['a', 'b'].map((end) => 'x'.repeat(254) + end);
  for (const id of ids) await bridge.call('POST', `/v1/transactions/${id}/reverse`, {});
  const references = bridge.core.performed.map(({ externalRef }) => externalRef);
  expect(new Set(references).size).toBe(2);
  expect(references.every((reference) => reference.length <= 255)).toBe(true);
});

test.each(['earn', 'redeem', 'reverse'])(
  'what POST /v1/transactions/%s/reverse names is no transaction',
  async (name) => {
    bridge = await startBridge();
    const reply = await bridge.call('POST', `/v1/transactions/${name}/reverse`, {});
    expect(reply).toMatchObject({ status: 404, json: { error: { details: ['transaction_not_found'] } } });
    expect(bridge.core.performed).toEqual([]);
  },
);

// What refuses the next attempt says nothing about the first: a program that took it for an answer would sell twice.
test.each([null, 'refused', 'throttled', 'suspended', 'offline', 'tls'] as const)(
  'an outcome that is not known is told as not known, also after %s',
  (cause) => {
    const failure = outcomeUnknown(fakeOperation({ cause, maybeSent: true }));
    expect(failure).toMatchObject({ status: 504, code: 'UPSTREAM_TIMEOUT', details: ['outcome_unknown'] });
  },
);

test.each([
  ['2026-11-19', [{ first_business_date: '2026-11-19' }]],
  [null, []],
])('a reference that is taken, on the day %s, names the fields and the day', (firstBusinessDate, more) => {
  const failure = referenceTaken(fakeOperation(), { differingFields: ['points'], firstBusinessDate });
  expect(failure).toMatchObject({ status: 409, details: ['points', ...more] });
  expect(failure.message.includes('The first one is of')).toBe(firstBusinessDate !== null);
});

test('a redemption of another day is told what the first one is, and names the day, not a field that it does not have', () => {
  const differences = { differingFields: ['business_date'], firstBusinessDate: '2026-11-19' };
  const { message } = referenceTaken(fakeOperation({ intent: 'redeem', state: 'applied' }), differences);
  expect(message).toContain('This request did nothing; the first one under this reference is success.');
  expect(message).toContain('Differing: the day.');
});

// A programmer quotes the id that is at hand, from the header or from the body, to whoever has a log of it.
describe('X-Request-Id is the id in the body', () => {
  const refusal = (requestId: string) => {
    const error = { code: 'VALIDATION_ERROR', message: 'no', retryable: false, request_id: requestId };
    return { error, body: { error }, httpStatus: 404 };
  };

  test('of a read that the service refuses', async () => {
    bridge = await startBridge();
    bridge.core.identifyOutcome = refusedOutcome(404, 'CUSTOMER_NOT_FOUND');
    const { headers, json } = await bridge.call('POST', '/v1/customers/identify', identifier);
    expect([headers.get('x-request-id'), json.error.request_id]).toEqual(['req_service', 'req_service']);
  });

  test('of a write that the service refuses', async () => {
    bridge = await startBridge();
    const operation = fakeOperation({ intent: 'redeem' });
    bridge.core.immediateOutcome = { kind: 'refused', operation, refusal: refusal('req_service') };
    const body = { identifier, external_ref: 'R-1', points: 5 };
    const { status, headers, json } = await bridge.call('POST', '/v1/transactions/redeem', body);
    expect([status, headers.get('x-request-id'), json.error.request_id]).toEqual([404, 'req_service', 'req_service']);
  });

  test.each(['', 'كود', 'two\r\nlines', 'a b'])('unless a header cannot hold it: %j', async (requestId) => {
    bridge = await startBridge();
    const operation = fakeOperation({ intent: 'redeem' });
    bridge.core.immediateOutcome = { kind: 'refused', operation, refusal: refusal(requestId) };
    const body = { identifier, external_ref: 'R-1', points: 5 };
    const { status, headers, json } = await bridge.call('POST', '/v1/transactions/redeem', body);
    expect([status, json.error.request_id]).toEqual([404, requestId]);
    expect(headers.get('x-request-id')).toMatch(/^req_\d+$/);
  });
});
