import { describe, expect, test } from 'vitest';
import {
  attention,
  bytesOf,
  decider,
  hourMs,
  minuteMs,
  only,
  openLateShop,
  paidInFull,
  pointsAtFirst,
  refuse,
  shop,
} from '../support/late-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';

openLateShop();

describe('a redemption that arrives late', () => {
  test('soon after “Take full payment” is reversed: both are shown', async () => {
    const late = await paidInFull('T-1');
    await shop.pass(minuteMs, 20_000);
    await late.arrive();
    await shop.pass(19 * hourMs, minuteMs);
    expect(only('T-1').state).toBe('reversed');
    expect(only('reverse-redeem-T-1').state).toBe('applied');
    expect(await shop.points()).toBe(pointsAtFirst);
    expect(attention()).toEqual([]);
  });

  test.each([30, 5 * 60, 22 * 60])(
    '%i minutes after “Take full payment” is found, and a person reverses it: it could be another till’s',
    async (minutes) => {
      const late = await paidInFull('T-1');
      await shop.pass(minutes * minuteMs, 20_000);
      await late.arrive();
      await shop.pass(19 * hourMs, minuteMs);
      expect(attention()).toMatchObject([{ externalRef: 'T-1', state: 'applied', found: 'stands' }]);
      expect(await shop.core.takeBack(only('T-1').operationId, decider)).toMatchObject({ kind: 'done' });
      await shop.pass(20_000);
      expect(only('reverse-redeem-T-1').state).toBe('applied');
      expect(await shop.points()).toBe(pointsAtFirst);
    },
  );

  test('and cannot be reversed yet, is nobody’s to decide about', async () => {
    const late = await paidInFull('T-1');
    await shop.fault('/transactions/reverse', { type: 'error', status: 503, code: 'INTERNAL' });
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(only('T-1')).toMatchObject({ state: 'applied', found: null });
    expect(attention()).toEqual([]);
    expect(shop.core.status().operations.found).toBe(0);
    await shop.mend();
    await shop.pass(5 * minuteMs, 5_000);
    expect(only('T-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test('is found though the retention time was over before it could be looked for', async () => {
    await shop.stop();
    shop.settings = { retention_days: 1 };
    shop.start();
    await shop.pass(1_000);
    const late = await paidInFull('T-1');
    await late.arrive();
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
    await shop.pass(26 * hourMs, minuteMs);
    await shop.mend();
    await shop.pass(30 * minuteMs, 10_000);
    expect(only('T-1').state).toBe('reversed');
    // Nothing more is looked for then, and the customer is erased in time.
    await shop.pass(26 * hourMs, minuteMs);
    expect(only('T-1').identifier).toBe(null);
  });

  test('after nobody had decided, is a person’s to decide about', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 }));
    const late = bytesOf(only('T-1'));
    await shop.mend();
    await shop.pass(2 * minuteMs);
    expect(only('T-1').state).toBe('cancelled');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(attention()).toMatchObject([{ externalRef: 'T-1', state: 'applied', found: 'stands' }]);
    expect(await shop.core.takeBack(only('T-1').operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(20_000);
    expect(only('T-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test('after the service’s own time-out was followed by a refusal, is found', async () => {
    await shop.fault('/transactions/redeem', { type: 'error', status: 504, code: 'UPSTREAM_TIMEOUT' }, 1);
    const performing = shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 20_000 });
    await shop.quiet();
    await refuse('/transactions/redeem');
    expect(await shop.passUntil(performing)).toMatchObject({ kind: 'refused' });
    await bytesOf(only('T-1')).arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(attention()).toMatchObject([{ externalRef: 'T-1', found: 'stands' }]);
  });
});

test('a redemption that was asked for again with another value, while the first is on its way, is shown as what stands', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 }));
  const late = bytesOf(only('T-1'));
  await shop.mend();
  await shop.pass(2 * minuteMs);
  await late.arrive();
  await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 50 }), { waitMs: 2_000 }));
  await shop.pass(3 * minuteMs, 5_000);
  expect(only('T-1')).toMatchObject({ state: 'applied', found: 'earlier_version', points: 40 });
});

async function reserved(): Promise<string> {
  const reserve = shop.redemption('CART#1', { points: 5 }, { intent: 'reserve', path: '/redemptions/reserve' });
  const held = await shop.passUntil(shop.core.perform(reserve, { waitMs: 2_000 }));
  if (held.kind !== 'done') throw new Error(held.kind);
  return (held.answer as { reservation_id: string }).reservation_id;
}

describe('a paid order whose record has no values, as its caller sends none,', () => {
  async function committed({ isLost }: { readonly isLost: boolean }): Promise<string> {
    const path = `/redemptions/${await reserved()}/commit`;
    const noValues = { points: null, amount_minor: null };
    answerInstead(shop, callOf('POST', path), (own) => withFields(own, noValues));
    if (isLost) answerInstead(shop, callOf('POST', path), () => ({ kind: 'dropped' }), { times: 1 });
    answerInstead(shop, callOf('GET', '/transactions', 'ORDER'), (own) => {
      const { data } = own?.kind === 'response' ? JSON.parse(own.response.body) : { data: [] };
      return said(200, { data: data.map((one: object) => ({ ...one, ...noValues })) });
    });
    const commit = { ...shop.redemption('ORDER', {}, { intent: 'commit', path }), body: { external_ref: 'ORDER' } };
    const { kind } = await shop.passUntil(shop.core.perform(commit, { waitMs: 4_000 }));
    await shop.pass(2 * minuteMs);
    expect(attention()).toEqual([]);
    return `${kind}, ${only('ORDER').state}`;
  }

  test('is done with its answer', async () => {
    expect(await committed({ isLost: false })).toBe('done, applied');
  });

  test('is found in the books when its answer was lost', async () => {
    expect(await committed({ isLost: true })).toBe('done, applied');
  });
});

test('a hold whose answer tells points and their worth is ours', async () => {
  answerInstead(shop, callOf('POST', '/redemptions/reserve'), (own) =>
    withFields(own, { amount_minor: 500, currency: 'KWD' }),
  );
  expect(await reserved()).toMatch(/./);
});

describe('a paid order that arrives late', () => {
  test('after it counted as not recorded, is a person’s to decide about', async () => {
    const path = `/redemptions/${await reserved()}/commit`;
    await shop.fault(path, { type: 'drop_request' });
    const commit = { ...shop.redemption('ORDER', {}, { intent: 'commit', path }), body: { external_ref: 'ORDER' } };
    await shop.passUntil(shop.core.perform(commit, { waitMs: 2_000 }));
    const late = bytesOf(only('ORDER'));
    await shop.mend();
    await shop.pass(2 * minuteMs);
    expect(only('ORDER').state).toBe('cancelled');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(attention()).toMatchObject([{ externalRef: 'ORDER', state: 'applied', found: 'stands' }]);
  });

  test('is not taken for another redemption that has its reference', async () => {
    const path = `/redemptions/${await reserved()}/commit`;
    await shop.call('POST', '/v1/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'ORDER',
      points: 40,
    });
    const commit = { ...shop.redemption('ORDER', {}, { intent: 'commit', path }), body: { external_ref: 'ORDER' } };
    expect(await shop.passUntil(shop.core.perform(commit, { waitMs: 2_000 }))).toMatchObject({ kind: 'refused' });
    await shop.pass(11 * minuteMs, 5_000);
    expect(only('ORDER').state).toBe('cancelled');
    expect(attention()).toEqual([]);
  });
});

test('a reward that was given after all can only be kept', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  const claim = shop.redemption('T-1', { reward: true, reward_id: 'rwd_coffee' });
  await shop.passUntil(shop.core.perform(claim, { waitMs: 2_000 }));
  const late = bytesOf(only('T-1'));
  await shop.mend();
  await shop.pass(2 * minuteMs);
  await late.arrive();
  await shop.pass(3 * minuteMs, 5_000);
  const { operationId } = only('T-1');
  expect(attention()).toMatchObject([{ externalRef: 'T-1', found: 'stands' }]);
  expect(await shop.core.takeBack(operationId, decider)).toMatchObject({ kind: 'not_now' });
  expect(await shop.core.keep(operationId, decider)).toMatchObject({ kind: 'done' });
});
