import { expect, it, vi } from 'vitest';
import { clickAt, hasChromium, pressAt, scan, writeReceipt } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

/** The built screen on the built agent with its own sandbox: what a cashier has. */
useUiTill();

const outcome = () => page.locator('.outcome');
const recent = () => page.getByRole('region', { name: 'Recent' });

async function earn(amount: string): Promise<void> {
  await page.getByLabel('Amount').fill(amount);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await outcome().waitFor();
}

it.skipIf(!hasChromium)('a scanned card earns on a purchase: saved, applied, with the new balance', async () => {
  await scan(page, 'LC-1002');
  await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
  await earn('12.500');
  await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
  await outcome().getByText('KWD 1.875 to spend now').waitFor();
  const ref = await outcome().getAttribute('data-ref');
  expect(await recent().locator(`[data-ref="${ref}"]`).getAttribute('data-state')).toBe('applied');
});

it.skipIf(!hasChromium)('the same amount for the same customer is asked about, and then taken', async () => {
  await page.getByRole('button', { name: 'Next customer' }).first().click();
  await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('yousef.mutairi@example.com');
  await page.keyboard.press('Enter');
  await page.getByLabel('Amount').fill('12.5');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('KWD 12.500 again?').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await outcome().getByText('KWD 2.500 to spend now').waitFor();
});

it.skipIf(!hasChromium)(
  'an amount that a POS hands over into an open entry, and changes there, gives way to the first key',
  async () => {
    await page.getByRole('button', { name: 'Next customer' }).first().click();
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1002');
    await page.keyboard.press('Enter');
    const amount = page.getByLabel('Amount');
    await amount.waitFor();
    const becomes = (text: string) => vi.waitFor(async () => expect(await amount.inputValue()).toBe(text), 10_000);
    for (const [minor, text] of [
      [6_000, '6.000'],
      [7_000, '7.000'],
    ] as const) {
      await till.call('/agent/screen/sale', { amount_minor: minor, external_ref: 'POS-1' });
      await becomes(text);
    }
    // A press that was on its way when the next sale came was for the amount before.
    await page.waitForTimeout(300);
    for (const [press, minor, text] of [
      [(atMs: number) => pressAt(page, 'Enter', atMs), 8_000, '8.000'],
      [(atMs: number) => clickAt(page, '.entry-confirm', atMs), 7_000, '7.000'],
    ] as const) {
      const handedAtMs = Date.now();
      await till.call('/agent/screen/sale', { amount_minor: minor, external_ref: 'POS-1' });
      await becomes(text);
      await press(handedAtMs);
      await page.waitForTimeout(100);
      expect(await outcome().count()).toBe(0);
      await becomes(text);
    }
    await page.keyboard.type('4.2', { delay: 60 });
    await becomes('4.2');
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-ref="POS-1"]').waitFor();
    expect((await till.call('/agent/screen/sale')).json).toMatchObject({
      sale: null,
      taken: { amount_minor: 4_200, handed_over: { amount_minor: 7_000 } },
    });
  },
);

it.skipIf(!hasChromium)(
  'offline a known card still shows, its earn is kept and can be undone, and the rest goes out when the line is back',
  async () => {
    await scan(page, 'LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await page.getByRole('button', { name: 'Next customer' }).first().click();
    // What was sold before has come through: on a slow machine it would wait beside this sale.
    await page.getByText(/^\d+ waiting$/).waitFor({ state: 'detached' });
    await till.control('/faults', { match: {}, effect: { type: 'offline' } });
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.getByText(/^Balance from /).waitFor();
    await page.locator('[data-connection=offline]').waitFor();
    expect(
      await page.locator('[data-operation]').evaluateAll((all) => all.map((one) => one.getAttribute('data-operation'))),
    ).toEqual(['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward']);
    expect(await page.getByRole('button', { name: 'Spend points' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Earn on purchase' }).click();
    await earn('3');
    await outcome().getByRole('button', { name: 'Undo' }).click();
    await recent().locator('[data-state=cancelled]').waitFor();
    await page.getByRole('button', { name: 'Add points' }).click();
    await page.getByRole('textbox', { name: 'Points' }).fill('10');
    await writeReceipt(page, 'R-77');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await outcome().getByText('Points follow when the connection is back').waitFor();
    expect(await outcome().getAttribute('data-ref')).toMatch(/R-77$/);
    await page.getByText('1 waiting').waitFor();
    await till.control('/faults', undefined, 'DELETE');
    await recent().locator('[data-ref$="R-77"][data-state=applied]').waitFor({ timeout: 60_000 });
    await page.getByText('1 waiting').waitFor({ state: 'detached' });
  },
);

it.skipIf(!hasChromium)('nothing on the way was refused by the page\u2019s policy', () => {
  expect(till.complaints).toEqual([]);
});
