import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Whose customer an answer names has to be asked for, and the question stays without an answer.

const identifyCall = callOf('POST', '/customers/identify');
const redeemCall = callOf('POST', '/transactions/redeem');
const mostPatienceMs = 5_500;

let shop: CounterShop;
let mayIdentify: PromiseWithResolvers<void>;
beforeEach(async () => {
  shop = await openShop();
  await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
  mayIdentify = Promise.withResolvers<void>();
  onTestFinished(() => mayIdentify.resolve());
});

function silenceIdentify(): void {
  const before = shop.meddle;
  shop.meddle = async (call, carry) => {
    if (identifyCall(call)) await mayIdentify.promise;
    return before(call, carry);
  };
}

describe('a redemption whose answer names another customer than this till knows', () => {
  beforeEach(() => {
    silenceIdentify();
    answerInstead(shop, redeemCall, (own) => withFields(own, { customer_id: 'cus_of_somebody' }), { times: 1 });
  });

  test('is told as being checked after five seconds, and then as done by the books', async () => {
    const outcome = shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 120_000 });
    await shop.pass(mostPatienceMs);
    expect(['unknown', 'applied']).toContain(shop.operation('A', 'redeem').state);
    expect(await shop.passUntil(outcome, 20_000)).toMatchObject({ kind: 'done', answer: { points: 40 } });
    expect(await shop.points()).toBe(205.5);
    mayIdentify.resolve();
  });

  test('answers a caller who waits for nothing more after five seconds', async () => {
    answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), () => ({ kind: 'dropped' }), { times: 3 });
    const outcome = shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 0 });
    expect(await shop.passUntil(outcome, mostPatienceMs)).toMatchObject({ kind: 'unknown' });
    mayIdentify.resolve();
    await shop.pass(120_000);
    expect(shop.operation('A', 'redeem').state).toBe('applied');
  });
});

test('a hold is told as made after five seconds: the silence says nothing against it', async () => {
  const identifier = { loyalty_id: 'LC-1002' };
  silenceIdentify();
  const hold = shop.redemption(
    'CART-1',
    {},
    {
      intent: 'reserve',
      path: '/redemptions/reserve',
      body: { identifier, external_ref: 'CART-1', amount_minor: 10 },
      identifier,
    },
  );
  const outcome = await shop.passUntil(shop.core.perform(hold, { waitMs: 0 }), mostPatienceMs);
  expect(outcome.kind).toBe('done');
  mayIdentify.resolve();
});

describe('a redemption while the dates of the answers are three hours off, whose time only the customer tells', () => {
  const offByMs = 3 * 3_600_000;
  let asked: ReturnType<CounterShop['redemption']>;
  beforeEach(async () => {
    asked = shop.redemption('A', { points: 40 });
    shop.meddle = async (call, carry) => {
      const outcome = await carry(call);
      if (outcome.kind !== 'response') return outcome;
      const date = new Date(shop.clock.now() + offByMs).toUTCString();
      return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
    };
    await shop.pass(120_000, 1_000);
  });

  test('is told as being checked after five seconds where its answer is a replay', async () => {
    await shop.call('POST', '/v1/transactions/redeem', asked.body ?? {});
    silenceIdentify();
    const outcome = shop.core.perform(asked, { waitMs: 0 });
    expect(await shop.passUntil(outcome, mostPatienceMs)).toMatchObject({ kind: 'unknown' });
  });

  test('is told as being checked after five seconds where its answer was lost', async () => {
    silenceIdentify();
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.passUntil(shop.core.perform(asked, { waitMs: 0 }), 60_000);
    const outcome = shop.core.perform(asked, { waitMs: 0 });
    expect(await shop.passUntil(outcome, mostPatienceMs)).toMatchObject({ kind: 'unknown' });
  });
});
