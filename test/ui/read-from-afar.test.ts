import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

const shared = sharedBrowser();

useUiTill();

/** Of a capital letter, as the eye sees it: smaller ones are guessed, not read. */
const leastArcMinutes = 16;
/** Needed by nobody who sells: the strip of the sandbox, and the line for whoever looks for a reference. */
const fine = '.sandbox-banner, .outcome-more';

/** Every text in sight whose capitals are smaller than the eye reads from 80 cm, with its size. */
function tooSmall(shown: Page = page): Promise<readonly string[]> {
  return shown.evaluate(
    ([least, exceptions]) => {
      const capitalShare = 0.727;
      const arcMinutesOf = (fontPx: number): number => {
        const capitalMm = (fontPx * capitalShare * 25.4) / 96;
        return (Math.atan(capitalMm / 800) * 180 * 60) / Math.PI;
      };
      const found: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        const text = node.textContent?.trim() ?? '';
        if (element === null || text === '' || element.closest(exceptions) !== null) continue;
        if (element.closest('.visually-hidden') !== null || !element.checkVisibility({ opacityProperty: true }))
          continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { width, height } = range.getBoundingClientRect();
        if (width < 2 || height < 2) continue;
        const fontPx = Number.parseFloat(getComputedStyle(element).fontSize);
        if (arcMinutesOf(fontPx) < least) found.push(`${fontPx} px: ${text.slice(0, 30)} (${element.className})`);
      }
      return found;
    },
    [leastArcMinutes, fine] as const,
  );
}

const find = async (card: string): Promise<void> => {
  await page.locator('#find-box').fill(card);
  await page.keyboard.press('Enter');
  await page.locator('[data-operation]').first().waitFor();
};

describe.skipIf(!hasChromium)('the sale screen', () => {
  it('is read from 80 cm in every state of a sale', async () => {
    const small = { empty: await tooSmall() };
    await find('LC-1001');
    await page.locator('.customer-content').waitFor();
    const found = await tooSmall();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('7.5', { delay: 60 });
    const entry = await tooSmall();
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-state=applied]').waitFor();
    const outcome = await tooSmall();
    expect({ ...small, found, entry, outcome }).toEqual({ empty: [], found: [], entry: [], outcome: [] });
    await page.locator('.next').click();
  });

  it('is read from 80 cm where it tells of trouble, and so is the page that asks who sells', async () => {
    const agent = await shared.startAgent({
      notices: [
        { code: 'not_saving', why: 'disk_full', since: '2026-11-20T11:02:00.000Z', reason: 'database or disk is full' },
      ],
    });
    const { page: shown } = await shared.open(agent);
    await shown.locator('[data-notice]').waitFor();
    const notice = await tooSmall(shown);
    agent.setState({
      sign_in: 'needed',
      has_cashiers: true,
      cashiers: [{ name: 'Sara', employee_ref: 'E-1', has_pin: true }],
    });
    await shown.locator('.who-name').waitFor();
    const signIn = await tooSmall(shown);
    agent.setState({ sign_in: null, notices: [] });
    await shown.locator('.who-page').waitFor({ state: 'detached' });
    agent.refusesLines = true;
    agent.dropLines();
    await shown.locator('.link-lost').waitFor();
    expect({ notice, signIn, reconnecting: await tooSmall(shown) }).toEqual({
      notice: [],
      signIn: [],
      reconnecting: [],
    });
  });

  it('is larger where the shop says that it is read from far away, and smaller from close by', async () => {
    const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    expect(await size()).toBe(16);
    const set = async (distance: string) => {
      const answer = await till.office('settings.change', { patch: { 'window.distance': distance }, confirmed: true });
      expect(answer.status).toBe(200);
    };
    await set('far');
    await expect.poll(size).toBe(18);
    await set('close');
    await expect.poll(size).toBe(14);
    await set('normal');
    await expect.poll(size).toBe(16);
  });

  // On a busy machine the answer to a press may come after the half second in which a browser takes what moves for the
  // press's doing: then once more. What moves by itself does so each time.
  it('moves nothing by itself from the scan to the next customer', { retry: 1 }, async () => {
    await page.evaluate(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput) shifts.push(value);
        }
      }).observe({ type: 'layout-shift' });
      Object.assign(window, { seenShifts: shifts });
    });
    await find('LC-1001');
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('8.5', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-state=applied]').waitFor();
    await page.waitForTimeout(700);
    await page.locator('.next').click();
    await page.waitForTimeout(700);
    const shifts = await page.evaluate(() => window.seenShifts ?? []);
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
  });
});

declare global {
  interface Window {
    /** Put there above, by an observer in the page. */
    readonly seenShifts?: readonly number[];
  }
}
