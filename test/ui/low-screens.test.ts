import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Screens that are small, or low, or zoomed: what a press decides about is in sight.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  const rewards = [1, 2, 3, 4, 5, 6, 7].map((at) => ({
    reward_id: `rwd_${at}`,
    name: `Free coffee with oat milk ${at}`,
  }));
  const cardWith = (count: number) => ({ ...demoCards.reward, available_rewards: rewards.slice(0, count) });
  for (const [id, cards] of [
    ['LC-1001', [demoCards.reward]],
    ['LC-1002', [demoCards.cashback]],
    ['LC-1003', [demoCards.stamp]],
    ['LC-1021', [cardWith(1)]],
    ['LC-1023', [cardWith(3)]],
    ['LC-1024', [cardWith(4)]],
    ['LC-1007', [cardWith(7)]],
  ] as const) {
    agent.customers.set(id, {
      source: 'service',
      profile: profileOf({ customer_id: id, name: id, cards: [...cards] }),
    });
  }
});

/** LONG_TESTS=1 looks at every size and card; a short run at those at which something was covered or cut. */
const isLong = process.env.LONG_TESTS === '1';
const sizes = (
  [
    [1024, 600],
    [1023, 768],
    [980, 600],
    [900, 600],
    [800, 600],
    [683, 384],
  ] as const
).filter(([width]) => isLong || [1024, 980, 800].includes(width));
const keySizes = (
  [
    [1024, 600],
    [1024, 768],
    [1280, 720],
    [1366, 768],
  ] as const
).filter(([width]) => isLong || width === 1024);
const locales = ['en', 'ar'] as const;
const keyCards = isLong ? ['LC-1021', 'LC-1023', 'LC-1024', 'LC-1007'] : ['LC-1024', 'LC-1007'];

async function open(width: number, height: number): Promise<void> {
  ({ page } = await shared.open(agent, { viewport: { width, height } }));
}

describe.skipIf(!hasChromium).each(sizes)('at %d by %d', (width, height) => {
  beforeEach(async () => {
    if (hasChromium) await open(width, height);
  });

  it.each(isLong ? ['LC-1001', 'LC-1007'] : ['LC-1007'])(
    'a reward is given with the note in sight that it is given once: %s',
    async (code) => {
      await scan(page, code);
      await page.locator('[data-operation=redeem_reward]').evaluate((button: HTMLElement) => button.click());
      await page.locator('.choice-radio').first().waitFor();
      for (const radio of await page.locator('.choice-radio').all()) {
        await radio.focus();
        await page.waitForTimeout(30);
        expect(await radio.evaluate(coveredBy)).toBe(null);
        expect(await page.locator('#entry-choice-note').evaluate(coveredBy)).toBe(null);
      }
    },
  );

  it.each(locales.filter((locale) => isLong || (locale === 'ar') === (width === 980)))(
    'the whole figure of an entry is in sight: %s',
    async (locale) => {
      agent.setState({ locale });
      await page.locator(`html[lang=${locale}]`).waitFor();
      for (const [code, typed] of [
        ['LC-1002', '374.75'],
        ['LC-1003', '7'],
      ] as const) {
        await scan(page, code);
        await page.locator('.entry-stage .echo').waitFor();
        await page.keyboard.type(typed, { delay: 60 });
        expect(await page.locator('.entry-stage .amount').evaluate(cutParts)).toEqual([]);
        await page.locator('#entry-amount').fill('');
        await page.keyboard.press('Escape');
        await page.locator('.entry-stage').waitFor({ state: 'detached' });
      }
    },
  );
});

describe.skipIf(!hasChromium).each(keySizes)('the keys of a reward at %d by %d', (width, height) => {
  beforeEach(async () => {
    if (hasChromium) await open(width, height);
  });

  it.each(locales.filter((locale) => isLong || (locale === 'ar') === (height === 768)))(
    'are under nothing else, and the note is in sight: %s',
    async (locale) => {
      agent.setState({ locale });
      await page.locator(`html[lang=${locale}]`).waitFor();
      for (const code of keyCards) {
        await scan(page, code);
        await page.locator('[data-operation=redeem_reward]').evaluate((button: HTMLElement) => button.click());
        await page.locator('.choice-radio').first().waitFor();
        await page.locator('.receipt-open').click();
        await page.locator('.letters .key').first().waitFor();
        await expectClear(code, '.letters .key');
        await page.locator('.letters [data-key=digits]').click();
        agent.answer = ({ command }) => (command === 'operation.redeem' ? failure('pin_needed') : null);
        await page.locator('.choice-row').first().click();
        await page.locator('.entry-confirm').click();
        await page.locator('.entry-stage .pad').waitFor();
        await expectClear(code, '.pad .key');
        agent.answer = () => null;
        // An answer is not left before somebody can have read it.
        await page.waitForTimeout(500);
        await page.locator('.entry-foot .button').first().click();
        await page.locator('.entry-stage').waitFor({ state: 'detached' });
      }
    },
  );
});

/** No key is under something else, nor is a button of the foot or the note that a reward is given once. */
async function expectClear(code: string, keys: string): Promise<void> {
  for (const part of await page.locator(`${keys}, .entry-stage .entry-foot .button, #entry-choice-note`).all()) {
    expect([code, await part.innerText(), await part.evaluate(coveredBy)]).toEqual([code, expect.anything(), null]);
  }
}

/** The parts of the figure that are not seen whole: its unit, what is typed, and the decimals that are not. */
function cutParts(box: Element): readonly string[] {
  const figure = box.querySelector('.echo')?.getBoundingClientRect();
  const input = box.querySelector('input');
  if (figure === undefined || input === null) return ['all'];
  const outside = [...box.querySelectorAll('.echo-unit, .echo-implied')].filter((part) => {
    const { left, right } = part.getBoundingClientRect();
    return left < figure.left - 1 || right > figure.right + 1;
  });
  const scrolled = input.scrollLeft === 0 ? [] : [input];
  return [...outside, ...scrolled].map(({ className }) => className);
}

/** What is in front of a part of the element; null: it is seen from edge to edge. */
function coveredBy(element: Element): string | null {
  const row = element.closest('.choice-row') ?? element;
  const { left, right, top, bottom } = row.getBoundingClientRect();
  const asidePx = Math.min(20, (right - left) / 4);
  for (const x of [left + asidePx, (left + right) / 2, right - asidePx]) {
    for (const y of [top + 3, (top + bottom) / 2, bottom - 3]) {
      const inFront = document.elementFromPoint(x, y);
      if (inFront === null || !row.contains(inFront)) return inFront?.className ?? 'outside';
    }
  }
  return null;
}
