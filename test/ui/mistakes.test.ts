import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, pressAt, scan, writeReceipt } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What is typed after a mistake takes the place of the mistake, from its first key on.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  ({ page } = await shared.open(agent));
});

/** As a hand types: slower than a scanner. */
const hand = { delay: 60 };
const dialog = () => page.getByRole('dialog');
const field = (id: string) => dialog().locator(`#${id}`);
const refused = (service_code: string, details: readonly unknown[] = []) => ({
  ok: false as const,
  error: { code: 'refused' as const, message: '', service_code, details: [...details] },
});

async function customer(): Promise<void> {
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('[data-stage=customer]').waitFor();
}

async function askForCode(): Promise<void> {
  agent.answer = ({ command }) =>
    command === 'customer.enroll'
      ? {
          ok: true,
          value: { status: 'awaiting_otp', enrollment_id: 'enr_1', otp_expires_at: '2026-11-20T14:18:00.000Z' },
        }
      : command === 'customer.verify'
        ? refused('OTP_INVALID', ['otp_incorrect'])
        : null;
  await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
  await field('enroll-phone').waitFor();
  await page.keyboard.type('55512345', hand);
  await page.keyboard.press('Enter');
  await field('enroll-code').waitFor();
}

describe.skipIf(!hasChromium)('after a mistake the first key typed is kept', () => {
  it('in the code of an enrollment', async () => {
    await askForCode();
    await page.keyboard.type('111111', hand);
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong.').waitFor();
    await page.keyboard.type('222222', hand);
    expect(await field('enroll-code').inputValue()).toBe('222222');
  });

  it('in the phone of an enrollment, and the focus stays where somebody types', async () => {
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await field('enroll-phone').waitFor();
    await page.keyboard.type('12', hand);
    await field('enroll-email').fill('nobody');
    await page.keyboard.press('Enter');
    await dialog().locator('.field-error').first().waitFor();
    await field('enroll-email').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('@example.com', hand);
    expect(await field('enroll-email').inputValue()).toBe('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.keyboard.type('55512345', hand);
    expect(await field('enroll-phone').inputValue()).toBe('55512345');
  });

  it('in a hold, by key and by finger', async () => {
    await customer();
    agent.answer = ({ command }) => (command === 'hold.reserve' ? refused('INSUFFICIENT_BALANCE') : null);
    await page.getByRole('button', { name: 'Hold for an order' }).click();
    await field('entry-amount').waitFor();
    await page.keyboard.type('0', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('Enter a value above zero.').waitFor();
    await page.keyboard.type('12', hand);
    expect(await field('entry-amount').inputValue()).toBe('12');
    await page.keyboard.press('Enter');
    await dialog().getByText('Not enough on the card').waitFor();
    for (const key of ['3', '5']) await dialog().locator(`[data-key="${key}"]`).click();
    expect(await field('entry-amount').inputValue()).toBe('35');
  });

  it('in an amount, by key and by finger, however Confirm was pressed', async () => {
    await customer();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('9999', hand);
    await page.locator('.entry-confirm').click();
    await dialog().getByText('The limit of this till is').waitFor();
    await page.keyboard.type('120', hand);
    expect(await field('entry-amount').inputValue()).toBe('120');
    await field('entry-amount').fill('9999');
    await page.locator('.entry-confirm').click();
    await dialog().getByText('The limit of this till is').waitFor();
    for (const key of ['3', '5']) await dialog().locator(`[data-key="${key}"]`).click();
    expect(await field('entry-amount').inputValue()).toBe('35');
  });

  it('in a receipt number that is too long, which says how long one may be', async () => {
    await customer();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('3', hand);
    await writeReceipt(page, 'R'.repeat(65));
    await page.locator('.entry-confirm').click();
    await dialog().getByText('At most 64 characters.').waitFor();
    await page.keyboard.type('R-2', hand);
    expect(await field('entry-receipt').inputValue()).toBe('R-2');
  });

  it('in a receipt number that stands for another sale', async () => {
    await customer();
    agent.answer = ({ command }) => (command === 'operation.earn' ? failure('reference_taken') : null);
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('3', hand);
    await writeReceipt(page, 'R-1');
    await page.locator('.entry-confirm').click();
    await dialog().locator('#entry-receipt-note').waitFor();
    await page.keyboard.type('R-2', hand);
    expect(await field('entry-receipt').inputValue()).toBe('R-2');
  });

  it('in a badge that nobody has', async () => {
    agent.setState({ has_cashiers: true });
    agent.answer = ({ command }) => (command === 'cashier.sign_in' ? failure('badge_unknown') : null);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await field('badge-number').waitFor();
    await page.keyboard.type('777', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('This badge is not known here').waitFor();
    await page.keyboard.type('888', hand);
    expect(await field('badge-number').inputValue()).toBe('888');
  });
});

describe.skipIf(!hasChromium)('a card scanned into a dialog', () => {
  const amountText = () => field('entry-amount').inputValue();
  async function spend(answer: () => ReturnType<FakeAgent['answer']>): Promise<void> {
    await customer();
    agent.answer = ({ command }) => (command === 'operation.redeem' ? answer() : null);
    await page.locator('[data-operation=redeem_points]').click();
    await page.keyboard.type('21', hand);
    await page.keyboard.press('Enter');
  }
  const bothAreShown = async (): Promise<void> => {
    await dialog().getByText('The scanned card waits').waitFor();
    await dialog().getByText('Not enough on the card').waitFor();
    expect(await amountText()).toBe('21');
  };

  it('leaves the refusal there, until the amount is typed again', async () => {
    await spend(() => refused('INSUFFICIENT_BALANCE'));
    await dialog().getByText('Not enough on the card').waitFor();
    await scan(page, 'LC-1002');
    await bothAreShown();
    await page.keyboard.type('7', hand);
    expect(await amountText()).toBe('7');
    expect(await dialog().getByText('Not enough on the card').count()).toBe(0);
    await scan(page, 'LC-1003');
    expect([await amountText(), await dialog().getByText('Not enough on the card').count()]).toEqual(['7', 0]);
  });

  it('leaves a refusal there that comes between its keys', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refused>>();
    await spend(() => promise);
    await dialog().getByRole('button', { name: 'One moment' }).waitFor();
    const keyboard = await page.context().newCDPSession(page);
    const startedAt = Date.now() / 1000;
    for (const [index, key] of Array.from('LC-1002').entries()) {
      if (index === 3) {
        resolve(refused('INSUFFICIENT_BALANCE'));
        await dialog().getByText('Not enough on the card').waitFor();
      }
      const timestamp = startedAt + index * 0.004;
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key, timestamp });
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp });
    }
    await pressAt(page, 'Enter', startedAt * 1000 + 28);
    await bothAreShown();
  });

  it('leaves the words about a wrong amount there', async () => {
    await customer();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('9999', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('The limit of this till is').waitFor();
    await scan(page, 'LC-1002');
    await dialog().getByText('The scanned card waits').waitFor();
    await dialog().getByText('The limit of this till is').waitFor();
    expect(await amountText()).toBe('9999');
  });
});

describe.skipIf(!hasChromium)('while an answer is waited for', () => {
  it('nothing can be typed that would not be what is asked for', async () => {
    await customer();
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof failure>>();
    agent.answer = ({ command }) => (command === 'operation.earn' ? promise : null);
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('3', hand);
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Saving' }).waitFor();
    await page.keyboard.type('45', hand);
    expect(await field('entry-amount').inputValue()).toBe('3');
    resolve(failure('not_saved'));
    await page.getByText('The disk could not be written').waitFor();
    expect(await field('entry-amount').inputValue()).toBe('3');
  });
});

it.skipIf(!hasChromium)('a code with letters is sent whole, without what a paste brings', async () => {
  await askForCode();
  await field('enroll-code').fill(' k7-\u0664\u0662 Bz\u200f');
  await page.keyboard.press('Enter');
  const codes = () => agent.questions.filter(({ command }) => command === 'customer.verify');
  await expect.poll(() => codes().map(({ input }) => Reflect.get(Object(input), 'otp'))).toEqual(['k7-42Bz']);
});
