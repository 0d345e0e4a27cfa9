import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf, tillStateOf } from '../support/ui-fake-agent.ts';
import { figure, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

async function openAmount(currency: string, locale: 'en' | 'ar' = 'en', maxAmountMinor = 5_000_000): Promise<void> {
  const limits = { ...tillStateOf().limits, max_amount_minor: maxAmountMinor, confirm_above_minor: null };
  agent = await shared.startAgent({ currency, limits, locale });
  const card = { ...demoCards.cashback, balances: { ...demoCards.cashback.balances, currency } };
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [card] }) });
  ({ page } = await shared.open(agent));
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('#entry-amount').waitFor();
}

const echo = () => figure(page);
const taken = () => agent.questions.find(({ command }) => command === 'operation.earn')?.input;

/** What is typed, what it is echoed as, and what is taken in minor units. (What else may be typed: unit/renderer/entry.) */
const entries = [
  ['KWD', '12.5', '12.500', 12_500],
  ['USD', '0.05', '0.05', 5],
  ['JPY', '١٢٠٠', '1200', 1_200],
] as const;

describe.skipIf(!hasChromium)('an amount', () => {
  it.each(entries)('in %s typed as %s is %s', async (currency, text, shown, amountMinor) => {
    await openAmount(currency);
    await page.locator('#entry-amount').fill(text);
    expect((await echo()).replace(/\s/g, '')).toBe(`${currency}${shown}`);
    await page.keyboard.press('Enter');
    await expect.poll(taken).toMatchObject({ amount_minor: amountMinor, currency });
  });

  it.each(entries.filter(([, text]) => /^[\d.]+$/.test(text)))(
    'in %s by keypad as %s is %s',
    async (currency, text, shown, amountMinor) => {
      await openAmount(currency);
      for (const key of text) await page.locator(`.entry-stage [data-key="${key}"]`).click();
      expect((await echo()).replace(/\s/g, '')).toBe(`${currency}${shown}`);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect.poll(taken).toMatchObject({ amount_minor: amountMinor, currency });
    },
  );

  it.each([
    ['KWD', '12.5555', 'At most 3 decimals.'],
    ['JPY', '12.5', 'Whole numbers only.'],
    ['USD', '50000.01', 'The limit of this till is USD 50,000.00.'],
  ])('in %s as %s is refused at the field: %s', async (currency, text, words) => {
    await openAmount(currency);
    await page.locator('#entry-amount').fill(text);
    await page.keyboard.press('Enter');
    const note = page.locator('#entry-amount-note');
    await expect.poll(async () => (await note.innerText()).replace(/\u00a0/g, ' ')).toContain(words);
    expect(await page.locator('#entry-amount').getAttribute('aria-invalid')).toBe('true');
    expect(taken()).toBeUndefined();
  });

  it.each(['10000', '999999.999', '2000000'])('of %s dinars stands in one line once it is taken', async (text) => {
    await openAmount('KWD', 'en', 2_000_000_000);
    await page.locator('#entry-amount').fill(text);
    await page.keyboard.press('Enter');
    const told = page.locator('.outcome-hero bdi');
    await told.waitFor();
    for (const width of [760, 1024, 1366, 1920]) {
      await page.setViewportSize({ width, height: 768 });
      expect(await told.evaluate((element) => element.getClientRects().length), `at ${width}`).toBe(1);
    }
  });

  it('has no point on the keypad where the currency has no decimals', async () => {
    await openAmount('JPY');
    expect(await page.locator('.entry-stage [data-key="."]').isDisabled()).toBe(true);
  });

  it('is echoed in the reader’s digits, and taken the same', async () => {
    await openAmount('KWD', 'ar');
    await page.locator('#entry-amount').fill('12.5');
    expect((await echo()).replace(/\s/g, '')).toBe('د.ك١٢٫٥٠٠');
    await page.keyboard.press('Enter');
    await expect.poll(taken).toMatchObject({ amount_minor: 12_500 });
  });
});
