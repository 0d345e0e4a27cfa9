import { describe, expect, test } from 'vitest';
import {
  attention,
  bytesOf,
  decider,
  earn,
  hourMs,
  lookCount,
  minuteMs,
  only,
  openLateShop,
  pointsAtFirst,
  refuse,
  refusedInDoubt,
  shop,
} from '../support/late-shop.ts';

openLateShop();

const undoOf = () =>
  ({ origin: 'till', operationId: shop.newId(), reversalRef: null, reason: null, idempotencyKey: null }) as const;

describe('a sale that was refused while an earlier attempt was on its way', () => {
  test.each([1, 9, 50, 5 * 60, 23 * 60])(
    'and arrived after %i minutes is shown as it stands, and a person is told',
    async (minutes) => {
      const late = await refusedInDoubt('R-1');
      await shop.pass(minutes * minuteMs, 20_000);
      await late.arrive();
      await shop.pass(19 * hourMs, minuteMs);
      expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
      expect(attention()).toMatchObject([{ externalRef: 'R-1', found: 'stands' }]);
      expect(shop.core.status().operations).toMatchObject({ refused: 0, found: 1 });
    },
  );

  test('is looked for five times in a day, and no more', async () => {
    await refusedInDoubt('R-1');
    const before = lookCount('R-1');
    await shop.pass(30 * hourMs, minuteMs);
    // What shows nothing is asked for once more.
    expect(lookCount('R-1') - before).toBe(2 * 5);
    expect(only('R-1').state).toBe('refused');
  });

  test('is kept by a person who says so, once', async () => {
    const late = await refusedInDoubt('R-1');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    const { operationId, rowId } = only('R-1');
    expect(await shop.core.keep(operationId, decider)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(attention()).toEqual([]);
    expect(shop.core.status().operations.found).toBe(0);
    expect(shop.core.history(rowId)).toContainEqual(expect.objectContaining({ to: 'applied', person: 'Huda' }));
    expect(await shop.core.keep(operationId, decider)).toMatchObject({ kind: 'not_now' });
  });

  test('is taken back by a person who says so', async () => {
    const late = await refusedInDoubt('R-1');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    const { operationId } = only('R-1');
    expect(await shop.core.takeBack(operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(20_000);
    expect(only('R-1').state).toBe('reversed');
    expect(attention()).toEqual([]);
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test('and then written off, is a person’s to decide about when it arrives', async () => {
    const late = await refusedInDoubt('R-1');
    await shop.core.writeOff(only('R-1').operationId, decider);
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(attention()).toMatchObject([{ externalRef: 'R-1', state: 'applied', found: 'stands' }]);
  });

  test.each([
    ['its own time', 1],
    ['its own time in whole seconds', 1_000],
  ])(
    'and undone before that was known, is reversed when it arrives with %s: both are shown',
    async (_, roundedToMs) => {
      await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
      await refuse('/transactions/earn');
      shop.clock.advance(400);
      const { rowId, occurredAtMs } = await earn('R-1');
      const sent = JSON.parse(shop.core.sentRequest(rowId)?.body ?? '');
      const occurred_at = new Date(Math.floor(occurredAtMs / roundedToMs) * roundedToMs).toISOString();
      await shop.pass(200);
      expect(await shop.core.reverse(only('R-1').rowId, undoOf())).toMatchObject({ kind: 'saved' });
      await shop.pass(15_000);
      expect(only('R-1').state).toBe('cancelled');
      await shop.call('POST', '/v1/transactions/earn', { ...sent, occurred_at });
      await shop.pass(5 * minuteMs, 5_000);
      expect(only('R-1').state).toBe('reversed');
      expect(only('reverse-earn-R-1')).toMatchObject({ state: 'applied', reversesRowId: only('R-1').rowId });
      expect(attention()).toEqual([]);
      expect(await shop.points()).toBe(pointsAtFirst);
    },
  );

  test('is looked for after a restart, too', async () => {
    const late = await refusedInDoubt('R-1');
    await shop.pass(minuteMs);
    await late.arrive();
    shop.crash();
    shop.start();
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test.each([
    ['back', -6 * hourMs],
    ['forward', 6 * hourMs],
  ])('is looked for in time when the wall clock is set %s', async (_, byMs) => {
    const late = await refusedInDoubt('R-1');
    await shop.pass(15 * minuteMs, 5_000);
    shop.setTillClock(byMs);
    await shop.pass(minuteMs, 5_000);
    await late.arrive();
    await shop.pass(50 * minuteMs, 5_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('is looked for in time when the wall clock is set and the agent ends before it has looked again', async () => {
    const late = await refusedInDoubt('R-1');
    await shop.pass(15 * minuteMs, 5_000);
    shop.setTillClock(6 * hourMs);
    await shop.stop();
    shop.start();
    await shop.pass(minuteMs, 5_000);
    await late.arrive();
    await shop.pass(50 * minuteMs, 5_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('waits for the line', async () => {
    const late = await refusedInDoubt('R-1');
    await late.arrive();
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(hourMs, 20_000);
    expect(only('R-1').state).toBe('refused');
    await shop.mend();
    await shop.pass(5 * minuteMs, 5_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('stays refused when the service holds another’s under its reference', async () => {
    await refusedInDoubt('R-1');
    await shop.call('POST', '/v1/transactions/earn', {
      identifier: { loyalty_id: 'LC-1009' },
      external_ref: 'R-1',
      points: 10,
      occurred_at: new Date(shop.clock.now()).toISOString(),
    });
    await shop.pass(15 * minuteMs, 5_000);
    expect(only('R-1').state).toBe('refused');
  });
});

describe('a sale that was refused at its first sending', () => {
  test('is looked for once, at ten minutes', async () => {
    await refuse('/transactions/earn');
    const operation = await earn('R-1');
    const late = bytesOf(operation);
    await shop.pass(5_000);
    expect(only('R-1').state).toBe('refused');
    // A proxy sends it again.
    await shop.pass(5 * minuteMs, 5_000);
    await late.arrive();
    await shop.pass(4 * minuteMs, 5_000);
    expect(only('R-1').state).toBe('refused');
    await shop.pass(2 * minuteMs, 5_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('is looked for no further time in a day', async () => {
    await refuse('/transactions/earn');
    await earn('R-1');
    await shop.pass(5_000);
    const before = lookCount('R-1');
    await shop.pass(26 * hourMs, minuteMs);
    expect(lookCount('R-1') - before).toBe(2);
  });
});

test('a sale in its normal life is never looked up again', async () => {
  await earn('R-1');
  await shop.pass(26 * hourMs, minuteMs);
  expect(only('R-1').state).toBe('applied');
  expect(lookCount('R-1')).toBe(0);
});

describe('a sale that was corrected while what was sent before is on its way', () => {
  const correct = async (ref: string, correction: object) =>
    expect(await shop.core.correct(only(ref).operationId, correction, decider)).toMatchObject({ kind: 'done' });

  test('and arrives first, is shown with what stands, before anybody takes the sale a second time', async () => {
    const late = await refusedInDoubt('R-1');
    await late.arrive();
    await correct('R-1', { points: 12 });
    await shop.pass(10_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'earlier_version', points: 10 });
    expect(attention()).toMatchObject([{ externalRef: 'R-1', found: 'earlier_version' }]);
    expect(await shop.points()).toBe(pointsAtFirst + 10);
    await shop.core.takeBack(only('R-1').operationId, decider);
    await shop.pass(20_000);
    expect(only('R-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  test('for another customer, is shown as theirs', async () => {
    const late = await refusedInDoubt('R-1');
    await late.arrive();
    await correct('R-1', { identifier: { loyalty_id: 'LC-1009' } });
    await shop.pass(10_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'earlier_version' });
    expect(JSON.parse(shop.core.sentRequest(only('R-1').rowId)?.body ?? '')).toMatchObject({
      identifier: { loyalty_id: 'LC-1001' },
    });
  });

  test('and arrives after the correction, changes nothing', async () => {
    const late = await refusedInDoubt('R-1');
    await correct('R-1', { points: 12 });
    await shop.pass(10_000);
    await late.arrive();
    await shop.pass(30 * hourMs, minuteMs);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: null, points: 12 });
    expect(await shop.points()).toBe(pointsAtFirst + 12);
  });
});

describe('after an older copy of the database was put back', () => {
  const undo = (ref: string) => shop.core.reverse(only(ref).rowId, undoOf());

  test('a sale that was sent since, and is undone as if it had not been, is left to a person', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('R-1');
    const older = shop.image();
    await shop.mend();
    await shop.pass(20_000);
    expect(only('R-1').state).toBe('applied');
    await shop.fault('/*', { type: 'offline' });
    shop.crash(older);
    shop.start();
    await shop.pass(1_000);
    expect(await undo('R-1')).toMatchObject({ kind: 'cancelled' });
    await shop.mend();
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('R-1')).toMatchObject({ state: 'applied', found: 'stands' });
    await shop.core.takeBack(only('R-1').operationId, decider);
    await shop.pass(20_000);
    expect(only('R-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
  });

  /** A redemption that no byte left the till of, and a sale afterwards. */
  async function unsentRedemption(): Promise<void> {
    await shop.fault('/transactions/redeem', { type: 'offline' }, 1);
    const outcome = await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 }));
    expect(outcome.kind).toBe('not_sent');
    await shop.mend();
    await shop.pass(hourMs, minuteMs);
  }

  test('a redemption that was never sent is not found in another till’s equal one from before the copy', async () => {
    await unsentRedemption();
    const anothers = { external_ref: 'T-1', identifier: { loyalty_id: 'LC-1001' }, points: 40 };
    await shop.call('POST', '/v1/transactions/redeem', anothers);
    await shop.pass(5_000);
    await earn('R-1');
    await shop.pass(20_000);
    shop.crash(shop.image());
    shop.start();
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('T-1')).toMatchObject({ state: 'cancelled', found: null });
  });

  test('a redemption that was sent since is found', async () => {
    await unsentRedemption();
    await earn('R-1');
    await shop.pass(20_000);
    const older = shop.image();
    await shop.pass(5_000);
    const again = shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 });
    expect(await shop.passUntil(again)).toMatchObject({ kind: 'done' });
    shop.crash(older);
    shop.start();
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('T-1')).toMatchObject({ state: 'applied', found: 'stands' });
  });

  test('a sale that was taken back since is shown as reversed', async () => {
    await earn('R-1');
    await shop.pass(10_000);
    const older = shop.image();
    expect(await undo('R-1')).toMatchObject({ kind: 'saved' });
    await shop.pass(20_000);
    expect(only('R-1').state).toBe('reversed');
    shop.crash(older);
    shop.start();
    expect(only('R-1').state).toBe('applied');
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('R-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
  });
});

describe('a sale that was saved without a connection, undone after a restart, and sold at another till under its number', () => {
  const soldThere = { identifier: { loyalty_id: 'LC-1001' }, external_ref: '0001', points: 10 };
  const occursAt = (soldAtMs: number) => ({ occurred_at: new Date(soldAtMs).toISOString() });

  async function undoneOffline(): Promise<void> {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('0001');
    await shop.stop();
    shop.start();
    await shop.pass(20_000);
    expect(await shop.core.reverse(only('0001').rowId, undoOf())).toMatchObject({ kind: 'cancelled' });
    await shop.pass(30 * minuteMs, 5_000);
    await shop.mend();
  }

  test.each([
    ['with its own time', true],
    ['with the time of its arrival', false],
  ])('%s, stays there, and is not taken for this till’s', async (_, isTold) => {
    await undoneOffline();
    await shop.call('POST', '/v1/transactions/earn', { ...soldThere, ...(isTold ? occursAt(shop.clock.now()) : {}) });
    await shop.pass(5 * minuteMs, 1_000);
    expect(await shop.held('0001')).toMatchObject([{ status: 'success' }]);
    expect(await shop.points()).toBe(pointsAtFirst + 10);
    expect(only('0001').state).toBe('cancelled');
    expect(attention()).toEqual([]);
  });
});

test('a reversal that was refused while an earlier attempt was on its way is shown with its original when it arrives', async () => {
  await earn('R-1');
  await shop.pass(10_000);
  await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
  await shop.fault('/transactions/reverse', { type: 'error', status: 422, code: 'VALIDATION_ERROR' }, 1);
  await shop.core.reverse(only('R-1').rowId, undoOf());
  await shop.pass(20_000);
  expect(only('reverse-earn-R-1').state).toBe('refused');
  await bytesOf(only('reverse-earn-R-1')).arrive();
  await shop.pass(3 * minuteMs, 5_000);
  expect([only('R-1').state, only('reverse-earn-R-1').state]).toEqual(['reversed', 'applied']);
  expect(attention()).toEqual([]);
  expect(await shop.points()).toBe(pointsAtFirst);
});
