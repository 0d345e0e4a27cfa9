import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf, startFakeAgent } from '../support/ui-fake-agent.ts';
import { type BuiltPage, buildPage, hasChromium, launchChromium, openPage } from '../support/ui-page.ts';

// What a screen reader says of a sale: every change of a live region, in order.
let built: BuiltPage;
let browser: Browser;
let agent: FakeAgent;
let page: Page;
let said: string[];

beforeAll(async () => {
  [built, browser] = await Promise.all([buildPage(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  built.remove();
});
beforeEach(async () => {
  agent = await startFakeAgent({ rendererDir: built.rendererDir });
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.cashback] }) });
  ({ page } = await openPage(browser, agent.url));
  await page.locator('[data-connection=online]').waitFor();
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
afterEach(async () => {
  await page.context().close();
  await agent.close();
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
      'Saved. Waiting to be sent. KWD 12.500, Fatima Al-Sabah',
      'Saved. Sending now. KWD 12.500, Fatima Al-Sabah',
      'Sent. Cashback on the way. KWD 12.500, Fatima Al-Sabah',
      'Applied. KWD 1.500 cashback now. KWD 12.500, Fatima Al-Sabah',
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
      'Refused. KWD 12.500, Fatima Al-Sabah. No customer with this card. Ask for another card and take the sale again.',
    ]);
  });
});
