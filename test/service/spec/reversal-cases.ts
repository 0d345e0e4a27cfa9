import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCard } from '../../support/service-customers.ts';
import type { Answer, CallOptions, TestFace } from '../../support/service-faces.ts';
import { accepted, makeOriginal, type Original, undoings } from './reversible.ts';
import {
  balances,
  expectNothingRecorded,
  expectRefusal,
  type Fields,
  instantAfter,
  openTill,
  type Till,
} from './till.ts';

/** One of the two ways to reverse. */
export type Reverse = (till: Till, original: Original, fields?: Fields, options?: CallOptions) => Promise<Answer>;

const pointsCard = { template_id: 'tpl_reward', balances: { points: 100 } };
const alreadyReversed = { status: 409, code: 'ALREADY_REVERSED' };
const neverSucceeded = { status: 400, code: 'VALIDATION_ERROR' };
const partial = { status: 400, code: 'VALIDATION_ERROR' };
const oneShot = { status: 422, code: 'VALIDATION_ERROR', details: ['transaction_not_reversible'] };

/** "Answers are identical to POST /transactions/reverse": what holds for both calls. */
export function describeReversal(reverse: Reverse, faceNow: () => TestFace): void {
  let face: TestFace;
  beforeEach(() => {
    face = faceNow();
  });

  describe('202 ReversalAccepted', () => {
    test.each(undoings)('$row | the balance is exactly what it was', async ({ card, intent, sends, between }) => {
      const till = await openTill(face, [card]);
      const before = await till.balances();
      const original = await makeOriginal(till, { externalRef: 'R-1', intent, sends });
      expect(await till.balances()).toEqual(between);
      const answer = await reverse(till, original);
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual(accepted(original, false));
      expect(await till.balances()).toEqual(between);
      await face.advance(1000);
      expect(await till.balances()).toEqual(before);
      expect((await till.read(original.transactionId)).status).toBe('reversed');
      expect(await till.read(answer.body.transaction_id)).toMatchObject({ status: 'success', new_balances: before });
    });

    test('gap: Transactions | a reversal runs as an earn does: pending, processing, success', async () => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      const { transaction_id: id } = (await reverse(till, original)).body;
      const seen = [];
      for (const stepMs of [0, 500, 450, 49, 1]) {
        await face.advance(stepMs);
        const [reversal, undone] = [await till.read(id), await till.read(original.transactionId)];
        seen.push([reversal.status, undone.status, (await till.balances()).points]);
      }
      expect(seen).toEqual([
        ['pending', 'success', 60],
        ['pending', 'success', 60],
        ['processing', 'success', 60],
        ['processing', 'success', 60],
        ['success', 'reversed', 100],
      ]);
    });

    test('the reversal is a Transaction of intent reverse; the original keeps its own record', async () => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { points: 25 } });
      const originalRead = await till.read(original.transactionId);
      const { transaction_id: id } = (await reverse(till, original, { reason: 'returned goods' })).body;
      const pending = {
        transaction_id: id,
        intent: 'reverse',
        status: 'pending',
        external_ref: 'R-1',
        customer_id: till.customer.customer_id,
        card_id: till.cardId(),
        amount_minor: null,
        currency: null,
        points: null,
        stamps: null,
        visits: null,
        new_balances: null,
        error: null,
        occurred_at: instantAfter(1000),
        completed_at: null,
      };
      expect(await till.read(id)).toEqual(pending);
      await face.advance(1000);
      expect(await till.read(id)).toEqual({
        ...pending,
        status: 'success',
        new_balances: balances({ points: 100, rewards_available: 1 }),
        completed_at: instantAfter(2000),
      });
      expect(await till.read(original.transactionId)).toEqual({ ...originalRead, status: 'reversed' });
    });

    test("gap: Transactions | a reversal's external_ref is its reversal_ref", async () => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 25 } });
      const answer = await reverse(till, original, { reversal_ref: 'V-1' });
      expect((await till.read(answer.body.transaction_id)).external_ref).toBe('V-1');
    });

    test('a redemption made by a commit is reversed like any other; its reservation stays committed', async () => {
      const till = await openTill(face, [pointsCard]);
      const reservationId = await till.reserved('CART-1', { points: 40 });
      const { transaction_id: transactionId } = (await till.commit(reservationId, 'ORDER-1')).body;
      expect((await reverse(till, { transactionId, externalRef: 'ORDER-1', intent: 'redeem' })).status).toBe(202);
      await face.advance(1000);
      expect((await till.balances()).points).toBe(100);
      const again = await till.commit(reservationId, 'ORDER-1');
      expect(again.body).toMatchObject({ transaction_id: transactionId, status: 'reversed', duplicate: true });
      expect((await till.reserve('CART-1', { points: 40 })).body).toMatchObject({
        state: 'committed',
        duplicate: true,
      });
    });

    test('a suspended card takes its reversals: what was sold is given back', async () => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      await face.control('POST', `/cards/${till.cardId()}/suspend`);
      expect((await reverse(till, original)).status).toBe(202);
      await face.advance(1000);
      expect((await till.balances()).points).toBe(100);
    });
  });

  describe('gap: Transactions | "exactly the deltas that the original made when it was applied"', () => {
    test('gap: Cards, templates, mechanics | a stamp card keeps one count: its own stamps are taken, and the tens of the rest are rewards', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_stamp', balances: { stamps: 7 } }]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { stamps: 5 } });
      await till.earned('R-2', { stamps: 4 });
      expect(await till.balances()).toEqual(balances({ stamps: 6, rewards_available: 1 }));
      await reverse(till, original);
      await face.advance(1000);
      expect(await till.balances()).toEqual(balances({ stamps: 1, rewards_available: 1 }));
    });

    test('a stamp card below zero gives no reward until the count is ten again', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_stamp', balances: { stamps: 7 } }]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { stamps: 5 } });
      expect((await till.redeem('R-2', { reward: true })).body.new_balances).toEqual(
        balances({ stamps: 2, rewards_available: 0 }),
      );
      const reversal = (await reverse(till, original)).body.transaction_id;
      await face.advance(1000);
      expect((await till.read(reversal)).new_balances).toEqual(balances({ stamps: -3, rewards_available: 0 }));
      await till.earned('R-3', { stamps: 12 });
      expect(await till.balances()).toEqual(balances({ stamps: 9, rewards_available: 0 }));
      await till.earned('R-4', { stamps: 1 });
      expect(await till.balances()).toEqual(balances({ stamps: 0, rewards_available: 1 }));
    });

    test('an earn that was applied before another one is undone without touching that one', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_cashback' }]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { amount_minor: 39 } });
      await till.earned('R-2', { amount_minor: 39 });
      await reverse(till, original);
      await face.advance(1000);
      expect((await till.balances()).cashback_minor).toBe(1);
    });

    test('an earn that gave nothing (5 % of 19, rounded down) takes nothing', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_cashback', balances: { cashback_minor: 3 } }]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: { amount_minor: 19 } });
      await reverse(till, original);
      await face.advance(1000);
      expect((await till.balances()).cashback_minor).toBe(3);
    });
  });

  describe('gap: Transactions | "may take a balance below zero": allowed, and shown negative', () => {
    test.each([
      ['points', 'tpl_reward', { points: 30 }, { points: 25 }, balances({ points: -25, rewards_available: 0 })],
      [
        'cashback_minor',
        'tpl_cashback',
        { amount_minor: 1000 },
        { amount_minor: 50 },
        balances({ cashback_minor: -50, currency: 'KWD' }),
      ],
      ['visits', 'tpl_membership', { visits: 3 }, { visits: 2 }, balances({ visits: -2 })],
      ['stamps', 'tpl_stamp', { stamps: 9 }, { stamps: 4 }, balances({ stamps: -4, rewards_available: 0 })],
      ['rewards', 'tpl_stamp', { stamps: 10 }, { reward: true }, balances({ stamps: -10, rewards_available: 0 })],
    ])('%s', async (_, template, earns, spends, after) => {
      const till = await openTill(face, [{ template_id: template }]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'earn', sends: earns });
      await makeOriginal(till, { externalRef: 'R-2', intent: 'redeem', sends: spends });
      expect((await reverse(till, original)).status).toBe(202);
      await face.advance(1000);
      expect(await till.balances()).toEqual(after);
      // Nothing to spend, so nothing that spends is offered.
      expect((await till.operations()).filter((operation) => operation.startsWith('redeem_'))).toEqual([]);
    });
  });

  describe('200 ReversalAccepted (replay)', () => {
    test.each([{}, { reversal_ref: 'V-1' }])(
      'while pending, and after: status pending, duplicate true (%o)',
      async (fields) => {
        const till = await openTill(face, [pointsCard]);
        const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
        const first = await reverse(till, original, fields);
        for (const stepMs of [0, 900, 100, 86_400_000]) {
          await face.advance(stepMs);
          const again = await reverse(till, original, fields);
          expect(again.status).toBe(200);
          expect(again.body).toEqual({ ...first.body, duplicate: true });
        }
        expect((await till.balances()).points).toBe(100);
        expect(await till.history()).toHaveLength(2);
      },
    );

    test('gap: Transactions | "even if its body differs", also by a partial value', async () => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      const first = await reverse(till, original, { reason: 'returned goods' });
      const again = await reverse(till, original, { points: 1, reason: 'another' });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, duplicate: true });
      const { data } = (await face.control('GET', '/requests?limit=1')).body;
      expect(data).toMatchObject([{ duplicate: true, payload_differs: true }]);
    });
  });

  describe('400 | the original never succeeded', () => {
    test('it is pending, and it is processing', async () => {
      const till = await openTill(face, [pointsCard]);
      const { transaction_id: transactionId } = (await till.earn('R-1', { points: 5 })).body;
      const original: Original = { transactionId, externalRef: 'R-1', intent: 'earn' };
      await expectNothingRecorded(face, till, () => reverse(till, original), neverSucceeded);
      await face.advance(900);
      expect((await till.read(transactionId)).status).toBe('processing');
      await expectNothingRecorded(face, till, () => reverse(till, original), neverSucceeded);
      await face.advance(100);
      expect((await reverse(till, original)).body).toEqual(accepted(original, false));
    });

    test('it has failed', async () => {
      const till = await openTill(face, [pointsCard]);
      const { transaction_id: transactionId } = (await till.earn('R-1', { points: 5 })).body;
      await face.control('POST', `/transactions/${transactionId}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
      await face.advance(1000);
      const original: Original = { transactionId, externalRef: 'R-1', intent: 'earn' };
      await expectNothingRecorded(face, till, () => reverse(till, original), neverSucceeded);
    });
  });

  describe('400 | "partial reversals are unsupported: supplying a partial value yields 400"', () => {
    test.each<[string, 'earn' | 'redeem', Fields, Fields]>([
      ['fewer points', 'redeem', { points: 40 }, { points: 39.999 }],
      ['more points', 'redeem', { points: 40 }, { points: 41 }],
      ['a thousandth of a point fewer', 'redeem', { points: 40.125 }, { points: 40.124 }],
      ['a smaller amount', 'earn', { amount_minor: 5000 }, { amount_minor: 4999 }],
      ['a larger amount', 'earn', { amount_minor: 5000 }, { amount_minor: 5001 }],
      ['a value in another unit: what was given', 'earn', { amount_minor: 5000 }, { points: 5 }],
      ['a value in another unit', 'redeem', { points: 40 }, { amount_minor: 40 }],
      ['one of two right', 'earn', { points: 5, amount_minor: 5000 }, { points: 5, amount_minor: 1 }],
    ])('%s', async (_, intent, sends, fields) => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent, sends });
      await expectNothingRecorded(face, till, () => reverse(till, original, fields), partial);
      expect((await reverse(till, original)).status).toBe(202);
    });

    test.each<[string, 'earn' | 'redeem', Fields, Fields]>([
      ['points', 'redeem', { points: 40.125 }, { points: 40.125 }],
      ['amount_minor', 'earn', { amount_minor: 5000 }, { amount_minor: 5000 }],
      ['both', 'earn', { points: 5, amount_minor: 5000 }, { points: 5, amount_minor: 5000 }],
    ])('gap: Transactions | a full value equal to the original’s is accepted: %s', async (_, intent, sends, fields) => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent, sends });
      expect((await reverse(till, original, fields)).status).toBe(202);
      await face.advance(1000);
      expect((await till.balances()).points).toBe(100);
    });
  });

  describe('400 | malformed request', () => {
    test.each<[string, Fields, RegExp]>([
      ['reversal_ref | string', { reversal_ref: 5 }, /^reversal_ref: /],
      ['reversal_ref | 1 to 255 characters', { reversal_ref: '' }, /^reversal_ref: /],
      ['reversal_ref | 1 to 255 characters', { reversal_ref: 'v'.repeat(256) }, /^reversal_ref: /],
      ['amount_minor | integer', { amount_minor: 1.5 }, /^amount_minor: /],
      ['amount_minor | positive', { amount_minor: 0 }, /^amount_minor: /],
      ['points | number', { points: '40' }, /^points: /],
      ['points | positive', { points: -40 }, /^points: /],
      ['reason | string', { reason: 17 }, /^reason: /],
    ])('%s', async (_, fields, message) => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      const expected = { status: 400, code: 'VALIDATION_ERROR', message };
      await expectNothingRecorded(face, till, () => reverse(till, original, fields), expected);
    });
  });

  describe('409 | transaction already reversed | ALREADY_REVERSED', () => {
    test.each<[string, Fields, Fields]>([
      ['another reversal_ref', { reversal_ref: 'V-1' }, { reversal_ref: 'V-2' }],
      ['a reversal_ref after none', {}, { reversal_ref: 'V-2' }],
      ['none after a reversal_ref', { reversal_ref: 'V-1' }, {}],
    ])('under another key (%s): while it is pending, and after', async (_, first, second) => {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      expect((await reverse(till, original, first)).status).toBe(202);
      await expectNothingRecorded(face, till, () => reverse(till, original, second), alreadyReversed);
      await face.advance(1000);
      await expectNothingRecorded(face, till, () => reverse(till, original, second), alreadyReversed);
      expect((await till.balances()).points).toBe(100);
    });
  });

  test('gap: Transactions | a reversal_ref already used for another original is 409 DUPLICATE_TRANSACTION', async () => {
    const till = await openTill(face, [pointsCard]);
    const one = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
    const other = await makeOriginal(till, { externalRef: 'R-2', intent: 'redeem', sends: { points: 10 } });
    await reverse(till, one, { reversal_ref: 'V-1' });
    await face.advance(1000);
    const act = () => reverse(till, other, { reversal_ref: 'V-1' });
    await expectNothingRecorded(face, till, act, { status: 409, code: 'DUPLICATE_TRANSACTION' });
    expect((await reverse(till, other, { reversal_ref: 'V-2' })).status).toBe(202);
  });

  test('a reversal_ref may look like the reference of a sale', async () => {
    const till = await openTill(face, [pointsCard]);
    const one = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
    const other = await makeOriginal(till, { externalRef: 'R-2', intent: 'redeem', sends: { points: 10 } });
    expect((await reverse(till, one, { reversal_ref: 'R-2' })).body).toEqual(accepted(one, false));
    expect((await reverse(till, other)).body).toEqual(accepted(other, false));
    await face.advance(1000);
    expect((await till.balances()).points).toBe(100);
  });

  describe('422 | "a claimed reward or redeemed coupon is a one-shot entitlement"', () => {
    test.each<[string, TestCard, Fields]>([
      ['a redeemed coupon', { template_id: 'tpl_coupon' }, { coupon_code: 'card' }],
      ['a reward of a stamp card', { template_id: 'tpl_stamp', balances: { rewards_available: 1 } }, { reward: true }],
      ['a reward of a reward card', pointsCard, { reward: true, reward_id: 'rwd_coffee' }],
    ])('%s', async (_, card, fields) => {
      const till = await openTill(face, [card]);
      const sends = fields.coupon_code === undefined ? fields : { coupon_code: till.cardId() };
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends });
      await expectNothingRecorded(face, till, () => reverse(till, original), oneShot);
      await expectNothingRecorded(face, till, () => reverse(till, original, { reversal_ref: 'V-1' }), oneShot);
    });
  });

  describe('a reversal that fails', () => {
    async function failedReversal() {
      const till = await openTill(face, [pointsCard]);
      const original = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
      const { transaction_id: id } = (await reverse(till, original, { reversal_ref: 'V-1' })).body;
      await face.control('POST', `/transactions/${id}/fail`, { code: 'INTERNAL', message: 'No.' });
      await face.advance(1000);
      return { till, original, id };
    }

    test('leaves the balance and the original as they were; its record says why', async () => {
      const { till, original, id } = await failedReversal();
      expect(await till.read(id)).toMatchObject({
        status: 'failed',
        new_balances: null,
        error: { code: 'INTERNAL', message: 'No.', retryable: true },
        completed_at: instantAfter(1000),
      });
      expect((await till.read(original.transactionId)).status).toBe('success');
      expect((await till.balances()).points).toBe(60);
    });

    test('is replayed under its own key, and the original is reversible under another', async () => {
      const { till, original, id } = await failedReversal();
      const replay = await reverse(till, original, { reversal_ref: 'V-1' });
      expect(replay.status).toBe(200);
      expect(replay.body).toEqual({ ...accepted(original, true), transaction_id: id });
      const second = await reverse(till, original, { reversal_ref: 'V-2' });
      expect(second.status).toBe(202);
      await face.advance(1000);
      expect((await till.balances()).points).toBe(100);
      expect((await till.read(original.transactionId)).status).toBe('reversed');
      expectRefusal(await reverse(till, original, { reversal_ref: 'V-3' }), alreadyReversed);
    });
  });

  test('IK | an Idempotency-Key of another reversal is 409 DUPLICATE_TRANSACTION, and stays free for its own', async () => {
    const till = await openTill(face, [pointsCard]);
    const one = await makeOriginal(till, { externalRef: 'R-1', intent: 'redeem', sends: { points: 40 } });
    const other = await makeOriginal(till, { externalRef: 'R-2', intent: 'redeem', sends: { points: 10 } });
    const options = { idempotencyKey: 'k-1' };
    expect((await reverse(till, one, {}, options)).status).toBe(202);
    const act = () => reverse(till, other, {}, options);
    await expectNothingRecorded(face, till, act, { status: 409, code: 'DUPLICATE_TRANSACTION' });
    expect((await reverse(till, one, {}, options)).body.duplicate).toBe(true);
  });
}
