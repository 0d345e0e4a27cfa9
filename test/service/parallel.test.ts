import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { type Answer, type CallOptions, faces, type TestFace } from '../support/service-faces.ts';
import { everyWrite } from './spec/every-write.ts';
import { openTill } from './spec/till.ts';

const copies = 50;
const each = Array.from({ length: copies }, (_, index) => index);
const pointsCard = { template_id: 'tpl_reward', balances: { points: 100 } };

/** How many answers there are of each kind: `{ '200': 33, '422 INSUFFICIENT_BALANCE': 17 }`. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = status < 400 ? `${status}` : `${status} ${body.error.code}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** What an answer names: its ids, without what a replay may say otherwise. */
function named({ body }: Answer): unknown {
  const { duplicate: _, status: _status, ...rest } = body;
  return rest;
}

test('every write of the endpoint table is here', () => {
  const writes = endpointNames.filter((name) => endpoints[name].kind === 'write').map((name) => endpoints[name].path);
  expect(new Set(everyWrite.map(({ path }) => path))).toEqual(new Set(writes));
});

describe.each(faces)('many at once, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  describe.each(everyWrite)('$name', ({ path, firstStatus, replayStatus, saysDuplicate, once, prepare }) => {
    test.each<[string, CallOptions]>([
      ['', {}],
      [' under one Idempotency-Key', { idempotencyKey: 'k-1' }],
    ])('fifty copies at once%s act once', async (_, options) => {
      const write = await prepare(face);
      const answers = await Promise.all(each.map(() => write.send(options)));
      if (firstStatus === replayStatus) expect(tally(answers)).toEqual({ [firstStatus]: copies });
      else expect(tally(answers)).toEqual({ [firstStatus]: 1, [replayStatus]: copies - 1 });
      expect(answers.map(named)).toEqual(answers.map(() => named(answers[0] as Answer)));
      if (saysDuplicate) expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1);
      expect(await write.effect()).toEqual(once);
    });

    test.each(['drop_response', 'partial_response'])(
      'the same after the answer was lost (%s): a replay, and it acts once',
      async (type) => {
        const write = await prepare(face);
        await face.control('POST', '/faults', { match: { method: 'POST', path }, effect: { type }, times: 1 });
        await expect(write.send()).rejects.toThrow(/other side closed|terminated/);
        const again = await write.send();
        expect(again.status).toBe(replayStatus);
        if (saysDuplicate) expect(again.body.duplicate).toBe(true);
        expect(await write.effect()).toEqual(once);
      },
    );

    test('the same after the request was lost (drop_request): the second is the first', async () => {
      const write = await prepare(face);
      const effect = { type: 'drop_request' };
      await face.control('POST', '/faults', { match: { method: 'POST', path }, effect, times: 1 });
      await expect(write.send()).rejects.toThrow(/other side closed/);
      const again = await write.send();
      expect(again.status).toBe(firstStatus);
      if (saysDuplicate) expect(again.body.duplicate).toBe(false);
      expect(await write.effect()).toEqual(once);
    });

    test('fifty copies at once while every second answer is lost act once', async () => {
      const write = await prepare(face);
      const rule = { match: { method: 'POST', path }, effect: { type: 'drop_response' }, probability: 0.5 };
      await face.control('POST', '/faults', rule);
      const outcomes = await Promise.allSettled(each.map(() => write.send()));
      await face.control('DELETE', '/faults');
      expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
      expect((await write.send()).status).toBe(replayStatus);
      expect(await write.effect()).toEqual(once);
    });
  });

  describe('different redemptions never overdraw', () => {
    test.each([
      ['points', pointsCard, { points: 3 }, 33, { points: 1 }, '422 INSUFFICIENT_BALANCE'],
      [
        'amount_minor',
        { template_id: 'tpl_certificate', balances: { cashback_minor: 1000 } },
        { amount_minor: 30 },
        33,
        { cashback_minor: 10 },
        '422 INSUFFICIENT_BALANCE',
      ],
      [
        'stamps',
        { template_id: 'tpl_stamp', balances: { stamps: 9, rewards_available: 3 } },
        { stamps: 2 },
        4,
        { stamps: 1, rewards_available: 3 },
        '422 INSUFFICIENT_BALANCE',
      ],
      [
        'visits',
        { template_id: 'tpl_subscription', balances: { visits: 20 } },
        { visits: 1 },
        20,
        { visits: 0 },
        '422 CARD_NOT_ELIGIBLE',
      ],
      [
        'reward of a stamp card',
        { template_id: 'tpl_stamp', balances: { stamps: 9, rewards_available: 3 } },
        { reward: true },
        3,
        { stamps: 9, rewards_available: 0 },
        '422 CARD_NOT_ELIGIBLE',
      ],
      [
        'reward of a reward card',
        { template_id: 'tpl_reward', balances: { points: 250 } },
        { reward: true, reward_id: 'rwd_cake' },
        2,
        { points: 50 },
        '422 CARD_NOT_ELIGIBLE',
      ],
    ])('%s', async (_, card, fields, good, after, refusal) => {
      const till = await openTill(face, [card]);
      const answers = await Promise.all(each.map((index) => till.redeem(`R-${index}`, fields)));
      expect(tally(answers)).toEqual({ 200: good, [refusal]: copies - good });
      expect(await till.balances()).toMatchObject(after);
      expect(await till.history()).toHaveLength(good);
      // Each answer shows the balance of its own moment: all of them differ.
      const seen = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body.new_balances));
      expect(new Set(seen).size).toBe(good);
    });

    test('a coupon is redeemed once', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_coupon' }]);
      const answers = await Promise.all(each.map((index) => till.redeem(`R-${index}`, { coupon_code: till.cardId() })));
      expect(tally(answers)).toEqual({ 200: 1, '409 COUPON_ALREADY_REDEEMED': copies - 1 });
    });

    test('reservations hold no more than there is', async () => {
      const till = await openTill(face, [pointsCard]);
      const answers = await Promise.all(each.map((index) => till.reserve(`CART-${index}`, { points: 3 })));
      expect(tally(answers)).toEqual({ 201: 33, '422 INSUFFICIENT_BALANCE': copies - 33 });
      const reserved = answers.filter(({ status }) => status === 201);
      const commits = await Promise.all(
        reserved.map(({ body }, index) => till.commit(body.reservation_id, `ORDER-${index}`)),
      );
      expect(tally(commits)).toEqual({ 200: 33 });
      expect((await till.balances()).points).toBe(1);
    });

    test('redemptions, reservations and claims mixed take no more than there is', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 400 } }]);
      const answers = await Promise.all(
        each.map((index) => {
          if (index % 3 === 0) return till.redeem(`R-${index}`, { points: 13 });
          if (index % 3 === 1) return till.reserve(`C-${index}`, { points: 11 });
          return till.redeem(`R-${index}`, { reward: true, reward_id: 'rwd_cake' });
        }),
      );
      const taken = (what: (index: number) => boolean) =>
        answers.filter(({ status }, index) => status < 300 && what(index)).length;
      const spent = 13 * taken((index) => index % 3 === 0) + 100 * taken((index) => index % 3 === 2);
      const held = 11 * taken((index) => index % 3 === 1);
      expect(spent + held).toBeLessThanOrEqual(400);
      // Nobody who still would have fitted was refused.
      expect(400 - spent - held).toBeLessThan(11);
      expect((await till.balances()).points).toBe(400 - spent);
    });
  });

  describe('one original', () => {
    test.each(['earn', 'redeem'] as const)(
      'fifty reversals of an %s under different reversal_refs reverse once',
      async (intent) => {
        const till = await openTill(face, [pointsCard]);
        if (intent === 'earn') await till.earned('R-1', { points: 30 });
        else await till.redeem('R-1', { points: 30 });
        const answers = await Promise.all(
          each.map((index) => till.reverse('R-1', intent, { reversal_ref: `V-${index}` })),
        );
        expect(tally(answers)).toEqual({ 202: 1, '409 ALREADY_REVERSED': copies - 1 });
        await face.advance(1000);
        expect((await till.balances()).points).toBe(100);
        expect(await till.history()).toHaveLength(2);
      },
    );

    test('by reference and by id at once are one reversal', async () => {
      const till = await openTill(face, [pointsCard]);
      const { transaction_id: id } = (await till.redeem('R-1', { points: 30 })).body;
      const answers = await Promise.all(
        each.map((index) => (index % 2 === 0 ? till.reverse('R-1', 'redeem') : till.reverseById(id))),
      );
      expect(tally(answers)).toEqual({ 200: copies - 1, 202: 1 });
      await face.advance(1000);
      expect((await till.balances()).points).toBe(100);
    });

    test('fifty originals under one reversal_ref: one is reversed', async () => {
      const till = await openTill(face, [pointsCard]);
      for (const index of each) await till.redeem(`R-${index}`, { points: 1 });
      const answers = await Promise.all(
        each.map((index) => till.reverse(`R-${index}`, 'redeem', { reversal_ref: 'V-1' })),
      );
      expect(tally(answers)).toEqual({ 202: 1, '409 DUPLICATE_TRANSACTION': copies - 1 });
      await face.advance(1000);
      expect((await till.balances()).points).toBe(51);
    });
  });

  describe('one reservation', () => {
    test('fifty commits with different orders spend once', async () => {
      const till = await openTill(face, [pointsCard]);
      const reservationId = await till.reserved('CART-1', { points: 10 });
      const answers = await Promise.all(each.map((index) => till.commit(reservationId, `ORDER-${index}`)));
      expect(tally(answers)).toEqual({ 200: 1, '409 DUPLICATE_TRANSACTION': copies - 1 });
      expect((await till.balances()).points).toBe(90);
      expect(await till.history()).toHaveLength(1);
    });

    test('commits and releases at once: it ends as the first of them says, whichever that is', async () => {
      const till = await openTill(face, [pointsCard]);
      const reservationId = await till.reserved('CART-1', { points: 10 });
      const answers = await Promise.all(
        each.map((index) => (index % 2 === 0 ? till.release(reservationId) : till.commit(reservationId, 'ORDER-1'))),
      );
      const committed = answers.some(({ status }, index) => index % 2 === 1 && status === 200);
      expect(tally(answers)).toEqual({ 200: copies / 2, '409 VALIDATION_ERROR': copies / 2 });
      expect((await till.balances()).points).toBe(committed ? 90 : 100);
      expect((await till.redeem('R-1', { points: committed ? 90 : 100 })).status).toBe(200);
    });

    test('fifty reservations under one order: one is committed, the others still hold', async () => {
      const till = await openTill(face, [pointsCard]);
      const ids = [];
      for (const index of each) ids.push(await till.reserved(`CART-${index}`, { points: 2 }));
      const answers = await Promise.all(ids.map((id) => till.commit(id, 'ORDER-1')));
      expect(tally(answers)).toEqual({ 200: 1, '409 DUPLICATE_TRANSACTION': copies - 1 });
      expect((await till.balances()).points).toBe(98);
      const refused = await till.redeem('R-1', { points: 0.001 });
      expect(refused.body.error.code).toBe('INSUFFICIENT_BALANCE');
    });
  });

  test('fifty enrollments of one phone under different references, verified at once: one customer', async () => {
    const phone = '+96555512399';
    const enrolls = await Promise.all(
      each.map((index) => face.post('/customers/enroll', { external_ref: `E-${index}`, phone })),
    );
    expect(tally(enrolls)).toEqual({ 202: copies });
    const codes = [];
    for (const { body } of enrolls) {
      const { otp } = (await face.control('GET', `/otp/${body.enrollment_id}`)).body;
      codes.push({ enrollment_id: body.enrollment_id, otp });
    }
    const verifies = await Promise.all(codes.map((code) => face.post('/customers/enroll/verify', code)));
    expect(tally(verifies)).toEqual({ 201: 1, '409 ALREADY_ENROLLED': copies - 1 });
    const winner = verifies.find(({ status }) => status === 201)?.body;
    for (const { status, body } of verifies) {
      if (status === 409) expect(body.customer.customer_id).toBe(winner.customer_id);
    }
    const customer = (await face.post('/customers/identify', { phone })).body;
    expect(customer.customer_id).toBe(winner.customer_id);
    expect(customer.cards.map((card: { card_id: string }) => card.card_id)).toEqual([winner.card_id]);
  });

  test('wrong codes at once: the attempts are counted one by one, and the right code comes too late', async () => {
    const { body } = await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512399' });
    const { enrollment_id: enrollmentId } = body;
    const { otp } = (await face.control('GET', `/otp/${enrollmentId}`)).body;
    const verify = (code: string) => face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp: code });
    const answers = await Promise.all(each.map(() => verify('x')));
    const reasons = answers.map((answer) => answer.body.error.details[0]);
    expect(reasons.filter((reason) => reason === 'otp_incorrect')).toHaveLength(5);
    expect(reasons.filter((reason) => reason === 'otp_attempts_exhausted')).toHaveLength(copies - 5);
    expect((await verify(otp)).body.error.details).toEqual(['otp_attempts_exhausted']);
  });

  test('fifty different sales under one Idempotency-Key: one is taken', async () => {
    const till = await openTill(face, [pointsCard]);
    const options = { idempotencyKey: 'k-1' };
    const answers = await Promise.all(each.map((index) => till.redeem(`R-${index}`, { points: 1 }, options)));
    expect(tally(answers)).toEqual({ 200: 1, '409 DUPLICATE_TRANSACTION': copies - 1 });
    expect((await till.balances()).points).toBe(99);
  });
});
