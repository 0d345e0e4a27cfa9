import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../renderer/shell/pick-shell.ts';
import { type DesktopApp, electronDistPath, openDesktopApp } from '../support/electron-app.ts';

describe.skipIf(electronDistPath === '')('the desktop app', () => {
  let desktop: DesktopApp;
  beforeAll(async () => {
    desktop = await openDesktopApp();
  });
  afterAll(() => desktop?.close());

  it('shows the cashier screen from its own address, with the page shut in', async () => {
    const { page, electron } = desktop;
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).waitFor();
    expect(page.url()).toBe('app://till/');
    const reach = await page.evaluate(() => ({
      keys: Object.keys((globalThis as { tillbridge?: object }).tillbridge ?? {}).toSorted(),
      node: typeof Reflect.get(globalThis, 'require') + typeof Reflect.get(globalThis, 'process'),
      opened: globalThis.open('https://example.com/') === null,
    }));
    expect(reach).toEqual({ keys: ['call', 'onEvent'], node: 'undefinedundefined', opened: true });
    const preferences = await electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return window && Reflect.get(window.webContents, 'getLastWebPreferences').call(window.webContents);
    });
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  });

  it('takes a sale: find, earn, saved, applied', async () => {
    const { page } = desktop;
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Operations' }).getByRole('button', { name: 'Earn on purchase' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.type('12.5');
    await page.keyboard.press('Enter');
    const recent = page.getByRole('region', { name: 'Recent' });
    const row = recent.locator('[data-ref]').first();
    await row.waitFor();
    await recent.locator('[data-ref][data-state="applied"]').first().waitFor();
    expect(await row.getAttribute('data-ref')).toMatch(/^main-till1-/);
    // The strict policy has stopped nothing that the page needs.
    expect(desktop.pageErrors).toEqual([]);
  });

  it('answers the page’s bad questions without hearing them', async () => {
    const replies = await desktop.page.evaluate(async () => {
      // What the preload put there.
      const { tillbridge } = window;
      if (tillbridge === undefined) throw new Error('The preload has put nothing there');
      return Promise.all(
        [
          { command: 'nothing', input: {} },
          { command: 'operation.earn', input: { amount_minor: -1 } },
        ].map((question) => tillbridge.call(question)),
      );
    });
    expect(replies).toMatchObject([{ error: { code: 'invalid' } }, { error: { code: 'invalid' } }]);
  });

  it('stays where it is, whatever the page asks for', async () => {
    const { page } = desktop;
    const isMarked = 'markOfTheTest';
    // Asked of the page itself: a locator would wait for the end of a navigation that never comes about.
    const shown = () =>
      page
        .evaluate(
          (mark) => ({
            url: globalThis.location.href,
            hasFindBox: document.querySelector('[data-screen=sale] input') !== null,
            isAsBefore: Reflect.has(globalThis, mark),
          }),
          isMarked,
        )
        .catch(() => null);
    await page.evaluate(() => {
      globalThis.location.href = 'https://example.com/';
    });
    const answer = await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'reached',
        () => 'refused',
      ),
    );
    expect(answer).toBe('refused');
    expect(page.url()).toBe('app://till/');
    await page.evaluate((mark) => Reflect.set(globalThis, mark, true), isMarked);
    for (const address of ['app://till/assets/', 'app://till/no-such-page', 'app://till/?a']) {
      await page.evaluate((to) => globalThis.location.assign(to), address).catch(() => undefined);
      await expect.poll(shown).toEqual({ url: 'app://till/', hasFindBox: true, isAsBefore: true });
    }
    // Chromium asks nobody about these: the page is gone, and comes back by itself.
    for (const address of ['about:blank', 'about:srcdoc']) {
      await page.evaluate((mark) => Reflect.set(globalThis, mark, true), isMarked);
      await page.evaluate((to) => globalThis.location.assign(to), address).catch(() => undefined);
      await expect.poll(shown).toEqual({ url: 'app://till/', hasFindBox: true, isAsBefore: false });
    }
    const outside = await page.evaluate(() =>
      Promise.all(
        ['/../package.json', '/%2e%2e/package.json', 'app://other/index.html'].map((address) =>
          fetch(address).then(
            (response) => response.status,
            () => 0,
          ),
        ),
      ),
    );
    for (const status of outside) expect([0, 403, 404]).toContain(status);
  });
});
