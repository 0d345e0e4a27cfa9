import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { failure, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();

/** What of an entry is out of sight, or under something else. */
const hidden = (page: Page, ...wanted: string[]): Promise<readonly string[]> =>
  page.evaluate((selectors) => {
    const seen = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const at = (x: number, y: number) => element.contains(document.elementFromPoint(x, y));
      return at((left + right) / 2, top + 2) && at((left + right) / 2, bottom - 2);
    };
    const all = selectors.flatMap((selector) => [...document.querySelectorAll(`[role=dialog] ${selector}`)]);
    return all.filter((element) => !seen(element)).map(({ className }) => className);
  }, wanted);

describe.skipIf(!hasChromium).each([
  ['1366 by 768', 1366, 768],
  ['1280 by 800', 1280, 800],
  ['1024 by 600', 1024, 600],
  ['1366 by 768 at twice the size', 683, 384],
  ['1024 by 600 at twice the size', 512, 300],
])('at %s', (_what, width, height) => {
  it('the buttons of a sale and the PIN that it asks for are seen, with a card that waits, too', async () => {
    const agent = await shared.startAgent();
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
    agent.answer = ({ command }) => (command === 'operation.earn' ? failure('pin_needed') : null);
    const { page } = await shared.open(agent, { viewport: { width, height } });
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('[data-operation=earn_amount]').press('Enter');
    await page.locator('#entry-amount').fill('12');
    expect(await hidden(page, '.entry-foot .button')).toEqual([]);
    await scan(page, 'LC-0002');
    await page.locator('.entry-note').waitFor();
    await page.locator('.entry-confirm').click();
    await page.locator('#entry-pin').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('entry-pin');
    expect(await hidden(page, '.entry-foot .button', '#entry-pin')).toEqual([]);
    const foot = await page.locator('.entry-foot').boundingBox();
    expect(foot?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect((foot?.y ?? height) + (foot?.height ?? 0)).toBeLessThanOrEqual(height);
    // All of it can be brought into sight.
    for (const field of ['#entry-amount', '#entry-pin', '.entry-failure']) {
      await page.locator(`[role=dialog] ${field}`).scrollIntoViewIfNeeded();
      expect(await hidden(page, '.entry-foot .button')).toEqual([]);
    }
  });
});
