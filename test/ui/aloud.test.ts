import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What a screen reader says of a sale: every change of a live region, in order.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
let said: string[];

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.cashback] }) });
  ({ page } = await shared.open(agent));
  said = [];
  await page.exposeFunction('heard', (text: string) => said.push(text));
  await page.evaluate(() => {
    const live =
      '.outcome-slot [role=status], .outcome-slot [role=alert], .outcome-slot [aria-live], .recent > [role=status]';
    let before = '';
    const look = (): void => {
      const now = [...document.querySelectorAll(live)].map((region) => region.textContent).join('');
      if (now !== before && now !== '')
        Reflect.get(window, 'heard')(now.replaceAll('\u00a0', ' ').replace(/[\u2066-\u2069]/g, ''));
      before = now;
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
});

async function sell(): Promise<string> {
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('#entry-amount').fill('12.5');
  await page.keyboard.press('Enter');
  await page.locator('.outcome').waitFor();
  return agent.operations[0]?.operation_id ?? '';
}

describe.skipIf(!hasChromium)('a sale', () => {
  it('is heard at each step, once, in a sentence', async () => {
    const id = await sell();
    agent.move(id, 'sending');
    await page.locator('.outcome[data-state=sending]').waitFor();
    agent.move(id, 'accepted');
    await page.locator('.outcome[data-state=accepted]').waitFor();
    agent.move(id, 'applied', { new_balances: { ...demoCards.cashback.balances, cashback_minor: 1_500 } });
    await page.locator('.outcome[data-state=applied]').waitFor();
    expect(said).toEqual([
      'Saved on this till. KWD 12.500. Cashback in a moment. Fatima Al-Sabah',
      'Sent. KWD 12.500. Cashback in a moment. Fatima Al-Sabah',
      'Added. +KWD 0.250. KWD 1.500 to spend now. Fatima Al-Sabah',
    ]);
  });

  it('that is refused late, when the screen has gone on, is heard once with the reason', async () => {
    const id = await sell();
    await page.getByRole('button', { name: 'Next customer' }).first().click();
    said.length = 0;
    agent.move(id, 'sending');
    const error = { code: 'CUSTOMER_NOT_FOUND', message: 'x', retryable: false, request_id: 'req_1' };
    agent.move(id, 'refused', { error });
    await page.locator('.recent [data-state=refused]').waitFor();
    await page.waitForTimeout(300);
    expect(said).toEqual([
      'Refused. KWD 12.500, Fatima Al-Sabah. The service does not know this customer. Check the number with the customer and enter the sale again.',
    ]);
  });
});
