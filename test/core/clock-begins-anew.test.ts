import { describe, expect, test } from 'vitest';
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
    ['an earn', () => earn('0001'), otherTime],
    ['a redemption', () => redeem('0001'), otherDay],
  ])('is two requests: %s', async (_, ask, other) => {
    await ask();
    await nextMorning();
    expect(await ask()).toMatchObject(other('2026-11-20'));
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
