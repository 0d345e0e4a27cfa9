import { describe, expect, test } from 'vitest';
import type { DayFacts } from '../../app/operations/days/day-books.ts';
import {
  attention,
  bytesOf,
  decider,
  earn,
  hourMs,
  minuteMs,
  only,
  openLateShop,
  paidInFull,
  pointsAtFirst,
  refuse,
  refusedInDoubt,
  shop,
} from '../support/late-shop.ts';

openLateShop();

const firstDay = '2026-11-20';
const read = (date: string | null = firstDay): Promise<DayFacts> => shop.core.days.read(date);
async function close(businessDate: string, acknowledgedOpen = 0): Promise<void> {
  const outcome = await shop.core.days.close(businessDate, { closedBy: 'Huda', acknowledgedOpen });
  expect(outcome.kind).toBe('closed');
}
const sinceClosing = async () => {
  const { sinceClosing: since } = await read();
  return since?.lines.map(({ intent, applied, waiting, taken_back }) => ({ intent, applied, waiting, taken_back }));
};
const none = { count: 0, total: 0 };
const one = (total: number) => ({ count: 1, total });

/** A redemption without an answer, of which the books showed nothing. Its bytes are still on their way. */
async function cancelledAsAbsent(ref: string): Promise<ReturnType<typeof bytesOf>> {
  await shop.fault('/transactions/redeem', { type: 'drop_request' });
  await shop.passUntil(shop.core.perform(shop.redemption(ref, { points: 40 }), { waitMs: 2_000 }));
  const late = bytesOf(only(ref));
  await shop.mend();
  await shop.pass(2 * minuteMs);
  expect(only(ref).state).toBe('cancelled');
  return late;
}

describe('what is found to stand after its day was closed', () => {
  test('is told among what came since, once, and its reversal on the day on which it is taken back', async () => {
    const late = await cancelledAsAbsent('T-1');
    await close(firstDay);
    expect(await sinceClosing()).toEqual([]);
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(attention()).toMatchObject([{ externalRef: 'T-1', found: 'stands' }]);
    expect(await sinceClosing()).toEqual([{ intent: 'redeem', applied: one(40), waiting: none, taken_back: none }]);
    await shop.pass(24 * hourMs, hourMs);
    expect(await shop.core.takeBack(only('T-1').operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(20_000);
    expect(await sinceClosing()).toEqual([{ intent: 'redeem', applied: none, waiting: none, taken_back: one(40) }]);
    expect(await read(null)).toMatchObject({
      businessDate: '2026-11-21',
      lines: [{ intent: 'reverse', takes_back: 'redeem', applied: one(40) }],
      afterEarlier: { count: 1 },
    });
  });

  test('is told there, too, when it is taken back at once', async () => {
    const late = await paidInFull('T-1');
    await close(firstDay);
    await late.arrive();
    await shop.pass(5 * minuteMs, 5_000);
    expect(only('T-1').state).toBe('reversed');
    expect(await shop.points()).toBe(pointsAtFirst);
    expect(await sinceClosing()).toEqual([
      { intent: 'redeem', applied: none, waiting: none, taken_back: one(40) },
      { intent: 'reverse', applied: one(40), waiting: none, taken_back: none },
    ]);
  });

  test('and is found on the day itself counts in the figures alone', async () => {
    const late = await cancelledAsAbsent('T-1');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(only('T-1').state).toBe('applied');
    await close(firstDay);
    expect(await read()).toMatchObject({
      lines: [{ intent: 'redeem', applied: one(40) }],
      sinceClosing: { count: 0 },
      carriedOut: { states: new Map() },
    });
  });

  test('is told as what the closing carried over, where it was open then', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.passUntil(shop.core.perform(shop.redemption('T-1', { points: 40 }), { waitMs: 2_000 }));
    const late = bytesOf(only('T-1'));
    await close(firstDay, 1);
    await shop.mend();
    await shop.pass(2 * minuteMs);
    expect(only('T-1').state).toBe('cancelled');
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(await read()).toMatchObject({
      sinceClosing: { count: 0 },
      carriedOut: { states: new Map([['applied', 1]]) },
    });
  });

  test('is told beside what the closing counted as written off, whose figures stay', async () => {
    const late = await refusedInDoubt('R-1');
    await shop.core.writeOff(only('R-1').operationId, decider);
    await close(firstDay);
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(await sinceClosing()).toEqual([{ intent: 'earn', applied: one(10), waiting: none, taken_back: none }]);
    expect((await read()).lines).toMatchObject([{ intent: 'earn', applied: none, written_off: one(10) }]);
  });

  test('and had come after the closing is counted once', async () => {
    await close(firstDay);
    const late = await cancelledAsAbsent('T-1');
    expect(await sinceClosing()).toEqual([]);
    await late.arrive();
    await shop.pass(3 * minuteMs, 5_000);
    expect(await sinceClosing()).toEqual([{ intent: 'redeem', applied: one(40), waiting: none, taken_back: none }]);
  });
});

test('a reversal that was dropped, and goes out again after its day was closed, is told among what came since', async () => {
  await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
  await refuse('/transactions/earn');
  const late = bytesOf(await earn('T-1'));
  await shop.pass(200);
  const { rowId } = only('T-1');
  await shop.core.reverse(rowId, {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  });
  await shop.pass(15_000);
  expect([only('T-1').state, only('reverse-earn-T-1').state]).toEqual(['cancelled', 'cancelled']);
  await close(firstDay);
  await late.arrive();
  await shop.pass(5 * minuteMs, 5_000);
  expect([only('T-1').state, only('reverse-earn-T-1').state]).toEqual(['reversed', 'applied']);
  expect(await sinceClosing()).toEqual([
    { intent: 'earn', applied: none, waiting: none, taken_back: one(10) },
    { intent: 'reverse', applied: one(10), waiting: none, taken_back: none },
  ]);
});
