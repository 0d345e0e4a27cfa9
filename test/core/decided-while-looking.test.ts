import { beforeEach, describe, expect, test } from 'vitest';
import type { ImmediateOutcome } from '../../app/operations/immediate/immediate-outcome.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, holdCalls, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const stateOf = (ref: string) => shop.core.operationsByReference(ref)[0]?.state;

/** While nothing can be looked up. @returns the id of its press */
async function lost(type: 'drop_request' | 'drop_response'): Promise<string> {
  await shop.fault('/transactions/redeem', { type });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const write = shop.redemption('R-1', { points: 40 });
  expect(await shop.passUntil(shop.core.perform(write, { waitMs: 0 }))).toMatchObject({ kind: 'unknown' });
  return write.operationId;
}

const isLook = callOf('GET', '/transactions', 'R-1');
const holdLooks = () => holdCalls(shop, isLook);

describe('what a cashier decides about a redemption while it is looked up', () => {
  test('to give it: it is sent, though the books do not show it', async () => {
    const id = await lost('drop_request');
    await shop.pass(30_000);
    const looks = holdLooks();
    await shop.mend();
    await looks.begun();
    expect(await shop.core.decide(id, 'give_it')).toMatchObject({ kind: 'decided' });
    looks.end();
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('applied');
    expect(await shop.points()).toBe(205.5);
  });

  test('to give it, before its first send has proven to be none: it is sent again', async () => {
    await shop.fault('/transactions/redeem', { type: 'error', status: 429, code: 'RATE_LIMITED' }, 1);
    const write = shop.redemption('R-1', { points: 40 });
    const looks = holdLooks();
    const asking = shop.core.perform(write, { waitMs: 20_000 });
    await looks.begun();
    expect(await shop.core.decide(write.operationId, 'give_it')).toMatchObject({ kind: 'decided' });
    looks.end();
    await shop.passUntil(asking);
    await shop.pass(180_000);
    expect(stateOf('R-1')).toBe('applied');
    expect(await shop.points()).toBe(205.5);
  });

  test('to take the full payment: a POS program that asks again meanwhile is not told that it is done', async () => {
    const id = await lost('drop_response');
    const looks = holdLooks();
    await shop.mend();
    const again = shop.core.perform(shop.redemption('R-1', { points: 40 }, { origin: 'bridge' }), { waitMs: 0 });
    await looks.begun();
    expect(await shop.core.decide(id, 'take_full_payment')).toMatchObject({ kind: 'decided' });
    looks.end();
    const outcome: ImmediateOutcome = await shop.passUntil(again);
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { error: { details: ['paid_in_full'] } } });
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });
});

describe('full payment that is chosen while a redemption is sent', () => {
  async function decidedWhileSent(origin: 'bridge' | 'till'): Promise<ImmediateOutcome> {
    const send = holdCalls(shop, callOf('POST', '/transactions/redeem'), { times: 1 });
    const write = shop.redemption('R-1', { points: 40 }, { origin });
    const first = shop.core.perform(write, { waitMs: 0 });
    await send.begun();
    expect(await shop.core.decide(write.operationId, 'take_full_payment')).toMatchObject({ kind: 'decided' });
    send.end();
    const outcome = await shop.passUntil(first);
    await shop.pass(120_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
    return outcome;
  }

  test('is told to its POS program, which is not told that it is done', async () => {
    expect(await decidedWhileSent('bridge')).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 409, error: { details: ['paid_in_full'] } },
    });
  });

  test('is told to the screen with the redemption, which can be seen there', async () => {
    expect(await decidedWhileSent('till')).toMatchObject({
      kind: 'done',
      operation: { decision: 'take_full_payment' },
    });
  });
});

test.each([
  ['take_full_payment', 'give_it', 'cancelled'],
  ['give_it', 'take_full_payment', 'applied'],
] as const)('of two decisions the first one counts: %s before %s', async (first, second, state) => {
  const id = await lost('drop_request');
  expect(await shop.core.decide(id, first)).toMatchObject({ kind: 'decided' });
  expect(await shop.core.decide(id, second)).toMatchObject({ kind: 'decided', operation: { decision: first } });
  await shop.mend();
  await shop.pass(120_000);
  expect(stateOf('R-1')).toBe(state);
});

test('a redemption that was paid in full, and that the service has recorded as failed, waits for nobody', async () => {
  const id = await lost('drop_response');
  expect(await shop.core.decide(id, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await shop.mend();
  const [held] = await shop.held('R-1');
  const error = { code: 'INTERNAL', message: 'failed', retryable: false, request_id: 'req_1' };
  const failed = { ...held, status: 'failed', new_balances: null, error };
  answerInstead(shop, isLook, () => said(200, { data: [failed] }));
  await shop.pass(120_000);
  expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', maybeSent: true });
  expect(shop.core.needingAttention({ limit: 10 })).toEqual([]);
});

test('a redemption that was paid in full is taken back, too, when the service is found to work on it still', async () => {
  const id = await lost('drop_response');
  expect(await shop.core.decide(id, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await shop.mend();
  const [held] = await shop.held('R-1');
  const { meddle } = shop;
  const onItsWay = { ...held, status: 'processing', new_balances: null, completed_at: null };
  answerInstead(shop, callOf('GET', '/transactions', 'R-1'), () => said(200, { data: [onItsWay] }));
  while (stateOf('R-1') === 'unknown') await shop.pass(1_000);
  expect(stateOf('R-1')).toBe('accepted');
  shop.meddle = meddle;
  await shop.pass(300_000, 5_000);
  expect(stateOf('R-1')).toBe('reversed');
  expect(await shop.points()).toBe(245.5);
});

test('a manager writes nothing off by a look that is older than its last send', async () => {
  const id = await lost('drop_request');
  await shop.mend();
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  const look = holdCalls(shop, isLook, { times: 1 });
  const deciding = shop.core.writeOff(id, { person: 'Huda', reason: 'asked by the customer' });
  await look.begun();
  const again = shop.core.perform(shop.redemption('R-1', { points: 40 }, { origin: 'bridge' }), { waitMs: 0 });
  expect(await shop.passUntil(again)).toMatchObject({ kind: 'unknown' });
  look.end();
  expect(await shop.passUntil(deciding)).toMatchObject({ kind: 'books_unread' });
  expect(stateOf('R-1')).toBe('unknown');
});
