import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type DesktopApp, electronDistPath, openDesktopApp } from '../support/electron-app.ts';

let desktop: DesktopApp;

const isOfCustomers = (page: Page): boolean => new URL(page.url()).pathname === '/customer';

/** The customers' page, whichever window it is in by now. */
async function customersPage(): Promise<Page> {
  await expect.poll(() => desktop.electron.windows().some(isOfCustomers)).toBe(true);
  const page = desktop.electron.windows().find(isOfCustomers);
  if (page === undefined) throw new Error('It has gone again');
  // Asked of the page itself: a locator would wait for the end of a navigation that never comes about.
  const isThere = () =>
    page.evaluate(() => document.querySelector('[data-link=open] [data-customer=phone]') !== null).catch(() => false);
  await expect.poll(isThere).toBe(true);
  return page;
}

/** What Electron says of the customers' window. */
const windowFacts = () =>
  desktop.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.webContents.getURL().includes('/customer'))
      .map((window) => ({
        bounds: window.getBounds(),
        isVisible: window.isVisible(),
        isOnTop: window.isAlwaysOnTop(),
        takesKeys: window.isFocusable(),
      })),
  );

/** Plays the system: these displays are there from now on. */
const plug = (event: 'display-added' | 'display-removed', xs: readonly number[]) =>
  desktop.electron.evaluate(
    ({ screen }, { name, places }) => {
      const [real] = screen.getAllDisplays();
      if (real === undefined) throw new Error('There is no display');
      const displays = places.map((x, index) => {
        const area = { x, y: 0, width: 800, height: 480 };
        return { ...real, ...(index === 0 ? {} : { id: 1_000 + x, bounds: area, workArea: area }) };
      });
      screen.getAllDisplays = () => displays;
      screen.emit(name, {}, real);
    },
    { name: event, places: xs },
  );

describe.skipIf(electronDistPath === '')('the customers’ window', () => {
  beforeAll(async () => {
    vi.stubEnv('TILLBRIDGE_WINDOW__CUSTOMER_DISPLAY', 'on');
    desktop = await openDesktopApp();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await desktop?.close();
  });

  it('opens by itself beside the cashier’s, and both work', async () => {
    await desktop.page.locator('[data-screen=sale] input').first().waitFor();
    const page = await customersPage();
    await page.locator('[data-key="5"]').click();
    expect(await page.locator('.cw-field').innerText()).toBe('5');
    await expect.poll(windowFacts).toMatchObject([{ isVisible: true, isOnTop: false, takesKeys: true }]);
  });

  it('has no way to the cashier’s commands, to the till’s ports or to any other page', async () => {
    const page = await customersPage();
    const { port } = z
      .object({ port: z.int() })
      .parse(JSON.parse(readFileSync(join(desktop.dataDir, 'agent.json'), 'utf8')));
    const reach = await page.evaluate(async (other) => {
      const outcome = (asked: Promise<Response>) =>
        asked.then(
          ({ status }) => status,
          () => 'refused',
        );
      const socketTo = (path: string) =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(`ws://${globalThis.location.host}${path}`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        });
      return {
        given: typeof Reflect.get(globalThis, 'tillbridge') + typeof Reflect.get(globalThis, 'require'),
        opened: globalThis.open('https://example.com/') === null,
        cashier: await outcome(fetch('/till')),
        page: await outcome(fetch('app://till/')),
        bridge: await outcome(fetch(`${other}/healthz`, { mode: 'no-cors' })),
        line: await socketTo('/till'),
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
          () => 'given',
          () => 'refused',
        ),
      };
    }, `http://127.0.0.1:${port}`);
    expect(reach).toEqual({
      given: 'undefinedundefined',
      opened: true,
      cashier: 404,
      page: 'refused',
      bridge: 'refused',
      line: 'refused',
      camera: 'refused',
    });
    for (const address of ['https://example.com/', 'app://till/', new URL('/', page.url()).href]) {
      await page.evaluate((to) => globalThis.location.assign(to), address).catch(() => undefined);
      expect(isOfCustomers(await customersPage())).toBe(true);
    }
    // Chromium asks nobody about this one: the page is led back.
    await page.evaluate(() => globalThis.location.assign('about:blank')).catch(() => undefined);
    await customersPage();
    expect(desktop.page.url()).toBe('app://till/');
  });

  it('fills a display that is plugged in, takes no keys there, and goes back aside when it is pulled out', async () => {
    await plug('display-added', [0, 1920]);
    const filled = { bounds: { x: 1920, y: 0, width: 800, height: 480 }, isOnTop: true, takesKeys: false };
    await expect.poll(windowFacts).toMatchObject([{ ...filled, isVisible: true }]);
    await (await customersPage()).locator('[data-key="7"]').click();
    await plug('display-added', [0, 2720, 1920]);
    await plug('display-removed', [0]);
    await expect.poll(windowFacts).toMatchObject([{ isOnTop: false, takesKeys: true }]);
    await customersPage();
  });

  it('is loaded again when its page has died', async () => {
    await desktop.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL().includes('/customer'))
        ?.webContents.forcefullyCrashRenderer(),
    );
    const isBack = () =>
      desktop.electron.evaluate(({ BrowserWindow }) =>
        Promise.race([
          BrowserWindow.getAllWindows()
            .find(({ webContents }) => webContents.getURL().includes('/customer'))
            ?.webContents.executeJavaScript(`document.querySelector('[data-link=open]') !== null`),
          new Promise((resolve) => setTimeout(resolve, 500, false)),
        ]),
      );
    await expect.poll(isBack).toBe(true);
  });

  it('goes with the cashier’s window, and the app with it', async () => {
    const ended = once(desktop.electron.process(), 'exit');
    await desktop.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL() === 'app://till/')
        ?.close(),
    );
    expect(await ended).toEqual([0, null]);
  });
});
