import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDay, readDay } from '../../app/till/day.ts';
import { Shop } from '../support/core-shop.ts';

// The till's clock shows 2026-11-20 and is three days behind: the sale took place on the 23rd.
const wrongDay = '2026-11-20';
const rightDay = '2026-11-23';
const behindMs = 3 * 24 * 3_600_000;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
  await offline();
});
afterEach(() => shop.end());

/** The till starts again and does not know by how much its clock is off. */
async function offline(): Promise<void> {
  await shop.stop();
  await shop.service.stop();
  shop.start();
  await shop.pass(1_000);
}

async function online(skewMs: number): Promise<void> {
  shop.service.skewMs = skewMs;
  await shop.service.start();
}

const applied = (ref: string) => shop.passUntil(() => shop.state(ref) === 'applied');
const close = (date: string, acknowledged: number) =>
  closeDay(shop.core, { business_date: date, closed_by: 'Huda', acknowledged_open: acknowledged }, { by: null });
const earnsOn = async (date: string): Promise<number> => {
  const { lines, since_closing } = await readDay(shop.core, date);
  const counts = [...lines, ...(since_closing?.lines ?? [])].map((line) => line.applied.count + line.waiting.count);
  return counts.reduce((sum, count) => sum + count, 0);
};
const counted = async () => ({ [wrongDay]: await earnsOn(wrongDay), [rightDay]: await earnsOn(rightDay) });

it('is today at a till whose clock is known to be wrong: for sales, references and closing alike', async () => {
  await online(behindMs);
  await shop.passUntil(() => shop.core.status().connection.state === 'clock_wrong');
  await shop.saved('R-1');
  await applied('R-1');
  expect(shop.core.newReference(null)).toContain('-20261123-');
  expect((await readDay(shop.core, null)).today).toBe(rightDay);
  expect(await close(rightDay, 0)).toMatchObject({ ok: true });
});

describe('the business day of a sale whose time is corrected', () => {
  it('is the right one; the reference keeps the date that it was made with', async () => {
    const saved = await shop.core.saveEarn(shop.newEarn());
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    const { externalRef, rowId } = saved.operation;
    expect(externalRef).toContain('-20261120-');
    expect(await counted()).toEqual({ [wrongDay]: 1, [rightDay]: 0 });
    await online(behindMs);
    await applied(externalRef);
    expect(await counted()).toEqual({ [wrongDay]: 0, [rightDay]: 1 });
    expect(shop.core.sentRequest(rowId)?.businessDate).toBe(rightDay);
    expect(shop.core.operation(rowId)?.externalRef).toBe(externalRef);
  });

  it('stays where its day was closed with it: those figures stay, and nothing is counted twice', async () => {
    await shop.saved('R-1');
    await close(wrongDay, 1);
    await online(behindMs);
    await applied('R-1');
    expect(await counted()).toEqual({ [wrongDay]: 1, [rightDay]: 0 });
  });

  it('stays where the right day was closed without it meanwhile: it would be counted nowhere', async () => {
    await shop.saved('R-1');
    shop.clock.jump(behindMs);
    await shop.saved('R-2');
    await close(rightDay, 2);
    await online(0);
    await applied('R-1');
    await applied('R-2');
    expect(await counted()).toEqual({ [wrongDay]: 1, [rightDay]: 1 });
  });

  it('is the right one where the right day was closed before the sale: it is told beside those figures', async () => {
    shop.clock.jump(behindMs);
    await shop.saved('R-2');
    await close(rightDay, 1);
    shop.clock.jump(-behindMs);
    await shop.saved('R-1');
    await online(behindMs);
    await applied('R-1');
    expect(await counted()).toEqual({ [wrongDay]: 0, [rightDay]: 2 });
    expect((await readDay(shop.core, rightDay)).since_closing?.count).toBe(1);
  });
});
