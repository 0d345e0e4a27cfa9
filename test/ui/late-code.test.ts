import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

declare global {
  interface Window {
    /** While this is a list, what waits for the next frame is put into it. */
    heldFrames: (() => void)[] | null;
  }
}

// Code that is fetched when it is first shown may come at any moment of the drawing.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  const fatima = profileOf({ customer_id: 'cus_1', name: 'Fatima Al-Sabah', cards: [demoCards.cashback] });
  const yousef = profileOf({ customer_id: 'cus_2', name: 'Yousef Al-Mutairi', cards: [demoCards.cashback] });
  agent.customers.set('LC-1001', { source: 'service', profile: fatima });
  agent.customers.set('LC-1002', { source: 'service', profile: yousef });
  ({ page } = await shared.open(agent));
});

/** Makes the page keep every effect for the next frame back while `heldFrames` is a list. */
async function keepFramesBack(): Promise<void> {
  await page.addInitScript(() => {
    /** After this time a page that draws no frame goes on, too. */
    const withoutFrameMs = 35;
    const nextFrame = window.requestAnimationFrame.bind(window);
    const later = window.setTimeout.bind(window);
    window.heldFrames = null;
    window.requestAnimationFrame = (callback) => {
      if (window.heldFrames === null) return nextFrame(callback);
      window.heldFrames.push(() => callback(performance.now()));
      return 0;
    };
    const timeout = (callback: () => void, delayMs?: number): number =>
      window.heldFrames !== null && delayMs === withoutFrameMs ? 0 : later(callback, delayMs);
    Object.assign(window, { setTimeout: timeout });
  });
  await page.reload();
  await page.locator('[data-connection=online]').waitFor();
}

describe.skipIf(!hasChromium)('a note whose code comes between the drawing of its place and the next frame', () => {
  it('is shown', async () => {
    await keepFramesBack();
    const { promise: codeMayCome, resolve: letCodeCome } = Promise.withResolvers<null>();
    await page.route(/\/assets\/scan-note[^/]*\.js/, (route) => codeMayCome.then(() => route.continue()));
    const isAskedFor = page.waitForRequest(/\/assets\/scan-note/);
    const hasCome = page.waitForResponse(/\/assets\/scan-note/);
    const { promise: earnMayEnd, resolve: endEarn } = Promise.withResolvers<null>();
    agent.answer = ({ command }) => (command === 'operation.earn' ? earnMayEnd : null);

    await scan(page, 'LC-1001');
    await page.locator('#entry-amount').waitFor();
    await page.keyboard.type('3.45', { delay: 60 });
    await page.keyboard.press('Enter');
    await scan(page, 'LC-1002');
    await isAskedFor;
    await page.evaluate(() => {
      window.heldFrames = [];
    });
    endEarn(null);
    await page.getByRole('dialog').getByText('Yousef Al-Mutairi').waitFor();
    letCodeCome(null);
    await (await hasCome).finished();
    await page.waitForTimeout(200);
    const heldCount = await page.evaluate(() => {
      const held = window.heldFrames ?? [];
      window.heldFrames = null;
      for (const callback of held) callback();
      return held.length;
    });
    expect(heldCount).toBeGreaterThan(0);
    await page.getByRole('dialog').getByText('KWD 3.450 for Fatima Al-Sabah').waitFor();
  });
});

/** Where the keys and the buttons of the entry are. */
const places = (): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.key, .entry-foot .button, #entry-amount')].map((target) => {
      const { x, y, width, height } = target.getBoundingClientRect();
      return `${target.textContent} ${[x, y, width, height].map(Math.round).join(' ')}`;
    }),
  );

describe.skipIf(!hasChromium).each([
  [683, 384, 'en'],
  [1024, 600, 'en'],
  [1024, 600, 'ar'],
  [1366, 768, 'en'],
  [1366, 768, 'ar'],
] as const)('the first customer, whose code comes after their entry (%i by %i, %s)', (width, height, locale) => {
  it('is named with it, and nothing that is pressed moves when the rest comes', async () => {
    agent.setState({ locale });
    // Of the facts below the name, those that need most room.
    const longest = { phone: null, email: 'fatima.alsabah@loyalty-customers.example.com', verified: false };
    const profile = profileOf({
      customer_id: 'cus_1',
      name: 'Fatima Al-Sabah',
      cards: [demoCards.cashback],
      ...longest,
    });
    agent.customers.set('LC-1001', { source: 'kept', profile });
    ({ page } = await shared.open(agent, { viewport: { width, height } }));
    const { promise: codeMayCome, resolve: letCodeCome } = Promise.withResolvers<null>();
    await page.route(/\/assets\/customer-in-front-[^/]*\.js/, (route) => codeMayCome.then(() => route.continue()));
    await page.reload();
    await page.locator(`html[lang=${locale}]`).waitFor();
    await page.locator('[data-connection=online]').waitFor();
    await scan(page, 'LC-1001');
    await page.locator('#entry-amount').waitFor();
    await page.evaluate(() => document.fonts.ready);
    if (width > 760) expect(await page.locator('.customer-name').innerText()).toBe('Fatima Al-Sabah');
    const before = await places();
    expect(before.length).toBeGreaterThan(12);
    letCodeCome(null);
    await page.locator('.fact-old').waitFor({ state: 'attached' });
    await page.waitForTimeout(200);
    expect(await places()).toEqual(before);
  });
});

describe.skipIf(!hasChromium)('code that could not be fetched because the agent was gone', () => {
  it('comes when the agent is back, although the browser never asks under the same address again', async () => {
    const code = /\/assets\/missing-/;
    await page.route(code, (route) => route.abort('connectionrefused'));
    const hasFailed = page.waitForEvent('requestfailed');
    await scan(page, 'LC-9999');
    await hasFailed;
    await page.waitForTimeout(1_500);
    expect(await page.locator('[data-missing]').count()).toBe(0);
    await page.unroute(code);
    await page.locator('[data-missing=customer_not_found]').waitFor();
  });
});
