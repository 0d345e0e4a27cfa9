import { describe, expect, test } from 'vitest';
import {
  elapse,
  hourMs,
  minuteMs,
  openSameNumberShop,
  otherDay,
  redeem,
  rowOf,
  shop,
  untilFive,
} from '../support/same-number-shop.ts';

openSameNumberShop();

const ofProgram = { origin: 'bridge', posName: 'pos' };
const ask = (ref: string) => redeem(ref, { points: 5 }, ofProgram);
const again = { kind: 'done', duplicate: true };

/** At 04:49: the business day has eleven minutes left. */
const beforeFive = () => elapse(untilFive - 10 * minuteMs);
/** The service does it, and its answer is lost. */
const loseAnswers = (path: string) => shop.fault(path, { type: 'drop_response' }, 1);

// A 504 says: send it again. It may be the first minute of the next business day by then.
describe('a write of a POS program of which nothing but outcome_unknown was answered', () => {
  test('is the same one after the day has started, and tells its outcome', async () => {
    await beforeFive();
    await loseAnswers('/transactions/redeem');
    expect(await ask('R-1')).toMatchObject({ kind: 'unknown' });
    await elapse(25 * minuteMs);
    expect(rowOf('R-1', 'redeem').state).toBe('applied');
    expect(await ask('R-1')).toMatchObject(again);
    await elapse(minuteMs);
    expect(await ask('R-1')).toMatchObject(again);
    expect(await shop.points()).toBe(240.5);
    await elapse(11 * minuteMs);
    expect(await ask('R-1')).toMatchObject(otherDay('2026-11-20'));
  });

  test('is so without a line, too: then it is still not known', async () => {
    await beforeFive();
    await loseAnswers('/transactions/redeem');
    await shop.fault('/transactions', { type: 'offline' });
    await ask('R-1');
    await elapse(25 * minuteMs);
    expect(await ask('R-1')).toMatchObject({ kind: 'unknown' });
    await shop.mend();
    await elapse(10 * minuteMs);
    expect(await ask('R-1')).toMatchObject(again);
    expect(await shop.points()).toBe(240.5);
  });

  test('is so for a commit', async () => {
    const identifier = { loyalty_id: 'LC-1001' };
    const cart = { identifier, external_ref: 'C-1', points: 5, ttl_minutes: 120 };
    await beforeFive();
    const held = await shop.call('POST', '/v1/redemptions/reserve', cart);
    const path = `/redemptions/${held.reservation_id}/commit`;
    const order = { ...ofProgram, intent: 'commit', path, body: { external_ref: 'O-1' }, identifier: null };
    await loseAnswers(path);
    expect(await redeem('O-1', {}, order)).toMatchObject({ kind: 'unknown' });
    await elapse(25 * minuteMs);
    expect(rowOf('O-1', 'commit').state).toBe('applied');
    expect(await redeem('O-1', {}, order)).toMatchObject(again);
    expect(await shop.points()).toBe(240.5);
  });

  test('is another one once an outcome was answered', async () => {
    await beforeFive();
    await loseAnswers('/transactions/redeem');
    await ask('R-1');
    await elapse(2 * minuteMs);
    expect(await ask('R-1')).toMatchObject(again);
    await elapse(25 * minuteMs);
    expect(await ask('R-1')).toMatchObject(otherDay('2026-11-20'));
  });

  test('is another one half a day later: by then it is the next morning’s receipt', async () => {
    await beforeFive();
    await loseAnswers('/transactions/redeem');
    await ask('R-1');
    await elapse(13 * hourMs);
    expect(await ask('R-1')).toMatchObject(otherDay('2026-11-20'));
  });

  test('is another one with other values', async () => {
    await beforeFive();
    await loseAnswers('/transactions/redeem');
    await ask('R-1');
    await elapse(25 * minuteMs);
    expect(await redeem('R-1', { points: 6 }, ofProgram)).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['points', 'business_date'],
    });
  });
});

test('a redemption at the screen, which tells its outcome by itself, is another one on the next day', async () => {
  await beforeFive();
  await loseAnswers('/transactions/redeem');
  await redeem('R-1');
  await elapse(25 * minuteMs);
  expect(await redeem('R-1')).toMatchObject(otherDay('2026-11-20'));
});
