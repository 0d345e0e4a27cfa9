import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// The service does what is asked. Its first answer to the write is another one, and everything after it is right.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const refusal =
  (status: number, code: string, isRetryable = false) =>
  () =>
    said(status, { error: { code, message: 'm', retryable: isRetryable, request_id: `req_of_another_${code}` } });
const failure = { code: 'INTERNAL', message: 'm', retryable: false, request_id: 'r' };

const wrongAnswers: readonly (readonly [string, (own: Outcome | null) => Outcome])[] = [
  ['422', refusal(422, 'INSUFFICIENT_BALANCE')],
  ['404', refusal(404, 'CUSTOMER_NOT_FOUND')],
  ['400', refusal(400, 'VALIDATION_ERROR')],
  ['410', refusal(410, 'RESERVATION_EXPIRED')],
  ['409 for its reference', refusal(409, 'DUPLICATE_TRANSACTION')],
  ['409 for what is reversed', refusal(409, 'ALREADY_REVERSED')],
  ['401', refusal(401, 'UNAUTHENTICATED')],
  ['429', refusal(429, 'RATE_LIMITED', true)],
  ['500', refusal(500, 'INTERNAL', true)],
  ['“failed”', (own) => withFields(own, { status: 'failed', error: failure })],
  ['“reversed”', (own) => withFields(own, { status: 'reversed' })],
  ['another customer’s replay', (own) => withFields(own, { customer_id: 'cus_other', duplicate: true })],
];

/** Asked for, and the answer where somebody waits for one. */
type Ask = () => Promise<{ readonly kind: string } | null>;

const redeem: Ask = () => shop.passUntil(shop.core.perform(shop.redemption('A', { points: 40 }), { waitMs: 0 }));

async function commit() {
  const reserve = shop.redemption('C#1', {}, { intent: 'reserve', path: '/redemptions/reserve' });
  const body = { ...reserve.body, external_ref: 'C', points: 40 };
  await shop.passUntil(shop.core.perform({ ...reserve, body }, { waitMs: 0 }));
  const path = `/redemptions/${shop.operation('C#1', 'reserve').serviceTransactionId}/commit`;
  const write = shop.redemption('A', {}, { intent: 'commit', path, body: { external_ref: 'A' }, identifier: null });
  return () => shop.passUntil(shop.core.perform(write, { waitMs: 0 }));
}

async function reverse(original: 'earn' | 'redeem') {
  await (original === 'earn' ? earn() : redeem());
  await shop.pass(10_000);
  const request = { origin: 'till', operationId: shop.newId(), reversalRef: 'V', reason: null, idempotencyKey: null };
  return async () => {
    const asked = await shop.core.reverse(shop.operation('A', original).rowId, { ...request, origin: 'till' });
    return asked.kind === 'immediate' ? shop.passUntil(shop.core.perform(asked.write, { waitMs: 0 })) : null;
  };
}

const earn: Ask = async () => {
  await shop.saved('A');
  return null;
};

const writes: readonly (readonly [string, RegExp, OperationIntent, string, () => Ask | Promise<Ask>])[] = [
  ['an earn', /earn$/, 'earn', 'A', () => earn],
  ['a redemption', /redeem$/, 'redeem', 'A', () => redeem],
  ['a commit', /commit$/, 'commit', 'A', commit],
  ['the reversal of an earn', /reverse$/, 'reverse', 'V', () => reverse('earn')],
  ['the reversal of a redemption', /reverse$/, 'reverse', 'V', () => reverse('redeem')],
];

describe.each(writes)('%s', (_, path, intent, ref, prepare) => {
  test.each(wrongAnswers)(
    'that is answered with %s is never told, nor shown, as what was not done',
    async (_, answer) => {
      const ask = await prepare();
      const told = answerInstead(shop, callOf('POST', path), answer, { times: 1 });
      const outcome = await ask();
      expect(['done', 'unknown']).toContain(outcome?.kind ?? 'unknown');
      await shop.pass(60_000, 1_000);
      expect(told.count).toBe(1);
      const { rowId, state } = shop.operation(ref, intent);
      expect(state).toBe('applied');
      const shown = shop.core.history(rowId).map(({ to }) => to);
      for (const untrue of ['refused', 'failed', 'cancelled', 'reversed']) expect(shown).not.toContain(untrue);
    },
  );
});
