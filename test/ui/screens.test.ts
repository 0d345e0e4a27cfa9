import { describe, expect, it } from 'vitest';
import { laterScreens } from '../../renderer/screens.ts';
import { axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

const screen = (name: string) => page.locator(`[data-screen="${name}"]`);

async function open(name: string): Promise<void> {
  await page.locator('.more').click();
  await page.locator(`.screen-entry[data-to="${name}"]`).click();
  await screen(name).waitFor();
}

/** What is wider than its room: the page itself must never scroll sideways. */
const isCutOff = (): Promise<boolean> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const main = document.querySelector('main');
    return scrollWidth > clientWidth || (main !== null && main.scrollWidth > main.clientWidth);
  });

/** Buttons and choices whose words reach beyond them. */
const wordsBeyond = (): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, label)')]
      .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.innerText),
  );

describe.skipIf(!hasChromium)('the menu of screens', () => {
  it('is opened, walked and closed by keyboard; its entry of the screen in front is marked', async () => {
    await page.locator('.more').focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('navigation', { name: 'Screens' });
    await menu.waitFor();
    expect(await menu.locator('[aria-current=page]').innerText()).toBe('Sale');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await screen('activity').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it.each([
    ['code', /day-close-screen[^/]*\.js(\?|$)/],
    ['styles', /day-close-screen[^/]*\.css$/],
    ['code, styles and words', /day-close[^/]*\.(js|css)(\?|$)/],
  ])('asks again for a screen whose %s did not come', async (_, files) => {
    let isGone = true;
    await page.route(files, (route) => (isGone ? route.abort() : route.continue()));
    const isOpen = open('day-close');
    await page.waitForEvent('requestfailed');
    await page.waitForTimeout(1_500);
    isGone = false;
    await isOpen;
    const isStyled = () =>
      page.evaluate(() => [...document.styleSheets].some(({ href }) => href?.includes('day-close-screen')));
    expect(await isStyled()).toBe(true);
    await page.unroute(files);
    await page.keyboard.press('Escape');
    await screen('sale').waitFor();
    // What the browser itself says of those that did not come.
    for (const complaint of till.complaints.splice(0)) expect(complaint).toContain('ERR_FAILED');
    // The next one meets a page that has fetched nothing yet.
    await page.reload();
    await page.locator('[data-connection=online]').waitFor();
  });

  it('leads back to the sale by Escape, by its way back, and by a card that is scanned', async () => {
    await open('activity');
    await page.keyboard.press('Escape');
    await screen('sale').waitFor();
    await open('activity');
    await page.getByRole('button', { name: 'Back to the sale' }).click();
    await screen('sale').waitFor();
    await open('attention');
    await scan(page, 'LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await page.keyboard.press('Escape');
  });
});

for (const { name } of laterScreens) {
  describe.skipIf(!hasChromium)(`the screen ${name}`, () => {
    it.each(['en', 'ar'])('fits every till and has nothing that hinders anybody, in %s', async (locale) => {
      if ((await page.locator('html').getAttribute('lang')) !== locale) await page.locator('.language').click();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
      await open(name);
      for (const [width, height] of [
        [1024, 600],
        [1366, 768],
        [1920, 1080],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect({ width, isCutOff: await isCutOff() }).toEqual({ width, isCutOff: false });
      }
      expect(await axeFindings(page)).toEqual([]);
      expect(till.complaints).toEqual([]);
    });

    it('keeps the words of its buttons inside them on a page zoomed to 200 %', async () => {
      await page.setViewportSize({ width: 640, height: 400 });
      await open(name);
      await page.locator('.office-loading').waitFor({ state: 'detached' });
      expect(await isCutOff()).toBe(false);
      expect(await wordsBeyond()).toEqual([]);
      await page.setViewportSize({ width: 1366, height: 768 });
    });
  });
}
