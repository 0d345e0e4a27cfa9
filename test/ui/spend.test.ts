import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loseAnswerTo } from '../support/late-answers.ts';
import { answerIsRead, axeFindings, hasChromium, leaveCustomer } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

// The built screen on the built agent with its own sandbox: what a cashier has.
useUiTill();

beforeEach(async () => {
  if (hasChromium) await till.control('/reset', {});
});
afterEach(async () => {
  if (!hasChromium) return;
  await till.control('/faults', undefined, 'DELETE');
  if (await page.getByRole('dialog').isVisible()) {
    await answerIsRead(page);
    await page.keyboard.press('Escape');
  }
  await leaveCustomer(page);
  // A press of the next test at the same place would be the second of two taps.
  await answerIsRead(page);
});

const outcome = () => page.locator('.outcome');
const recent = () => page.getByRole('region', { name: 'Recent' });
const operation = (name: string) => page.locator(`[data-operation="${name}"]`);
const confirm = () => page.getByRole('button', { name: 'Confirm' });

const pointsAtService = (loyaltyId = 'LC-1001'): Promise<number> => till.points(loyaltyId);

/** As another till of the shop would. */
async function redeemElsewhere(value: object, loyaltyId: string): Promise<void> {
  const body = { identifier: { loyalty_id: loyaltyId }, external_ref: `other-${Date.now()}`, ...value };
  expect((await till.call('/transactions/redeem', body)).status).toBe(200);
}

async function customer(loyaltyId: string, name: string): Promise<void> {
  // Typed: the same card scanned twice within two seconds is one scan.
  await page.getByRole('textbox', { name: /^(Scan or type|امسح)/ }).fill(loyaltyId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
}

describe.skipIf(!hasChromium)('spending', () => {
  it('shows what is left before, and the new balance after it', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.keyboard.type('40');
    await page.getByText('205.5 points left').waitFor();
    await page.keyboard.press('Enter');
    await outcome().getByText('205.5 points now').waitFor();
    expect(await outcome().getAttribute('data-state')).toBe('applied');
    expect(await pointsAtService()).toBe(205.5);
  });

  it('pressed twice in one breath is done once', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.keyboard.type('10');
    await confirm().dblclick();
    await outcome().getByText('235.5 points now').waitFor();
    expect(await pointsAtService()).toBe(235.5);
  });

  it('of the same again within ten minutes is asked about', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    for (const left of ['234.5 points now', '223.5 points now']) {
      await operation('redeem_points').click();
      await page.keyboard.type('11');
      await page.keyboard.press('Enter');
      if (left === '223.5 points now') {
        await page.getByText('11 points again?').waitFor();
        expect(await pointsAtService()).toBe(234.5);
        await confirm().click();
      }
      await outcome().getByText(left).waitFor();
    }
  });

  it('whose answer was lost, and whose amount was then changed, shows what was saved', async () => {
    await loseAnswerTo(page, 'operation.redeem');
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.keyboard.type('35');
    await page.keyboard.press('Enter');
    await page.getByText('No answer from Tillbridge').waitFor();
    expect(await pointsAtService()).toBe(210.5);
    await page.locator('.app[data-link=open]').waitFor();
    await page.keyboard.type('50');
    await page.keyboard.press('Enter');
    await outcome().getByText('Deducted by an earlier press. Nothing more was deducted.').waitFor();
    expect(await outcome().textContent()).toContain('35 points');
    expect(await outcome().textContent()).not.toContain('spent');
    expect(await outcome().getAttribute('data-state')).toBe('applied');
    expect(await pointsAtService()).toBe(210.5);
  });

  it('of all that there is takes one press', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.getByRole('button', { name: 'Use all' }).click();
    await page.getByText('0 points left').waitFor();
    await page.keyboard.press('Enter');
    await outcome().getByText('0 points now').waitFor();
    await operation('redeem_points').waitFor({ state: 'detached' });
  });

  it('more than there is on the card says so once, is not sent, and takes less in the same place', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.keyboard.type('9000');
    await page.getByText('Only 245.5 points on the card').waitFor();
    expect(await page.locator('.entry-confirm').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    expect(await page.getByText('Only 245.5 points on the card').count()).toBe(1);
    // The field is marked: what is typed now takes its place.
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await outcome().getByText('240.5 points now').waitFor();
    expect(await pointsAtService()).toBe(240.5);
  });

  it('of a coupon is once: the second time says that it was used', async () => {
    await customer('LC-1006', 'Lucía Fernández Ortega');
    await operation('redeem_coupon').click();
    await answerIsRead(page);
    await confirm().click();
    await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
    expect(await outcome().getByRole('button', { name: 'Undo' }).count()).toBe(0);
    // Its card has nothing left to use.
    await operation('redeem_coupon').waitFor({ state: 'detached' });
  });

  it('of a coupon that another till has used meanwhile says so', async () => {
    await customer('LC-1006', 'Lucía Fernández Ortega');
    await operation('redeem_coupon').click();
    const code = await page.getByLabel('Coupon code').inputValue();
    await page.getByLabel('Coupon code').fill('');
    await confirm().click();
    await page.getByText('Scan or enter the code.').waitFor();
    await page.getByLabel('Coupon code').fill(code);
    await redeemElsewhere({ coupon_code: code }, 'LC-1006');
    await confirm().click();
    await page.getByRole('alert').filter({ hasText: 'This coupon was used before' }).waitFor();
  });

  it('of a reward asks which, where there is a choice', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_reward').click();
    await answerIsRead(page);
    await confirm().click();
    await page.getByText('Choose the reward.').waitFor();
    await page.getByRole('dialog').getByRole('radio', { name: 'Free coffee' }).check();
    await confirm().click();
    await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
  });

  it.each([
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const)('has nothing that axe finds in its dialogs (%s, %s)', async (colorScheme, locale) => {
    await page.emulateMedia({ colorScheme });
    if (locale === 'ar') await page.getByRole('button', { name: 'العربية' }).click();
    await customer('LC-1001', 'Fatima Al-Sabah');
    for (const name of ['redeem_points', 'redeem_reward']) {
      await operation(name).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    if (locale === 'ar') await page.getByRole('button', { name: 'English' }).click();
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

describe.skipIf(!hasChromium)('a redemption whose answer does not come', () => {
  /** @param points other ones each time: the same again within ten minutes is asked about */
  async function loseAnswer(type: string, points: number): Promise<void> {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await till.control('/faults', { match: { path: '/transactions/redeem' }, effect: { type } });
    await till.control('/faults', { match: { path: '/transactions' }, effect: { type: 'drop_request' } });
    await operation('redeem_points').click();
    await page.keyboard.type(String(points));
    await page.keyboard.press('Enter');
    await outcome().getByText('Do not repeat').waitFor();
    expect(await page.getByRole('button', { name: 'Give it' }).count()).toBe(0);
  }

  it('is found out by itself when the line is back; meanwhile nothing else is spent from that card', async () => {
    await loseAnswer('drop_response', 20);
    const reward = operation('redeem_reward');
    expect(await reward.isDisabled()).toBe(true);
    expect(await operation('earn_amount').isEnabled()).toBe(true);
    await till.control('/faults', undefined, 'DELETE');
    await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
    expect(await pointsAtService()).toBe(225.5);
    await expect.poll(() => reward.isEnabled()).toBe(true);
  });

  it('offers after a quarter of a minute to take full payment, and is then taken back should it count', async () => {
    await loseAnswer('drop_response', 21);
    await till.control('/clock', { advance_ms: 15_000 });
    await page.getByRole('button', { name: 'Take full payment' }).click();
    await outcome().getByText('The customer pays in full.').waitFor();
    await till.control('/faults', undefined, 'DELETE');
    await expect.poll(() => pointsAtService(), { timeout: 60_000, interval: 250 }).toBe(245.5);
    // The till has heard of it, too, before the service forgets everything.
    await recent().locator('[data-intent=reverse][data-state=applied]').first().waitFor();
  }, 120_000);

  it('offers to give it, and finishes it by itself; a page that is loaded again offers the same', async () => {
    await loseAnswer('drop_request', 22);
    await till.control('/clock', { advance_ms: 15_000 });
    await page.reload();
    // What the story before gave back may still be on its way, above it.
    await recent().locator('.row-open').filter({ hasText: '21 points' }).first().click();
    await outcome().getByText('Gave back 21 points').waitFor();
    await recent().locator('.row-open').filter({ hasText: '22 points' }).click();
    await outcome().getByRole('button', { name: 'Give it' }).click();
    await outcome().getByText('Given to the customer').waitFor();
    await till.control('/faults', undefined, 'DELETE');
    await expect.poll(() => pointsAtService(), { timeout: 60_000, interval: 250 }).toBe(223.5);
  }, 120_000);
});

describe.skipIf(!hasChromium)('undoing what was sent', () => {
  it('asks once, and puts the balance back', async () => {
    await customer('LC-1001', 'Fatima Al-Sabah');
    await operation('redeem_points').click();
    await page.keyboard.type('30');
    await page.keyboard.press('Enter');
    await outcome().getByText('215.5 points now').waitFor();
    const ref = await outcome().getAttribute('data-ref');
    const row = recent().locator(`[data-ref="${ref}"]`).filter({ hasText: '30 points' });
    await row.getByRole('button', { name: 'Spent 30 points' }).click();
    await outcome().getByText('Give 30 points back to Fatima?').waitFor();
    expect(await pointsAtService()).toBe(215.5);
    await outcome().getByRole('button', { name: 'Give 30 points back' }).click();
    await recent().locator(`[data-ref="${ref}"][data-state=reversed]`).waitFor();
    expect(await pointsAtService()).toBe(245.5);
  });
});
