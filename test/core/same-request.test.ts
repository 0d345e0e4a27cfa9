import { describe, expect, test } from 'vitest';
import type { Operation } from '../../app/store/schema/operation.ts';
import {
  duplicate,
  earn,
  elapse,
  hourMs,
  minuteMs,
  openSameNumberShop,
  otherDay,
  otherTime,
  redeem,
  rowOf,
  shop,
  untilFive,
} from '../support/same-number-shop.ts';

openSameNumberShop();

const statesOf = (operation: Operation) => shop.core.history(operation.rowId).map(({ to }) => to);
const requestsTo = async (path: string) => {
  const { data } = await shop.call('GET', '/_sandbox/requests?limit=50');
  return data.filter((request: { path: string }) => request.path === path);
};

describe('one reference on two business days', () => {
  test.each([
    ['an earn', () => earn('0001'), otherTime],
    ['a redemption', () => redeem('0001'), otherDay],
  ])('is two requests: %s of tomorrow is refused, and nothing is saved or sent', async (_, ask, other) => {
    await ask();
    await shop.pass(5_000);
    const points = await shop.points();
    await elapse(24 * hourMs);
    expect(await ask()).toMatchObject(other('2026-11-20'));
    await shop.pass(5_000);
    expect(await shop.points()).toBe(points);
    expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
  });

  test('is one request within the day, however many hours later', async () => {
    await earn('0001');
    await elapse(7 * hourMs);
    expect(await earn('0001')).toMatchObject(duplicate);
  });

  test('is one request within ten minutes, also across the start of a day', async () => {
    await elapse(untilFive);
    await earn('0001');
    await elapse(2 * minuteMs);
    expect(await earn('0001')).toMatchObject(duplicate);
    await elapse(9 * minuteMs);
    expect(await earn('0001')).toMatchObject(otherTime('2026-11-20'));
  });

  test('is one operation for the press that was there before', async () => {
    const press = { operationId: shop.newId() };
    await earn('0001', {}, press);
    await elapse(24 * hourMs);
    expect(await earn('0001', {}, press)).toMatchObject(duplicate);
  });

  test('is told by the service’s clock where the till’s is set ahead between the two', async () => {
    await earn('0001');
    await shop.pass(5_000);
    shop.setTillClock(24 * hourMs);
    await shop.passUntil(shop.core.readTransactionsByReference('0001'));
    await elapse(11 * minuteMs);
    expect(await earn('0001')).toMatchObject(duplicate);
  });

  test('is told by the service’s clock of a redemption, too', async () => {
    await redeem('0001');
    shop.setTillClock(24 * hourMs);
    await shop.passUntil(shop.core.readTransactionsByReference('0001'));
    await elapse(11 * minuteMs);
    expect(await redeem('0001')).toMatchObject({ kind: 'done', duplicate: true });
    await elapse(24 * hourMs);
    expect(await redeem('0001')).toMatchObject(otherDay('2026-11-20'));
  });

  test('is told by what has passed where the till’s clock is set back between the two', async () => {
    await shop.fault('/*', { type: 'offline' });
    shop.setTillClock(24 * hourMs);
    await earn('0001');
    shop.setTillClock(-24 * hourMs);
    await elapse(minuteMs);
    expect(await earn('0001')).toMatchObject(duplicate);
    await elapse(hourMs);
    expect(await earn('0001')).toMatchObject(duplicate);
  });

  test('is two requests where the machine slept through the night', async () => {
    await earn('0001');
    await shop.pass(5_000);
    shop.clock.jump(14 * hourMs);
    await shop.pass(5_000);
    expect(await earn('0001')).toMatchObject(otherTime('2026-11-20'));
  });

  test('is two requests where a clock that was set back hides the night between them', async () => {
    await shop.fault('/*', { type: 'offline' });
    await earn('0001');
    await elapse(24 * hourMs);
    shop.setTillClock(-24 * hourMs);
    expect(await earn('0001')).toMatchObject(otherTime('2026-11-20'));
  });
});

describe('the caller’s own time of a sale', () => {
  const at = (time: string) => ({ occurred_at: `2026-11-20T${time}+03:00` });

  test.each([
    ['both within five minutes', '20:00:00', '20:05:00', true],
    ['both, further apart', '20:00:00', '20:05:01', false],
    ['both, the second one earlier', '20:05:01', '20:00:00', false],
    ['the second one alone, near the first one’s saving', null, '21:17:00', true],
    ['the second one alone, far from the first one’s saving', null, '20:00:00', false],
    ['the first one alone, of the same day', '20:00:00', null, true],
  ])('%s', async (_, first, second, isSame) => {
    await earn('R-1', first === null ? {} : at(first));
    const again = await earn('R-1', second === null ? {} : at(second));
    expect(again).toMatchObject(isSame ? duplicate : otherTime('2026-11-20'));
  });

  test('is enough, days later', async () => {
    await earn('R-1', at('20:00:00'));
    await elapse(40 * hourMs);
    expect(await earn('R-1', at('20:00:30'))).toMatchObject(duplicate);
  });
});

test('who sold it, where and why makes no other redemption of it; how much, what and whose does', async () => {
  await redeem('R-1', { points: 5, employee_ref: 'e-1', branch_ref: 'b-1' });
  expect(await redeem('R-1', { branch_ref: 'b-2', points: 5 })).toMatchObject({ kind: 'done', duplicate: true });
  const taken = async (value: object, part: object = {}) => {
    const outcome = await redeem('R-1', value, part);
    return outcome.kind === 'reference_taken' ? outcome.differingFields : outcome.kind;
  };
  expect(await taken({ points: 6 })).toEqual(['points']);
  expect(await taken({ amount_minor: 5 })).toEqual(['amount_minor', 'currency', 'points']);
  expect(await taken({ reward: true, reward_id: 'rwd_cake' })).toEqual(['points', 'reward', 'reward_id']);
  const identifier = { external_id: 'LC-1001' };
  const body = { identifier, external_ref: 'R-1', points: 5 };
  expect(await taken({}, { identifier, body })).toEqual(['identifier']);
});

describe('a request that was refused leaves its reference free', () => {
  async function refusedEarn(request: object = {}): Promise<Operation> {
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await earn('R-1', request, { idempotencyKey: 'key-1' });
    await shop.pass(2_000);
    expect(rowOf('R-1').state).toBe('refused');
    return rowOf('R-1');
  }

  test('for another sale, which takes its place whole', async () => {
    const first = await refusedEarn({ branch_ref: 'b-1' });
    await shop.pass(60_000, 1_000);
    const request = { identifier: { loyalty_id: 'LC-1003' }, points: undefined, stamps: 2, branch_ref: 'b-2' };
    const second = await earn('R-1', request, { idempotencyKey: 'key-2', posName: 'kiosk' });
    expect(second).toMatchObject({
      kind: 'saved',
      duplicate: false,
      operation: {
        transactionId: first.transactionId,
        state: 'queued',
        error: null,
        identifier: { kind: 'loyalty_id', value: 'LC-1003' },
        points: null,
        stamps: 2,
        posName: 'kiosk',
      },
    });
    await shop.pass(5_000);
    expect(rowOf('R-1').state).toBe('applied');
    expect(rowOf('R-1').occurredAtMs).toBeGreaterThan(first.occurredAtMs + 50_000);
    expect(shop.core.sentRequest(first.rowId)).toMatchObject({
      body: expect.stringContaining('"branch_ref":"b-2"'),
      idempotencyKey: 'key-2',
    });
    expect(statesOf(first)).toEqual(['queued', 'sending', 'refused', 'queued', 'sending', 'accepted', 'applied']);
    expect(await shop.points()).toBe(245.5);
  });

  test('but the same sale again is answered as the first one was', async () => {
    const first = await refusedEarn();
    expect(await earn('R-1')).toMatchObject({ ...duplicate, operation: { rowId: first.rowId, state: 'refused' } });
    expect(statesOf(first)).toEqual(['queued', 'sending', 'refused']);
  });

  test.each([
    ['its time', { occurred_at: '2026-11-20T21:13:00+03:00' }, { occurred_at: '2026-11-20T21:12:00+03:00' }],
    ['its time, which is left out', { occurred_at: '2026-11-20T21:13:00+03:00' }, {}],
    ['its time, which was left out', {}, { occurred_at: '2026-11-20T21:13:00+03:00' }],
    ['its branch', { branch_ref: 'b-1' }, { branch_ref: 'b-2' }],
    ['its branch, which is left out', { branch_ref: 'b-1' }, {}],
    ['its employee, who is left out', { employee_ref: 'e-1' }, {}],
    ['its metadata', { metadata: { table: 1 } }, { metadata: { table: 2 } }],
  ])('for the same sale where %s is corrected', async (_, request, corrected) => {
    const first = await refusedEarn(request);
    expect(await earn('R-1', request)).toMatchObject({ ...duplicate, operation: { state: 'refused' } });
    expect(await earn('R-1', corrected)).toMatchObject({ kind: 'saved', duplicate: false });
    await shop.pass(5_000);
    expect(rowOf('R-1')).toMatchObject({ transactionId: first.transactionId, state: 'applied' });
    expect(await shop.points()).toBe(255.5);
    expect(await earn('R-1', request)).toMatchObject({ ...duplicate, operation: { state: 'applied' } });
  });

  test('but the same instant in another form, the same metadata in another order and a null are no correction', async () => {
    const [occurred_at, metadata] = ['2026-11-20T21:13:00+03:00', { a: 1, b: 2 }];
    await refusedEarn({ occurred_at, metadata });
    const again = { occurred_at: '2026-11-20T18:13:00.000Z', metadata: { b: 2, a: 1 }, employee_ref: null };
    expect(await earn('R-1', again)).toMatchObject({ ...duplicate, operation: { state: 'refused' } });
  });

  test('but nothing beside a sale corrects one that a person has corrected meanwhile, where it comes as it was', async () => {
    const occurred_at = '2026-11-20T21:13:00+03:00';
    const first = await refusedEarn({ occurred_at });
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await shop.core.correct(first.operationId, { points: 30 }, { reason: 'the right points', person: null });
    await shop.pass(5_000);
    expect(rowOf('R-1').state).toBe('refused');
    expect(await earn('R-1', { occurred_at })).toMatchObject({ ...duplicate, operation: { state: 'refused' } });
  });

  test('but a sale not for the same receipt number of another day: it was acknowledged, and is still with a person', async () => {
    const first = await refusedEarn();
    await elapse(24 * hourMs);
    expect(await earn('R-1')).toMatchObject(otherTime('2026-11-20'));
    const another = { identifier: { loyalty_id: 'LC-1003' }, points: 3 };
    expect(await earn('R-1', another)).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['identifier', 'points', 'occurred_at'],
    });
    expect(rowOf('R-1')).toMatchObject({ state: 'refused', points: 10, occurredAtMs: first.occurredAtMs });
  });

  test('a redemption’s also on another day: whoever asked for it was told', async () => {
    await redeem('R-1', { points: 9_999 });
    await elapse(24 * hourMs);
    expect(await redeem('R-1', { points: 5 })).toMatchObject({ kind: 'done', duplicate: false });
  });

  test('for another sale, also after a restart', async () => {
    await refusedEarn();
    await shop.stop();
    shop.start();
    await shop.pass(1_000);
    expect(await earn('R-1', { points: 3 })).toMatchObject({ kind: 'saved', duplicate: false });
    await shop.pass(5_000);
    expect(await shop.points()).toBe(248.5);
  });

  test('for no other sale before the books were read: what may have been sent is not replaced', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' });
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    await earn('R-1');
    await shop.pass(5_000);
    expect(rowOf('R-1').state).not.toBe('refused');
    expect(await earn('R-1', { points: 3 })).toMatchObject({ kind: 'reference_taken', differingFields: ['points'] });
  });

  test('one that was taken back keeps it', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('R-1');
    await shop.core.cancel(rowOf('R-1').operationId);
    expect(await earn('R-1', { points: 3 })).toMatchObject({ kind: 'reference_taken', differingFields: ['points'] });
    expect(await earn('R-1')).toMatchObject(duplicate);
  });

  test('for another redemption, of another customer', async () => {
    await redeem('R-1', { points: 9_999 });
    const identifier = { loyalty_id: 'LC-1003' };
    const other = { identifier, body: { identifier, external_ref: 'R-1', stamps: 1 }, idempotencyKey: 'key-2' };
    expect(await redeem('R-1', {}, other)).toMatchObject({
      kind: 'done',
      operation: { identifier: { kind: 'loyalty_id', value: 'LC-1003' }, points: null, stamps: 1 },
    });
    const row = rowOf('R-1', 'redeem');
    expect(shop.core.sentRequest(row.rowId)?.idempotencyKey).toBe('key-2');
    expect(statesOf(row)).toEqual(['queued', 'sending', 'refused', 'cancelled', 'queued', 'sending', 'applied']);
  });
});

describe('a commit', () => {
  async function hold(ref: string, points: number): Promise<string> {
    const identifier = { loyalty_id: 'LC-1001' };
    const body = { identifier, external_ref: ref, points };
    const write = { intent: 'reserve', path: '/redemptions/reserve', body, externalRef: `${ref}#1` };
    const outcome = await redeem(ref, {}, write);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    return (outcome.answer as { reservation_id: string }).reservation_id;
  }
  const commit = (reservationId: string, order: string) =>
    redeem(
      order,
      {},
      {
        intent: 'commit',
        path: `/redemptions/${reservationId}/commit`,
        body: { external_ref: order },
        identifier: null,
      },
    );

  test('that was refused leaves its order free for another reservation, which alone is spent', async () => {
    const [first, second] = [await hold('C-1', 80), await hold('C-2', 5)];
    await shop.fault(`/redemptions/${first}/commit`, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    expect(await commit(first, 'O-1')).toMatchObject({ kind: 'refused' });
    expect(await commit(second, 'O-1')).toMatchObject({ kind: 'done', answer: { points: 5 } });
    expect(await shop.points()).toBe(240.5);
    expect(await requestsTo(`/redemptions/${first}/commit`)).toHaveLength(1);
  });

  test('of another reservation under an order that is paid is refused, and nothing is sent', async () => {
    const [first, second] = [await hold('C-1', 80), await hold('C-2', 5)];
    await commit(first, 'O-1');
    expect(await commit(second, 'O-1')).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['reservation_id'],
    });
    expect(await commit(first, 'O-1')).toMatchObject({ kind: 'done', duplicate: true });
    expect(await shop.points()).toBe(165.5);
    expect(await requestsTo(`/redemptions/${second}/commit`)).toHaveLength(0);
  });

  test('of yesterday’s order number is refused, also when a cart’s number has brought yesterday’s reservation', async () => {
    const first = await hold('C-1', 5);
    expect(await commit(first, 'O-1')).toMatchObject({ kind: 'done' });
    await elapse(24 * hourMs);
    const again = await hold('C-1', 5);
    expect(await commit(again, 'O-1')).toMatchObject(otherDay('2026-11-20'));
  });

  test('under the reference of a redemption is refused here, and the reverse; once the one was refused, the other is free', async () => {
    const held = await hold('C-1', 5);
    await redeem('R-1', { points: 9_999 });
    expect(await commit(held, 'R-1')).toMatchObject({ kind: 'done' });
    expect(await redeem('R-1', { points: 7 })).toMatchObject({ kind: 'reference_taken', differingFields: ['intent'] });
    await redeem('R-2', { points: 7 });
    const other = await hold('C-2', 6);
    expect(await commit(other, 'R-2')).toMatchObject({ kind: 'reference_taken', differingFields: ['intent'] });
    expect(await requestsTo(`/redemptions/${other}/commit`)).toHaveLength(0);
    expect(await shop.points()).toBe(233.5);
  });
});

describe('copies', () => {
  test('sent together are one redemption, and the second one is told so', async () => {
    const both = await Promise.all([redeem('R-1'), redeem('R-1')]);
    expect(both).toMatchObject([
      { kind: 'done', duplicate: false },
      { kind: 'done', duplicate: true },
    ]);
    expect(await shop.points()).toBe(240.5);
  });

  test('sent after a lost answer are told so too: the books showed the first one', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    expect(await redeem('R-1')).toMatchObject({ kind: 'unknown' });
    expect(await redeem('R-1')).toMatchObject({ kind: 'done', duplicate: true });
  });

  test.each([
    ['answered', 'drop_response', 'applied'],
    ['answered for the first time', 'drop_request', 'applied'],
    ['refused', 'refused', 'cancelled'],
  ])('of a hold: when the later one is %s, the earlier one is settled too', async (_, fault, state) => {
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 5 };
    const reserve = (externalRef: string) =>
      redeem('C-1', {}, { intent: 'reserve', path: '/redemptions/reserve', body, externalRef });
    await shop.fault('/redemptions/reserve', { type: fault === 'refused' ? 'drop_request' : fault }, 1);
    expect(await reserve('C-1#1')).toMatchObject({ kind: 'unknown' });
    if (fault === 'refused') {
      await shop.fault('/redemptions/reserve', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' });
    }
    const later = await reserve('C-1#2');
    expect(later.kind).toBe(state === 'applied' ? 'done' : 'refused');
    expect(rowOf('C-1#1', 'reserve').state).toBe(state);
    expect(shop.core.status().operations.unknown).toBe(0);
    if (later.kind === 'done') expect(rowOf('C-1#1', 'reserve').answer).toEqual(later.answer);
  });
});
