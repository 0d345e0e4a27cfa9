import { beforeEach, describe, expect, test } from 'vitest';
import type { ImmediateOutcome } from '../../app/operations/immediate/immediate-outcome.ts';
import {
  attention,
  bytesOf,
  decider,
  minuteMs,
  only,
  openLateShop,
  pointsAtFirst,
  shop,
} from '../support/late-shop.ts';
import { callOf, holdCalls } from '../support/meddling.ts';

openLateShop();

/** A POS program, which has read that its redemption was made, asks for its reversal once, and does not wait. */
async function reverse(): Promise<{ readonly outcome: Promise<ImmediateOutcome> }> {
  const decided = await shop.core.reverse(only('T-1').rowId, {
    origin: 'bridge',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  });
  if (decided.kind !== 'immediate') throw new Error(decided.kind);
  return { outcome: shop.core.perform(decided.write, { waitMs: 0 }) };
}
const reversalState = () => only('reverse-redeem-T-1').state;
const takeBack = () => shop.core.takeBack(only('T-1').operationId, decider);

async function expectTakenBack(): Promise<void> {
  await shop.pass(10 * minuteMs, 1_000);
  expect([only('T-1').state, reversalState()]).toEqual(['reversed', 'applied']);
  expect(await shop.points()).toBe(pointsAtFirst);
  expect(attention()).toEqual([]);
}

test('“Take full payment” takes a redemption back also where its reversal was passed on before, and got lost', async () => {
  const body = { external_ref: 'T-1', intent: 'redeem', reversal_ref: 'reverse-redeem-T-1' };
  const passedOn = { intent: 'reverse', path: '/transactions/reverse', body, origin: 'bridge' } as const;
  const write = shop.redemption(body.reversal_ref, {}, passedOn);
  await shop.fault('/transactions/reverse', { type: 'drop_request' });
  expect(await shop.passUntil(shop.core.perform(write, { waitMs: 0 }))).toMatchObject({ kind: 'unknown' });
  await shop.fault('/transactions/redeem', { type: 'drop_response' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const redemption = shop.redemption('T-1', { points: 40 });
  expect(await shop.passUntil(shop.core.perform(redemption, { waitMs: 0 }))).toMatchObject({ kind: 'unknown' });
  expect(await shop.core.decide(redemption.operationId, 'take_full_payment')).toMatchObject({ kind: 'decided' });
  await shop.mend();
  await expectTakenBack();
});

describe('“Take back” of a redemption that was found later, while its POS program reverses it', () => {
  beforeEach(async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 0 }));
    const late = bytesOf(only('T-1'));
    await shop.mend();
    await shop.pass(2 * minuteMs);
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(only('T-1')).toMatchObject({ state: 'applied', found: 'stands' });
    await shop.fault('/transactions/reverse', { type: 'drop_request' });
  });

  test('and that got lost: it is taken back', async () => {
    const { outcome } = await reverse();
    expect(await shop.passUntil(outcome)).toMatchObject({ kind: 'unknown' });
    expect(await takeBack()).toMatchObject({ kind: 'done' });
    expect(attention()).toEqual([]);
    await shop.mend();
    await expectTakenBack();
  });

  test('and that gets lost then: it is taken back', async () => {
    const call = holdCalls(shop, callOf('POST', '/transactions/reverse'), { times: 1 });
    const { outcome } = await reverse();
    await call.begun();
    expect(reversalState()).toBe('sending');
    expect(await takeBack()).toMatchObject({ kind: 'done' });
    call.end();
    expect(await shop.passUntil(outcome)).toMatchObject({ kind: 'unknown' });
    await shop.mend();
    await expectTakenBack();
  });

  test.each([
    // Not told as not sent: it goes out a moment later.
    ['is proven not sent', { type: 'error', status: 429, code: 'RATE_LIMITED' }, 'unknown'],
    ['finds no line', { type: 'offline' }, 'unknown'],
    ['is refused once', { type: 'error', status: 422, code: 'VALIDATION_ERROR' }, 'refused'],
  ])('and that %s then: nobody has to press again, or somebody is told', async (_, effect, kind) => {
    await shop.mend();
    await shop.fault('/transactions/reverse', effect, 1);
    const call = holdCalls(shop, callOf('POST', '/transactions/reverse'), { times: 1 });
    const { outcome } = await reverse();
    await call.begun();
    expect(await takeBack()).toMatchObject({ kind: 'done' });
    call.end();
    expect(await shop.passUntil(outcome)).toMatchObject({ kind });
    if (kind === 'unknown') return expectTakenBack();
    await shop.pass(10 * minuteMs, 1_000);
    expect(attention()).toMatchObject([{ externalRef: 'reverse-redeem-T-1', state: 'refused' }]);
    expect(await shop.core.resend(only('reverse-redeem-T-1').operationId, decider)).toMatchObject({ kind: 'done' });
    await expectTakenBack();
  });

  test('and that is just looked up, and not there: it is taken back', async () => {
    const { outcome } = await reverse();
    await shop.passUntil(outcome);
    await shop.mend();
    await shop.pass(31_000);
    const look = holdCalls(shop, callOf('GET', '/transactions', 'T-1'));
    await look.begun();
    // The service asks to wait, so that nothing is sent for now.
    await shop.fault('/transactions/earn', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 60 }, 1);
    await shop.saved('S-1', { identifier: { loyalty_id: 'LC-1002' }, amount_minor: 1_000 });
    await shop.pass(1_000);
    expect(await takeBack()).toMatchObject({ kind: 'done' });
    look.end();
    await shop.pass(2_000);
    expect(reversalState()).toBe('unknown');
    await expectTakenBack();
  });
});
