import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// The service does what it is asked. The first answer to a write is lost, and those that follow are about something else.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const lookUpOf = (ref: string) => callOf('GET', '/transactions', `external_ref=${ref}`);
const redeem = (ref: string, waitMs: number, value: object = { points: 40 }) =>
  shop.passUntil(shop.core.perform(shop.redemption(ref, value), { waitMs }));

function loseThenRefuse(path: string, ref: string, code = 'CARD_NOT_ELIGIBLE', status = 422): void {
  let isFirst = true;
  answerInstead(
    shop,
    callOf('POST', path, `"${ref}"`),
    () => {
      if (!isFirst) return refusal(code, status);
      isFirst = false;
      return { kind: 'dropped' };
    },
    { times: 2 },
  );
}

const refusal = (code: string, status = 422) =>
  said(status, { error: { code, message: 'm', retryable: false, request_id: `req_of_another_${code}` } });

/** Look-ups that show nothing, though there is something. */
const showNothing = (ref: string, times = 1) =>
  answerInstead(shop, lookUpOf(ref), () => said(200, { data: [] }), { times });

const attention = () => shop.core.needingAttention({ limit: 10 });
const states = (ref: string, intent: OperationIntent) =>
  shop.core.history(shop.operation(ref, intent).rowId).map(({ to }) => to);

test('an earn is not refused because the books once showed nothing', async () => {
  loseThenRefuse('/transactions/earn', 'A');
  const told = showNothing('A');
  await shop.saved('A');
  await shop.pass(60_000);
  expect(told.count).toBe(1);
  expect(shop.operation('A').state).toBe('applied');
  expect(states('A', 'earn')).not.toContain('refused');
});

describe('the reversal of an earn', () => {
  beforeEach(async () => {
    await shop.saved('A');
    await shop.pass(10_000);
    loseThenRefuse('/transactions/reverse', 'A', 'VALIDATION_ERROR', 400);
  });
  const undo = async () => {
    await shop.core.reverse(shop.operation('A').rowId, {
      origin: 'till',
      operationId: shop.newId(),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    });
    await shop.pass(60_000);
  };

  test('is not refused because the books once showed nothing', async () => {
    const told = showNothing('reverse-earn-A');
    await undo();
    expect(told.count).toBe(1);
    expect(shop.operation('A').state).toBe('reversed');
    expect(states('reverse-earn-A', 'reverse')).not.toContain('refused');
  });

  test('shows as reversed what a service has reversed that files reversals under no reference of theirs', async () => {
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 0 });
    showNothing('reverse-earn-A', Number.POSITIVE_INFINITY);
    await undo();
    expect(shop.operation('A').state).toBe('reversed');
    expect(attention()).toEqual([]);
  });
});

describe('a redemption', () => {
  test('is not told as refused because the books once showed nothing', async () => {
    loseThenRefuse('/transactions/redeem', 'A');
    // One look before the same bytes go out again, and one after the refusal.
    const told = showNothing('A', 3);
    expect(await redeem('A', 60_000)).toMatchObject({ kind: 'done' });
    expect(told.count).toBe(3);
    expect(await shop.points()).toBe(205.5);
  });

  test('that nobody waits for is not cancelled because the books showed nothing when they could be read at last', async () => {
    answerInstead(shop, callOf('POST', '/transactions/redeem'), () => ({ kind: 'dropped' }), { times: 1 });
    const unread = answerInstead(shop, lookUpOf('A'), () => ({ kind: 'dropped' }), { times: 4 });
    const told = { count: 0 };
    const before = shop.meddle;
    shop.meddle = (call, carry) => {
      if (unread.count < 4 || told.count > 0 || !lookUpOf('A')(call)) return before(call, carry);
      told.count += 1;
      return Promise.resolve(said(200, { data: [] }));
    };
    expect(await redeem('A', 0)).toMatchObject({ kind: 'unknown' });
    await shop.pass(180_000);
    expect(told.count).toBe(1);
    expect(states('A', 'redeem')).not.toContain('cancelled');
    expect(shop.operation('A', 'redeem').state).toBe('applied');
  });
});

test('a POS program that asks for a reference is not told that there is nothing because one answer showed nothing', async () => {
  await shop.call('POST', '/v1/transactions/redeem', shop.redemption('A', { points: 40 }).body ?? {});
  showNothing('A');
  expect(await shop.passUntil(shop.core.readTransactionsByReference('A'))).toMatchObject({
    kind: 'done',
    answer: { data: [{ external_ref: 'A' }] },
  });
});
