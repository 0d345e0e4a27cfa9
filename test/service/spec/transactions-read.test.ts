import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { balances, expectRefusal, instantAfter, openTill, transaction } from './till.ts';

const card = { template_id: 'tpl_reward', balances: { points: 100 } };

describe.each(faces)('GET /transactions/{transaction_id} and GET /transactions, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const facts = (rows: readonly { intent: string; status: string; transaction_id: string }[]) =>
    rows.map(({ intent, status, transaction_id: id }) => [intent, status, id]);

  describe('GET /transactions/{transaction_id}', () => {
    test('200 Transaction | poll for status and result: pending, processing, success', async () => {
      const till = await openTill(face, [card]);
      const { transaction_id: id } = (await till.earn('R-1', { amount_minor: 12_500, points: 5 })).body;
      const pending = transaction({
        transaction_id: id,
        intent: 'earn',
        status: 'pending',
        external_ref: 'R-1',
        customer_id: till.customer.customer_id,
        card_id: till.cardId(),
        amount_minor: 12_500,
        currency: 'KWD',
        points: 5,
        new_balances: null,
        occurred_at: instantAfter(0),
        completed_at: null,
      });
      expect(await till.read(id)).toEqual(pending);
      await face.advance(900);
      expect(await till.read(id)).toEqual({ ...pending, status: 'processing' });
      await face.advance(100);
      expect(await till.read(id)).toEqual({
        ...pending,
        status: 'success',
        new_balances: balances({ points: 105, rewards_available: 1 }),
        completed_at: instantAfter(1000),
      });
    });

    test('"an earn sent with amount_minor keeps points null, while the balance moves in the card’s own unit"', async () => {
      const till = await openTill(face, [card]);
      const id = await till.earned('R-1', { amount_minor: 12_999 });
      expect(await till.read(id)).toMatchObject({ amount_minor: 12_999, points: null, new_balances: { points: 112 } });
    });

    test('"a failed Transaction carries the same error object in its error field; it is null otherwise"', async () => {
      const till = await openTill(face, [card]);
      const { body, headers } = await till.earn('R-1', { points: 5 });
      const planned = { code: 'CARD_NOT_ELIGIBLE', message: 'Not any more.' };
      await face.control('POST', `/transactions/${body.transaction_id}/fail`, planned);
      expect((await till.read(body.transaction_id)).error).toBeNull();
      await face.advance(1000);
      expect(await till.read(body.transaction_id)).toMatchObject({
        status: 'failed',
        new_balances: null,
        error: { ...planned, retryable: false, request_id: headers['x-request-id'] },
        completed_at: instantAfter(1000),
      });
      expect((await till.balances()).points).toBe(100);
    });

    test('404 | an id that the service never made, and a reference in its place', async () => {
      const till = await openTill(face, [card]);
      await till.earned('R-1', { points: 1 });
      for (const id of ['txn_nowhere', 'R-1', '%20', 'a%2Fb']) {
        expectRefusal(await face.get(`/transactions/${id}`), {
          status: 404,
          code: 'VALIDATION_ERROR',
          details: ['transaction_not_found'],
        });
      }
    });
  });

  describe('GET /transactions?external_ref=', () => {
    test('data: zero to many', async () => {
      const till = await openTill(face, [card]);
      expect(await till.byReference('R-1')).toEqual([]);
      const earned = await till.earned('R-1', { points: 7 });
      expect(await till.byReference('R-1')).toEqual([await till.read(earned)]);
    });

    test('"an earn and a redeem may share a reference": a receipt with both, and both reversed', async () => {
      const till = await openTill(face, [card]);
      const redeemed = (await till.redeem('R-1', { points: 30 })).body.transaction_id;
      const earned = await till.earned('R-1', { points: 7 });
      const undoneEarn = (await till.reverse('R-1', 'earn')).body.transaction_id;
      await face.advance(1000);
      const undoneRedeem = (await till.reverse('R-1', 'redeem')).body.transaction_id;
      const rows = await till.byReference('R-1');
      expect(new Set(facts(rows))).toEqual(
        new Set([
          ['redeem', 'success', redeemed],
          ['earn', 'reversed', earned],
          ['reverse', 'success', undoneEarn],
          ['reverse', 'pending', undoneRedeem],
        ]),
      );
      for (const row of rows) expect(row).toEqual(await till.read(row.transaction_id));
    });

    test("gap: Transactions | a reversal's external_ref is its reversal_ref: it is found under that one", async () => {
      const till = await openTill(face, [card]);
      const redeemed = (await till.redeem('R-1', { points: 30 })).body.transaction_id;
      const undone = (await till.reverse('R-1', 'redeem', { reversal_ref: 'V-1' })).body.transaction_id;
      await face.advance(1000);
      expect(facts(await till.byReference('R-1'))).toEqual([['redeem', 'reversed', redeemed]]);
      expect(facts(await till.byReference('V-1'))).toEqual([['reverse', 'success', undone]]);
    });

    test('a sale and the reversal of another one under the same reference', async () => {
      const till = await openTill(face, [card]);
      await till.redeem('R-1', { points: 30 });
      const second = (await till.redeem('R-2', { points: 10 })).body.transaction_id;
      const undone = (await till.reverse('R-1', 'redeem', { reversal_ref: 'R-2' })).body.transaction_id;
      expect(facts(await till.byReference('R-2'))).toEqual([
        ['redeem', 'success', second],
        ['reverse', 'pending', undone],
      ]);
    });

    test('a refused write left nothing under its reference', async () => {
      const till = await openTill(face, [card]);
      await till.redeem('R-1', { points: 101 });
      await till.earn('R-1', { stamps: 1 });
      expect(await till.byReference('R-1')).toEqual([]);
    });

    test('the source is derived from the key: another partner’s receipts are not shown', async () => {
      const till = await openTill(face, [card]);
      await till.redeem('R-1', { points: 30 });
      const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
      expect((await face.get('/transactions?external_ref=R-1', { key })).body).toEqual({ data: [] });
    });

    test.each(['R 1/ö', 'a&b=c?d#e', '٠١٢', 'r'.repeat(255), '%', '+'])(
      'external_ref | string: %s',
      async (reference) => {
        const till = await openTill(face, [card]);
        const id = (await till.redeem(reference, { points: 30 })).body.transaction_id;
        const rows = await till.byReference(reference);
        expect(facts(rows)).toEqual([['redeem', 'success', id]]);
        expect(rows[0].external_ref).toBe(reference);
      },
    );

    test('references are told apart to the letter', async () => {
      const till = await openTill(face, [card]);
      await till.redeem('R-1', { points: 1 });
      for (const other of ['r-1', 'R-1 ', 'R-10', 'R-']) expect(await till.byReference(other)).toEqual([]);
    });

    test.each([
      ['required', '', /external_ref: is required/],
      ['not empty', '?external_ref=', /external_ref: must not be empty/],
      ['only once', '?external_ref=a&external_ref=b', /external_ref: must stand only once/],
      ['at most 255 characters', `?external_ref=${'r'.repeat(256)}`, /external_ref: must have at most 255/],
    ])('400 | external_ref: %s', async (_, query, message) => {
      expectRefusal(await face.get(`/transactions${query}`), { status: 400, code: 'VALIDATION_ERROR', message });
    });
  });
});
