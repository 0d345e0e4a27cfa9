import { beforeEach, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, swapOnce } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// A refusal names nothing of what it refuses: it may be the answer to another call.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const redeemOf = (ref: string) => callOf('POST', '/transactions/redeem', `"${ref}"`);
const redeem = (ref: string, value: object) =>
  shop.passUntil(shop.core.perform(shop.redemption(ref, value), { waitMs: 20_000 }));

test('a redemption is not told as refused with the refusal of another one', async () => {
  const swapped = swapOnce(shop, redeemOf('A'), redeemOf('B'));
  const [a, b] = await Promise.all([redeem('A', { points: 40 }), redeem('B', { points: 9_000 })]);
  expect(swapped.isDone).toBe(true);
  expect(a).toMatchObject({ kind: 'done', answer: { external_ref: 'A', points: 40 } });
  expect(b).toMatchObject({ kind: 'refused', refusal: { error: { code: 'INSUFFICIENT_BALANCE' } } });
});

test('an earn neither', async () => {
  const told = answerInstead(
    shop,
    callOf('POST', '/transactions/earn', '"A"'),
    () => said(422, { error: { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'req_b' } }),
    { times: 1 },
  );
  await shop.saved('A');
  await shop.pass(20_000);
  expect(told.count).toBe(1);
  expect(shop.operation('A').state).toBe('applied');
  expect(shop.core.history(shop.operation('A').rowId).map(({ to }) => to)).not.toContain('refused');
});

test('a commit is not told as refused with the conflict of another one', async () => {
  const reserve = shop.redemption('C#1', {}, { intent: 'reserve', path: '/redemptions/reserve' });
  const body = { ...reserve.body, external_ref: 'C', points: 40 };
  await shop.passUntil(shop.core.perform({ ...reserve, body }, { waitMs: 0 }));
  const path = `/redemptions/${shop.operation('C#1', 'reserve').serviceTransactionId}/commit`;
  const conflict = { code: 'DUPLICATE_TRANSACTION', message: 'm', retryable: false, request_id: 'req_b' };
  const told = answerInstead(shop, callOf('POST', path), () => said(409, { error: conflict }), { times: 1 });
  const commit = shop.redemption('O', {}, { intent: 'commit', path, body: { external_ref: 'O' }, identifier: null });
  expect(await shop.passUntil(shop.core.perform(commit, { waitMs: 20_000 }))).toMatchObject({ kind: 'done' });
  expect(told.count).toBe(1);
});

test('an honest refusal is told at once, also where the books cannot be read', async () => {
  const unread = answerInstead(shop, callOf('GET', '/transactions', 'external_ref=A'), () => ({ kind: 'dropped' }));
  expect(await redeem('A', { points: 9_000 })).toMatchObject({
    kind: 'refused',
    refusal: { error: { code: 'INSUFFICIENT_BALANCE' } },
  });
  expect(unread.count).toBe(1);
});
