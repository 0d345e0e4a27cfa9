import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoryTill, type StoryTill } from '../../support/story-till.ts';
import { answerIsRead, hasChromium } from '../../support/ui-page.ts';

let till: StoryTill;

beforeAll(async () => {
  if (hasChromium) till = await openStoryTill();
});
afterAll(async () => {
  if (hasChromium) await till.close();
});

const outcome = () => till.page.locator('.outcome');
const held = () => till.page.getByRole('region', { name: 'Held for orders' });

/** @param effect of the redemption: whether the service gets it before the line dies */
async function loseAnswer(effect: 'drop_request' | 'drop_response', receipt: string): Promise<void> {
  await till.customer('LC-1001', 'Fatima Al-Sabah');
  await till.fault('/transactions/redeem', { type: effect });
  await till.fault('/transactions', { type: 'drop_request' });
  await till.press('redeem_points');
  await till.confirm({ value: '100', receipt });
  await outcome().getByText('Do not repeat').waitFor();
  await till.pass(15_000);
}

describe.skipIf(!hasChromium)('a cashier whose customer spends', () => {
  it('takes full payment when no answer comes, and the points come back', async () => {
    await till.begin('10:12');
    await loseAnswer('drop_response', '2051');
    await till.page.getByRole('button', { name: 'Give it' }).waitFor();
    await till.picture('lost-answer');
    await till.page.getByRole('button', { name: 'Take full payment' }).click();
    await outcome().getByRole('heading', { name: 'Take full payment' }).waitFor();
    await till.picture('take-full-payment');
    // The service has it: it was only the answer that was lost.
    expect(await till.books('LC-1001')).toMatchObject({ points: 145.5 });
    await till.mendLine();
    await till.hurry('.recent [data-ref$="-2051"][data-state="reversed"]');
    expect(await till.books('LC-1001')).toMatchObject({ points: 245.5 });
    expect(await till.writes('/transactions/redeem')).toBe(1);
  });

  it('gives it when no answer comes, and it is taken off the card once the line is back', async () => {
    await till.begin('11:40');
    await loseAnswer('drop_request', '2052');
    await till.page.getByRole('button', { name: 'Give it' }).click();
    await outcome().getByRole('heading', { name: 'Given to the customer' }).waitFor();
    await till.picture('give-it');
    expect(await till.books('LC-1001')).toMatchObject({ points: 245.5 });
    await till.mendLine();
    await till.hurry('.recent [data-ref$="-2052"][data-state="applied"]');
    expect(await till.books('LC-1001')).toMatchObject({ points: 145.5 });
    expect(await till.writes('/transactions/redeem')).toBe(1);
  });

  it('is told that a coupon was used before', async () => {
    await till.begin('13:20');
    await till.customer('LC-1006', 'Lucía Fernández Ortega');
    await till.press('redeem_coupon');
    // Meanwhile at the shop's self-checkout, with the same coupon.
    const coupon_code = await till.page.getByLabel('Coupon code').inputValue();
    const elsewhere = { identifier: { loyalty_id: 'LC-1006' }, external_ref: 'SELF-88', coupon_code };
    expect((await till.call('/transactions/redeem', elsewhere)).status).toBe(200);
    await till.confirm({ receipt: '2053' });
    await till.page.getByRole('alert').filter({ hasText: 'This coupon was used before' }).waitFor();
    await till.page.locator('.recent [data-ref$="-2053"][data-state="cancelled"]').waitFor();
    await till.picture('coupon-twice');
    expect(await till.books('LC-1006')).toMatchObject({ rewards_available: 0 });
    expect(await till.writes('/transactions/redeem')).toBe(1);
  });

  it('gives the reward that the customer chooses', async () => {
    await till.begin('15:05');
    await till.customer('LC-1001', 'Fatima Al-Sabah');
    // All three columns begin at one height.
    const firsts = till.page.locator('.find-box, .avatar, .operation-slot:first-child .operation');
    const tops = await firsts.evaluateAll((all) => all.map((first) => Math.round(first.getBoundingClientRect().top)));
    expect(tops.length).toBe(3);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);
    await till.press('redeem_reward');
    await till.page.getByRole('dialog').getByRole('radio', { name: 'Free cake' }).check();
    await till.picture('reward-choice');
    await till.confirm({ receipt: '2054' });
    await till.outcome('applied');
    expect(await till.books('LC-1001')).toMatchObject({ points: 145.5, rewards_available: 1 });
  });

  it('holds points for an order, and holds them again when the time has run out', async () => {
    await till.begin('17:30');
    await till.holdClock();
    await till.customer('LC-1001', 'Fatima Al-Sabah');
    const hold = async (): Promise<void> => {
      await till.page.getByRole('dialog').getByRole('button', { name: 'Hold 120 points' }).click();
      await held().locator('[data-state=reserved]').getByText('15:00').waitFor();
    };
    await till.page.getByRole('button', { name: 'Hold for an order' }).click();
    await till.page.getByRole('dialog').getByLabel('Points').fill('120');
    await till.page.getByRole('button', { name: 'Order no.' }).click();
    await till.page.getByLabel('Order no.').fill('CART-7');
    await hold();
    await held().getByText('CART-7').waitFor();
    // Touched, it stays: the time runs out while it is shown, however slow the machine is.
    await outcome().click();
    await till.picture('hold');
    await till.pass(16 * 60_000);
    await held().locator('[data-state=expired]').getByText('Expired').waitFor();
    await outcome().getByText('Expired').waitFor();
    await till.picture('hold-ran-out');
    await answerIsRead(till.page);
    await held().getByRole('button', { name: 'Hold again' }).click();
    await held().locator('[data-state=reserved]').waitFor();
    await answerIsRead(till.page);
    await held().getByRole('button', { name: 'Order paid' }).click();
    await till.page.getByLabel('Order no.').fill('A-19');
    await till.page.keyboard.press('Enter');
    await held().waitFor({ state: 'detached' });
    expect(await till.books('LC-1001')).toMatchObject({ points: 125.5 });
  });
});
