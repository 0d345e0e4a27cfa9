import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, swapOnce, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

const waits = { waitMs: 120_000 };

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const only = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const heldId = async (ref: string, intent = 'earn') =>
  (await shop.held(ref)).find((held) => held.intent === intent)?.transaction_id;

const earn = (ref: string, loyaltyId: string, request: object = {}) =>
  shop.saved(ref, { identifier: { loyalty_id: loyaltyId }, points: 10, ...request }, { origin: 'bridge' });

/** Of a sale that the service has just taken. */
async function makeFail(ref: string): Promise<void> {
  await shop.quiet();
  await shop.call('POST', `/_sandbox/transactions/${await heldId(ref)}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
}

const earnOf = (ref: string) => callOf('POST', '/transactions/earn', `"${ref}"`);
const redeemOf = (ref: string) => callOf('POST', '/transactions/redeem', `"${ref}"`);

describe('two sales whose answers were swapped', () => {
  beforeEach(() =>
    shop.call('POST', '/_sandbox/customers', { cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B' }] }),
  );

  test('are each applied on their own record, under its id', async () => {
    const swapped = swapOnce(shop, earnOf('A'), earnOf('B'));
    await Promise.all([earn('A', 'LC-1001'), earn('B', 'LC-B', { points: 20 })]);
    await shop.pass(60_000);
    expect(swapped.isDone).toBe(true);
    for (const ref of ['A', 'B']) {
      expect(only(ref)).toMatchObject({ state: 'applied', serviceTransactionId: await heldId(ref) });
      expect(await shop.held(ref)).toHaveLength(1);
    }
    expect(only('A').newBalances?.points).toBe(255.5);
  });

  test('do not make one failed because the other failed', async () => {
    swapOnce(shop, earnOf('A'), earnOf('B'));
    await Promise.all([earn('A', 'LC-1001'), earn('B', 'LC-B')]);
    await makeFail('B');
    await shop.pass(60_000);
    expect([only('A').state, only('B').state]).toEqual(['applied', 'failed']);
  });

  test('are not applied by a replay that was meant for the other, though it says no more than its id', async () => {
    await earn('B', 'LC-B');
    await shop.pass(5_000);
    const idOfB = await heldId('B');
    const told = answerInstead(
      shop,
      earnOf('A'),
      (own) => withFields(own, { transaction_id: idOfB, status: 'success', duplicate: true }),
      { times: 1 },
    );
    await earn('A', 'LC-1001');
    await shop.pass(60_000);
    expect(told.count).toBe(1);
    expect(only('A')).toMatchObject({ state: 'applied', serviceTransactionId: await heldId('A') });
  });
});

test.each([
  ['another customer', { customer_id: 'cus_of_somebody' }],
  ['another customer, and no value', { customer_id: 'cus_of_somebody', points: undefined }],
  ['another value', { points: 99 }],
  ['another card’s customer and value', { customer_id: 'cus_of_somebody', points: 99 }],
])('a first 200 to a sale that tells of %s is not believed: the books tell', async (_, part) => {
  const whole = { intent: 'earn', amount_minor: null, stamps: null, visits: null, points: 10, card_id: null };
  const told = answerInstead(
    shop,
    earnOf('A'),
    () =>
      said(200, {
        ...whole,
        transaction_id: 'txn_of_somebody',
        status: 'success',
        duplicate: false,
        external_ref: 'A',
        customer_id: null,
        ...part,
      }),
    { times: 1 },
  );
  await earn('A', 'LC-1001');
  await shop.pass(60_000);
  expect(told.count).toBe(1);
  const [held] = await shop.held('A');
  expect(only('A')).toMatchObject({
    state: 'applied',
    serviceTransactionId: held?.transaction_id,
    newBalances: { points: 255.5 },
  });
  expect(only('A').serviceCustomerId).not.toBe('cus_of_somebody');
  expect(await shop.held('A')).toHaveLength(1);
});

test('a poll that is answered with another sale says nothing about this one', async () => {
  await earn('B', 'LC-1001');
  await makeFail('B');
  await shop.pass(10_000);
  const failed = await shop.call('GET', `/v1/transactions/${await heldId('B')}`);
  expect(failed.status).toBe('failed');
  const told = answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), (own) => withFields(own, failed), {
    times: 3,
  });
  await earn('A', 'LC-1001');
  await shop.pass(120_000);
  expect(told.count).toBe(3);
  expect(only('A')).toMatchObject({ state: 'applied', serviceTransactionId: await heldId('A') });
});

test('a sale that is told the id of another till’s with its number and value is applied for its own customer or not at all', async () => {
  await shop.call('POST', '/_sandbox/customers', { cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B' }] });
  const theirs = await shop.call('POST', '/v1/transactions/earn', {
    identifier: { loyalty_id: 'LC-B' },
    external_ref: 'A',
    points: 10,
  });
  await shop.pass(1_000);
  const told = answerInstead(
    shop,
    earnOf('A'),
    () => said(202, { transaction_id: theirs.transaction_id, status: 'pending', duplicate: false }),
    { times: 1 },
  );
  await earn('A', 'LC-1001');
  await shop.pass(1_000);
  await shop.core.readTransactionsByReference('A');
  await shop.pass(60_000);
  expect(told.count).toBe(1);
  expect(only('A')).toMatchObject({
    state: 'refused',
    error: { code: 'DUPLICATE_TRANSACTION', details: ['identifier'] },
    serviceTransactionId: null,
  });
});

test('an applied sale that another till has reversed is shown so by a read that notes another time for it', async () => {
  await earn('A', 'LC-1001');
  await shop.pass(10_000);
  await shop.call('POST', '/v1/transactions/reverse', { external_ref: 'A', intent: 'earn' });
  await shop.pass(10_000);
  expect(only('A').state).toBe('applied');
  const occurred_at = new Date(shop.clock.now() + 1_000).toISOString();
  const data = (await shop.held('A')).map((held) => ({ ...held, occurred_at }));
  answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), (own) => withFields(own, { data }));
  await shop.core.readTransactionsByReference('A');
  expect(only('A').state).toBe('reversed');
});

test('a reversal that a poll has not yet shown as applied is applied by the read that shows it', async () => {
  await earn('A', 'LC-1001');
  await shop.pass(10_000);
  answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), (own) => withFields(own, { status: 'pending' }));
  const undo = {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: 'V',
    reason: null,
    idempotencyKey: null,
  } as const;
  await shop.core.reverse(only('A').rowId, undo);
  await shop.pass(10_000);
  expect(only('V', 'reverse').state).toBe('accepted');
  await shop.core.readTransactionsByReference('V');
  expect(only('V', 'reverse').state).toBe('applied');
  expect(only('A').state).toBe('reversed');
});

test('a sale whose customer cannot be asked for is accepted until it is known whose record it has', async () => {
  const noted = new Date(shop.clock.now() + 60_000).toISOString();
  answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), (own) => withFields(own, { occurred_at: noted }));
  await shop.fault('/customers/identify', { type: 'error', status: 503, code: 'INTERNAL' });
  await earn('A', 'LC-1001');
  await shop.pass(30_000);
  expect(only('A').state).toBe('accepted');
  await shop.mend();
  await shop.pass(120_000);
  expect(only('A')).toMatchObject({ state: 'applied', serviceTransactionId: await heldId('A') });
});

describe('a redemption', () => {
  const redeem = (ref: string, value: object, options = waits) =>
    shop.passUntil(shop.core.perform(shop.redemption(ref, value), options));

  test('is not told as done with the answer of another one', async () => {
    const swapped = swapOnce(shop, redeemOf('A'), redeemOf('B'));
    const [a, b] = await Promise.all([redeem('A', { points: 40 }), redeem('B', { points: 5 })]);
    expect(swapped.isDone).toBe(true);
    expect(a).toMatchObject({ kind: 'done', answer: { external_ref: 'A', points: 40 } });
    expect(b).toMatchObject({ kind: 'done', answer: { external_ref: 'B', points: 5 } });
    expect(only('A', 'redeem').serviceTransactionId).toBe(await heldId('A', 'redeem'));
    expect(await shop.points()).toBe(200.5);
  });

  describe('whose answer names another customer', () => {
    const told = (times?: number) =>
      answerInstead(
        shop,
        redeemOf('A'),
        (own) => withFields(own, { customer_id: 'cus_of_somebody' }),
        times === undefined ? {} : { times },
      );

    test('is told as done by the books, where this till knows the card', async () => {
      const known = await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
      const { customer_id } = known.kind === 'done' ? known.answer : expect.fail();
      const once = told(1);
      expect(await redeem('A', { points: 40 })).toMatchObject({ kind: 'done', answer: { customer_id } });
      expect(once.count).toBe(1);
      expect(only('A', 'redeem').serviceCustomerId).toBe(customer_id);
      expect(await shop.points()).toBe(205.5);
    });

    test('is not told as done by it while nobody can be asked who the customer of a known card is', async () => {
      await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
      await shop.fault('/customers/identify', { type: 'error', status: 503, code: 'INTERNAL' });
      told(1);
      answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), () => ({ kind: 'dropped' }), { times: 3 });
      expect(await redeem('A', { points: 40 }, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
      await shop.mend();
      await shop.pass(120_000);
      expect(only('A', 'redeem').state).toBe('applied');
      expect(await shop.points()).toBe(205.5);
    });

    test('is told as done where the service calls the customer so by now', async () => {
      await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
      told();
      answerInstead(shop, callOf('POST', '/customers/identify'), (own) =>
        withFields(own, { customer_id: 'cus_of_somebody' }),
      );
      expect(await redeem('A', { points: 40 })).toMatchObject({ kind: 'done', answer: { points: 40 } });
    });

    test('keeps nobody waiting where this till does not know the card: reference, values and time agree', async () => {
      const asked = answerInstead(shop, callOf('POST', '/customers/identify'), () => ({ kind: 'dropped' }));
      told(1);
      expect(await redeem('A', { points: 40 })).toMatchObject({ kind: 'done', answer: { points: 40 } });
      expect(asked.count).toBe(0);
    });
  });

  test('that never arrived is not told as done by an older answer', async () => {
    await redeem('B', { points: 5 });
    const [old] = await shop.held('B');
    // The line loses the request and brings an answer from before, each time.
    answerInstead(
      shop,
      redeemOf('A'),
      () => ({ kind: 'response', response: { status: 200, headers: {}, body: JSON.stringify(old) } }),
      { isLost: true },
    );
    expect(await redeem('A', { points: 5 }, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
    await shop.pass(120_000);
    expect(only('A', 'redeem').state).toBe('cancelled');
    expect(await shop.held('A')).toEqual([]);
  });

  test('is not told as done with yesterday’s answer to the same number at another till', async () => {
    await shop.call('POST', '/v1/transactions/redeem', shop.redemption('A', { points: 5 }).body ?? {});
    const headers = { date: new Date(shop.clock.now()).toUTCString() };
    await shop.pass(24 * 3_600_000, 3_600_000);
    const [old] = await shop.held('A');
    answerInstead(shop, redeemOf('A'), () => said(200, { ...old, duplicate: false }, headers), { times: 1 });
    expect(await redeem('A', { points: 5 })).toMatchObject({
      kind: 'refused',
      refusal: { error: { code: 'DUPLICATE_TRANSACTION', details: ['occurred_at'] } },
    });
  });

  test('is not found in a list that is about another reference', async () => {
    await redeem('B', { points: 40 });
    const { data } = { data: await shop.held('B') };
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    const told = answerInstead(
      shop,
      callOf('GET', '/transactions', 'external_ref=A'),
      (own) => withFields(own, { data }),
      { times: 2 },
    );
    expect(await redeem('A', { points: 40 }, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
    await shop.pass(10_000);
    expect(told.count).toBe(2);
    expect(only('A', 'redeem').state).toBe('unknown');
    await shop.pass(180_000);
    expect(only('A', 'redeem').state).toBe('cancelled');
  });
});

describe('a reversal', () => {
  const undo = async (ref: string) => {
    const outcome = await shop.core.reverse(only(ref).rowId, {
      origin: 'till',
      operationId: shop.newId(),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    });
    expect(outcome.kind).toBe('saved');
  };

  test('is applied on its own record when the answers to two were swapped', async () => {
    await earn('A', 'LC-1001');
    await shop.pass(5_000);
    await earn('B', 'LC-1001', { points: 20 });
    await shop.pass(5_000);
    const reversalOf = (ref: string) => callOf('POST', '/transactions/reverse', `"${ref}"`);
    answerInstead(
      shop,
      reversalOf('A'),
      (own) => withFields(own, { transaction_id: 'txn_B', reverses_transaction_id: only('B').serviceTransactionId }),
      { times: 2 },
    );
    await undo('A');
    await shop.pass(120_000);
    expect(only('A').state).toBe('reversed');
    expect(only('B').state).toBe('applied');
    expect(only('reverse-earn-A', 'reverse')).toMatchObject({
      state: 'applied',
      serviceTransactionId: await heldId('reverse-earn-A', 'reverse'),
    });
  });

  test('is found in the books when the service knows its original under another id by now', async () => {
    await earn('A', 'LC-1001');
    await shop.pass(5_000);
    answerInstead(shop, callOf('POST', '/transactions/reverse'), (own) =>
      withFields(own, { reverses_transaction_id: 'txn_new' }),
    );
    await undo('A');
    await shop.pass(60_000);
    expect(only('A').state).toBe('reversed');
  });
});
