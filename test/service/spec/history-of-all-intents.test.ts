import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectTransaction } from '../../support/exact-fields.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { balances, instantAfter, openTill, transaction } from './till.ts';

describe.each(faces)('GET /customers/{customer_id}/transactions | every intent, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  /** A customer who came by an enrollment: the only way that makes a transaction of intent enroll. */
  async function enroll() {
    const { enrollment_id: enrollmentId } = (
      await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512399', name: 'Amal' })
    ).body;
    const { otp } = (await face.control('GET', `/otp/${enrollmentId}`)).body;
    const { body } = await face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp });
    return { customerId: body.customer_id, cardId: body.card_id, identifier: { customer_id: body.customer_id } };
  }
  const history = async (customerId: string, query = '') =>
    (await face.get(`/customers/${customerId}/transactions${query}`)).body;

  test('gap: Enrollment | an enrollment makes a transaction of intent enroll', async () => {
    const { customerId, cardId } = await enroll();
    expect((await history(customerId)).data).toEqual([
      transaction({
        intent: 'enroll',
        external_ref: 'E-1',
        customer_id: customerId,
        card_id: cardId,
        new_balances: balances({ points: 0, rewards_available: 0 }),
        occurred_at: instantAfter(0),
        completed_at: instantAfter(0),
      }),
    ]);
  });

  test('gap: Transactions | newest first by creation: enroll, earn, redeem, commit and reversals of each side', async () => {
    const { customerId, identifier } = await enroll();
    await face.post('/transactions/earn', { identifier, external_ref: 'R-1', points: 200 });
    await face.advance(1000);
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 20 });
    const { reservation_id: reservationId } = (
      await face.post('/redemptions/reserve', { identifier, external_ref: 'CART-1', points: 30 })
    ).body;
    await face.post('/redemptions/reserve', { identifier, external_ref: 'CART-2', points: 30 });
    await face.post(`/redemptions/${reservationId}/commit`, { external_ref: 'ORDER-1' });
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-2', reward: true, reward_id: 'rwd_cake' });
    await face.post('/transactions/reverse', { external_ref: 'ORDER-1', intent: 'redeem', reversal_ref: 'V-1' });
    await face.advance(1000);
    await face.post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' });
    await face.advance(1000);
    await face.post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });

    const { data } = await history(customerId);
    type Row = { intent: string; external_ref: string; status: string; new_balances: { points: number } | null };
    expect(
      data.map((row: Row) => [row.intent, row.external_ref, row.status, row.new_balances?.points ?? null]),
    ).toEqual([
      ['reverse', 'R-1', 'pending', null],
      ['reverse', 'R-1', 'success', 100],
      ['reverse', 'V-1', 'success', 80],
      ['redeem', 'R-2', 'success', 50],
      ['redeem', 'ORDER-1', 'reversed', 150],
      ['redeem', 'R-1', 'reversed', 180],
      ['earn', 'R-1', 'success', 200],
      ['enroll', 'E-1', 'success', 0],
    ]);
    for (const row of data) {
      expectTransaction(row, 'read');
      expect((await face.get(`/transactions/${row.transaction_id}`)).body).toEqual(row);
    }

    // Page by page it is the same list.
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await history(customerId, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(data);
  });

  test("a customer's history is the customer's: all partners' sales, and no other customer's", async () => {
    const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 100 } }]);
    const other = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 100 } }]);
    const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
    const own = (await till.redeem('R-1', { points: 1 })).body.transaction_id;
    const foreign = (await till.redeem('R-1', { points: 1 }, { key })).body.transaction_id;
    await other.redeem('R-2', { points: 1 });
    const ids = (await till.history()).map((row: { transaction_id: string }) => row.transaction_id);
    expect(ids).toEqual([foreign, own]);
  });
});
