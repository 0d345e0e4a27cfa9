import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardsOf, makeCustomer, type TestCard } from '../support/service-customers.ts';
import { type Answer, faces, type TestFace } from '../support/service-faces.ts';

const copies = 50;

/** How often each status came. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const firstOnes = (answers: readonly Answer[]) => answers.filter(({ body }) => body.duplicate === false).length;

/** Sends them all before any answer is read. */
function atOnce(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

describe.each(faces)('writes under fire, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const customerWith = async (card: TestCard) => {
    const customer = await makeCustomer(face, [card]);
    return { customer, identifier: { customer_id: customer.customer_id }, cardId: customer.cards[0]?.card_id };
  };
  const balancesOf = async (customer: { readonly customer_id: string }) => (await cardsOf(face, customer))[0].balances;

  test('fifty copies of an earn act once', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward' });
    const answers = await atOnce(copies, () =>
      face.post('/transactions/earn', { identifier, external_ref: 'R-1', points: 3 }, { idempotencyKey: 'K-1' }),
    );
    expect(tally(answers)).toEqual({ 202: copies });
    expect(firstOnes(answers)).toBe(1);
    expect(new Set(answers.map(({ body }) => body.transaction_id)).size).toBe(1);
    await face.advance(1000);
    expect((await balancesOf(customer)).points).toBe(3);
  });

  test.each([
    ['points', 'tpl_reward', { points: 1000 }, { points: 3 }, { points: 997 }],
    ['an amount', 'tpl_cashback', { cashback_minor: 1000 }, { amount_minor: 3 }, { cashback_minor: 997 }],
    ['a reward', 'tpl_reward', { points: 1000 }, { reward: true, reward_id: 'rwd_cake' }, { points: 900 }],
  ])('fifty copies of a redemption of %s act once', async (_, template_id, balances, value, after) => {
    const { customer, identifier } = await customerWith({ template_id, balances });
    const answers = await atOnce(copies, () =>
      face.post('/transactions/redeem', { identifier, external_ref: 'R-1', ...value }),
    );
    expect(tally(answers)).toEqual({ 200: copies });
    expect(firstOnes(answers)).toBe(1);
    expect(await balancesOf(customer)).toMatchObject(after);
  });

  test('fifty different redemptions never overdraw', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    const answers = await atOnce(copies, (index) =>
      face.post('/transactions/redeem', { identifier, external_ref: `R-${index}`, points: 7 }),
    );
    expect(tally(answers)).toEqual({ 200: 14, 422: copies - 14 });
    expect((await balancesOf(customer)).points).toBe(2);
  });

  test('fifty different redemptions of one coupon redeem it once', async () => {
    const { identifier, cardId } = await customerWith({ template_id: 'tpl_coupon' });
    const answers = await atOnce(copies, (index) =>
      face.post('/transactions/redeem', { identifier, external_ref: `R-${index}`, coupon_code: cardId }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 409: copies - 1 });
  });

  test('reservations and redemptions together never promise more than there is', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    const answers = await atOnce(copies, (index) =>
      index % 2 === 0
        ? face.post('/redemptions/reserve', { identifier, external_ref: `C-${index}`, points: 9 })
        : face.post('/transactions/redeem', { identifier, external_ref: `R-${index}`, points: 9 }),
    );
    const reserved = answers.filter(({ status }) => status === 201);
    const redeemed = answers.filter(({ status }) => status === 200);
    expect(reserved.length + redeemed.length).toBe(11);
    expect((await balancesOf(customer)).points).toBe(100 - 9 * redeemed.length);
    const commits = await Promise.all(
      reserved.map(({ body }, index) =>
        face.post(`/redemptions/${body.reservation_id}/commit`, { external_ref: `O-${index}` }),
      ),
    );
    expect(tally(commits)).toEqual(reserved.length === 0 ? {} : { 200: reserved.length });
    expect((await balancesOf(customer)).points).toBe(1);
  });

  test('fifty copies of a reservation hold once; fifty commits of it spend once; under fifty orders, one', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    const held = await atOnce(copies, () =>
      face.post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 60 }),
    );
    expect(tally(held)).toEqual({ 201: 1, 200: copies - 1 });
    const path = `/redemptions/${held[0]?.body.reservation_id}/commit`;
    const committed = await atOnce(copies, () => face.post(path, { external_ref: 'O-1' }));
    expect(tally(committed)).toEqual({ 200: copies });
    expect(firstOnes(committed)).toBe(1);
    expect((await balancesOf(customer)).points).toBe(40);

    const other = await face.post('/redemptions/reserve', { identifier, external_ref: 'C-2', points: 40 });
    const orders = await atOnce(copies, (index) =>
      face.post(`/redemptions/${other.body.reservation_id}/commit`, { external_ref: `P-${index}` }),
    );
    expect(tally(orders)).toEqual({ 200: 1, 409: copies - 1 });
    expect((await balancesOf(customer)).points).toBe(0);
  });

  test('commits and releases of one reservation: exactly one of them wins', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    const { body } = await face.post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 60 });
    const answers = await atOnce(copies, (index) =>
      index % 2 === 0
        ? face.post(`/redemptions/${body.reservation_id}/commit`, { external_ref: 'O-1' })
        : face.post(`/redemptions/${body.reservation_id}/release`, undefined),
    );
    expect(tally(answers)).toEqual({ 200: copies / 2, 409: copies / 2 });
    const spent = (await face.get('/transactions?external_ref=O-1')).body.data.length;
    expect((await balancesOf(customer)).points).toBe(100 - 60 * spent);
  });

  test('fifty copies of a reversal, and fifty different ones, reverse once', async () => {
    const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 30 });
    await face.post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 30 });
    const same = await atOnce(copies, () =>
      face.post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' }),
    );
    expect(tally(same)).toEqual({ 202: 1, 200: copies - 1 });
    const different = await atOnce(copies, (index) =>
      face.post('/transactions/reverse', { external_ref: 'R-2', intent: 'redeem', reversal_ref: `RV-${index}` }),
    );
    expect(tally(different)).toEqual({ 202: 1, 409: copies - 1 });
    await face.advance(1000);
    expect((await balancesOf(customer)).points).toBe(100);
  });

  test('fifty copies of an enrollment send one code; fifty of its verification make one customer', async () => {
    const body = { external_ref: 'E-1', phone: '+96555512345' };
    const enrolling = await atOnce(copies, () => face.post('/customers/enroll', body));
    expect(tally(enrolling)).toEqual({ 202: copies });
    const { enrollment_id } = enrolling[0]?.body ?? {};
    const { otp, sends } = (await face.control('GET', `/otp/${enrollment_id}`)).body;
    expect(sends).toBe(1);
    const verified = await atOnce(copies, () => face.post('/customers/enroll/verify', { enrollment_id, otp }));
    expect(tally(verified)).toEqual({ 201: 1, 200: copies - 1 });
    expect(new Set(verified.map((answer) => answer.body.customer_id)).size).toBe(1);
  });

  test('one phone under fifty references becomes one customer', async () => {
    const enrolling = await atOnce(copies, (index) =>
      face.post('/customers/enroll', { external_ref: `E-${index}`, phone: '+96555512345' }),
    );
    const codes = await Promise.all(
      enrolling.map(async ({ body }) => ({
        enrollment_id: body.enrollment_id,
        otp: (await face.control('GET', `/otp/${body.enrollment_id}`)).body.otp,
      })),
    );
    const verified = await Promise.all(codes.map((code) => face.post('/customers/enroll/verify', code)));
    expect(tally(verified)).toEqual({ 201: 1, 409: copies - 1 });
  });

  test('five wrong codes at once and the right one: the attempts are counted one by one', async () => {
    const { body } = await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
    const { enrollment_id } = body;
    const { otp } = (await face.control('GET', `/otp/${enrollment_id}`)).body;
    const answers = await atOnce(20, () => face.post('/customers/enroll/verify', { enrollment_id, otp: 'x' }));
    const reasons = answers.map((answer) => answer.body.error.details[0]);
    expect(reasons.filter((reason) => reason === 'otp_incorrect')).toHaveLength(5);
    expect(reasons.filter((reason) => reason === 'otp_attempts_exhausted')).toHaveLength(15);
    const late = await face.post('/customers/enroll/verify', { enrollment_id, otp });
    expect(late.body.error.details).toEqual(['otp_attempts_exhausted']);
  });

  describe('the answer is lost, and the same request is sent again', () => {
    const lose = (path: string) =>
      face.control('POST', '/faults', { match: { path }, effect: { type: 'drop_response' }, times: 1 });

    test.each([
      ['earn', '/transactions/earn', { points: 5 }],
      ['redeem', '/transactions/redeem', { points: 5 }],
      ['reserve', '/redemptions/reserve', { points: 5 }],
    ])('%s says duplicate and acted once', async (_, path, value) => {
      const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
      await lose(path);
      await expect(face.post(path, { identifier, external_ref: 'R-1', ...value })).rejects.toThrow();
      const again = await face.post(path, { identifier, external_ref: 'R-1', ...value });
      expect(again.body.duplicate).toBe(true);
      await face.advance(1000);
      const expected = { '/transactions/earn': 105, '/transactions/redeem': 95, '/redemptions/reserve': 100 };
      expect((await balancesOf(customer)).points).toBe(Reflect.get(expected, path));
    });

    test('commit, release, reverse and verify, too', async () => {
      const { customer, identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
      const cart = async (ref: string) =>
        (await face.post('/redemptions/reserve', { identifier, external_ref: ref, points: 10 })).body.reservation_id;
      const sendTwice = async (path: string, body?: object) => {
        await lose(path);
        await expect(face.post(path, body)).rejects.toThrow();
        const again = await face.post(path, body);
        expect(again).toMatchObject({ status: 200, body: { duplicate: true } });
      };
      await sendTwice(`/redemptions/${await cart('C-1')}/commit`, { external_ref: 'O-1' });
      await sendTwice(`/redemptions/${await cart('C-2')}/release`);
      await sendTwice('/transactions/reverse', { external_ref: 'O-1', intent: 'redeem' });
      const { body } = await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
      const { otp } = (await face.control('GET', `/otp/${body.enrollment_id}`)).body;
      await sendTwice('/customers/enroll/verify', { enrollment_id: body.enrollment_id, otp });
      await face.advance(1000);
      expect((await balancesOf(customer)).points).toBe(100);
    });
  });
});
