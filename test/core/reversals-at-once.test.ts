import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReversalRequest } from '../../app/operations/reversals/reversal-row.ts';
import type { WriterSchedule } from '../../app/store/database/writer.ts';
import { CounterShop } from '../support/counter-shop.ts';

// Reversals that meet in one commit. The test says when the till commits.

const waits = { waitMs: 120_000 };
let shop: CounterShop;
let isHeld: boolean;
let held: (() => void)[];
const schedule: WriterSchedule = {
  soon(callback) {
    if (isHeld) held.push(callback);
    else setImmediate(callback);
  },
  later(callback) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};
/** Commits what has gathered, in one commit, and lets nothing else in between. */
function commit(): void {
  isHeld = false;
  for (const callback of held.splice(0)) callback();
}

beforeEach(async () => {
  isHeld = false;
  held = [];
  shop = new CounterShop();
  await shop.stop();
  shop.schedule = schedule;
  shop.start();
  await shop.pass(1_000);
});
afterEach(() => shop.end());

const request = (reversalRef: string | null): ReversalRequest => ({
  origin: 'bridge',
  operationId: shop.newId(),
  reversalRef,
  reason: null,
  idempotencyKey: null,
});
/** As the bridge does it. */
async function reverse(rowId: number, reversalRef: string | null) {
  const outcome = await shop.core.reverse(rowId, request(reversalRef));
  return outcome.kind === 'immediate' ? shop.core.perform(outcome.write, waits) : outcome;
}

describe('a reversal that the service refuses', () => {
  it('leaves its row in the commit in which an equal one takes it: that one is sent, and gets its own outcome', async () => {
    await shop.core.perform(shop.redemption('R-1', { points: 40 }), waits);
    const { rowId } = shop.operation('R-1', 'redeem');
    const refused = Promise.withResolvers<void>();
    let sentCount = 0;
    shop.meddle = async (call, carry) => {
      if (!call.target.endsWith('/transactions/reverse')) return carry(call);
      sentCount += 1;
      if (sentCount > 1) return carry(call);
      await refused.promise;
      const error = { code: 'VALIDATION_ERROR', message: 'not now', retryable: false, request_id: 'req_1' };
      return { kind: 'response', response: { status: 422, headers: {}, body: JSON.stringify({ error }) } };
    };
    const first = reverse(rowId, 'V-1');
    await shop.quiet();
    expect(shop.operation('V-1', 'reverse').state).toBe('sending');

    isHeld = true;
    refused.resolve();
    await shop.quiet();
    // The first one's settlement has gathered; the decision over the second stands behind it.
    expect(held).toHaveLength(1);
    const second = reverse(rowId, 'V-1');
    await shop.quiet();
    commit();

    expect(await shop.passUntil(first)).toMatchObject({ kind: 'refused', refusal: { httpStatus: 422 } });
    expect(await shop.passUntil(second)).toMatchObject({ kind: 'done', duplicate: false });
    expect(sentCount).toBe(2);
    await shop.pass(5_000);
    expect(shop.operation('V-1', 'reverse').state).toBe('applied');
    expect(await shop.points()).toBe(245.5);
    expect(shop.errors).toEqual([]);
  });
});

describe('eight reversals at once', () => {
  it.each([
    ['under one reference', (rowId: number) => `V-${rowId}`],
    ['each under its own', (rowId: number, index: number) => `V-${rowId}-${index}`],
    ['without any', () => null],
  ])('are one, and none is a fault: %s', async (_, referenceOf) => {
    await shop.core.perform(shop.redemption('R-1', { points: 40 }), waits);
    const earned = await shop.saved('E-1', { points: 10 });
    await shop.pass(5_000);
    for (const { rowId } of [shop.operation('R-1', 'redeem'), earned]) {
      isHeld = true;
      const asked = Array.from({ length: 8 }, (_, index) => reverse(rowId, referenceOf(rowId, index)));
      await shop.quiet();
      commit();
      const outcomes = await shop.passUntil(Promise.all(asked));
      const kinds = new Set(outcomes.map(({ kind }) => kind));
      expect([...kinds].filter((kind) => !['done', 'saved', 'already', 'refused'].includes(kind))).toEqual([]);
    }
    await shop.pass(10_000);
    expect(await shop.points()).toBe(245.5);
    expect(shop.errors).toEqual([]);
  });

  it('that the disk refuses together are all told so, with the reason in the log, and can be asked for again', async () => {
    const { rowId } = await shop.saved('E-1', { points: 10 });
    await shop.pass(5_000);
    const holder = new BetterSqlite3(`${shop.dataDir}/sandbox.sqlite`);
    holder.exec('BEGIN IMMEDIATE');
    isHeld = true;
    const asked = Array.from({ length: 4 }, () => reverse(rowId, 'V-1'));
    await shop.quiet();
    commit();
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'not_saved'));
    expect(shop.errors.filter((line) => line.startsWith('A reversal could not be saved and was refused'))).toHaveLength(
      4,
    );
    holder.exec('ROLLBACK');
    holder.close();
    expect(await reverse(rowId, 'V-1')).toMatchObject({ kind: 'saved', duplicate: false });
  });
});

it('a sale that a manager sends under another number in the commit in which its program takes it back goes out under none', async () => {
  const failed = await shop.saved('R-1', { points: 10 }, { origin: 'bridge' });
  await shop.pass(100, 50);
  const { serviceTransactionId } = shop.operation('R-1');
  await shop.call('POST', `/_sandbox/transactions/${serviceTransactionId}/fail`, { code: 'INTERNAL' });
  await shop.pass(5_000);
  expect(shop.operation('R-1').state).toBe('failed');

  isHeld = true;
  const replaced = shop.core.replace(failed.operationId, { person: 'Mona', reason: 'typed twice' });
  await shop.quiet();
  // The replacement has gathered; the decision over the reversal stands behind it.
  expect(held).toHaveLength(1);
  const taken = reverse(failed.rowId, null);
  await shop.quiet();
  commit();

  expect(await shop.passUntil(replaced)).toMatchObject({ kind: 'done' });
  expect(await shop.passUntil(taken)).toMatchObject({ kind: 'cancelled' });
  await shop.pass(20_000);
  expect(shop.operation('R-1-2').state).toBe('cancelled');
  expect(await shop.held('R-1-2')).toEqual([]);
});
