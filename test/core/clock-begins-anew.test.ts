import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// The clock begins on 20 November, 21:13 in Kuwait; a business day ends at 05:00.
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const atOnce = { waitMs: 0 };

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const rowOf = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const earn = (ref: string, request: object = {}, part: object = {}) =>
  shop.saveEarn(ref, { points: 10, ...request }, { origin: 'bridge', ...part });
const redeem = (ref: string, value: object = { points: 5 }, part: object = {}) =>
  shop.passUntil(shop.core.perform(shop.redemption(ref, value, part), atOnce));

const duplicate = { kind: 'saved', duplicate: true };
const otherTime = (firstBusinessDate: string) => ({
  kind: 'reference_taken',
  differingFields: ['occurred_at'],
  firstBusinessDate,
});
/** Time passes, and the machine is awake. */
const elapse = (durationMs: number) => shop.pass(durationMs, Math.max(250, durationMs / 60));
// 04:59.
const untilFive = 7 * hourMs + 46 * minuteMs;

describe('one reference on two days, where the till’s clock begins at the same time with each start', () => {
  async function nextMorning(): Promise<void> {
    await shop.pass(5_000);
    await shop.stop();
    await elapse(24 * hourMs);
    shop.setTillClock(-24 * hourMs);
    shop.start();
    await shop.pass(2 * minuteMs);
  }

  test.each([
    ['an earn', () => earn('0001')],
    ['a redemption', () => redeem('0001')],
  ])('is two requests: %s', async (_, ask) => {
    await ask();
    await nextMorning();
    expect(await ask()).toMatchObject(otherTime('2026-11-20'));
  });

  test('is two requests also where the first one was saved before the service had told its time', async () => {
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    await shop.stop();
    shop.setTillClock(-48 * hourMs);
    shop.start();
    await earn('0001');
    await shop.pass(minuteMs);
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(2 * minuteMs);
    expect(rowOf('0001').state).toBe('applied');
    await nextMorning();
    expect(await earn('0001')).toMatchObject(otherTime('2026-11-20'));
  });

  test('is one request where a right clock is set wrong over a restart', async () => {
    await elapse(untilFive);
    await earn('0001');
    await shop.stop();
    shop.setTillClock(-24 * hourMs);
    shop.start();
    await elapse(2 * minuteMs);
    expect(await earn('0001')).toMatchObject(duplicate);
  });
});
