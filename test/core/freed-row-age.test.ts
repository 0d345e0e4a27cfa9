import { describe, expect, test } from 'vitest';
import { operationView } from '../../app/till/operation-view.ts';
import { waysWith } from '../../renderer/operation/standing.ts';
import { earn, elapse, minuteMs, openSameNumberShop, redeem, rowOf, shop } from '../support/same-number-shop.ts';

openSameNumberShop();

const toMind = () => shop.core.redemptionsToMind().map(({ externalRef }) => externalRef);
const attention = () => shop.core.needingAttention({ limit: 10 }).map(({ externalRef }) => externalRef);

/** A redemption of more points than there are, whose number is free again. */
async function refusedRedemption(ref: string): Promise<void> {
  expect((await redeem(ref, { points: 99_999 })).kind).toBe('refused');
}

describe('a request under a number whose first request was refused long ago', () => {
  test('and that spends is minded for ten minutes from its own time', async () => {
    await refusedRedemption('R-7');
    await elapse(15 * minuteMs);
    expect(toMind()).toEqual([]);
    expect((await redeem('R-7')).kind).toBe('done');
    expect(toMind()).toEqual(['R-7']);
    await elapse(9 * minuteMs);
    expect(toMind()).toEqual(['R-7']);
    await elapse(2 * minuteMs);
    expect(toMind()).toEqual([]);
  });

  test('and that earns is found when the same sale is entered again', async () => {
    const sale = { identifier: { loyalty_id: 'LC-1001' }, points: 10 };
    await earn('R-7', { identifier: { loyalty_id: 'NOBODY' } });
    await shop.pass(5_000);
    expect(rowOf('R-7').state).toBe('refused');
    await elapse(15 * minuteMs);
    expect(shop.core.findRepeat(sale)).toBeNull();
    await earn('R-7');
    expect(shop.core.findRepeat(sale)).toMatchObject({ externalRef: 'R-7' });
    await elapse(11 * minuteMs);
    expect(shop.core.findRepeat(sale)).toBeNull();
  });

  test('and whose outcome is unknown is waited for as long as any other', async () => {
    await refusedRedemption('R-7');
    await elapse(15 * minuteMs);
    await shop.fault('/transactions/redeem', { type: 'drop_request' });
    await shop.fault('/transactions', { type: 'offline' });
    const sentAtMs = shop.clock.now();
    expect((await redeem('R-7')).kind).toBe('unknown');
    const { saved_at } = operationView(rowOf('R-7', 'redeem'));
    expect(Date.parse(saved_at)).toBe(sentAtMs);
    const ways = () => waysWith(operationView(rowOf('R-7', 'redeem')), shop.clock.now());
    expect([ways(), attention()]).toEqual(['wait', []]);
    await elapse(minuteMs);
    expect([ways(), attention()]).toEqual(['decide', []]);
    await elapse(15 * minuteMs);
    expect(attention()).toEqual(['R-7']);
  });
});
