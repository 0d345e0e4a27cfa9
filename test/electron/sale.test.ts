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

  it('refuses every other way out: addresses, windows, frames, permissions, programs of the system', async () => {
    const { page, electron } = desktop;
    await electron.evaluate(({ shell, app }) => {
      Reflect.set(app, 'openedOutside', []);
      shell.openExternal = async (url) => void Reflect.get(app, 'openedOutside').push(url);
    });
    const mark = 'stillTheSamePage';
    await page.evaluate((name) => Reflect.set(globalThis, name, true), mark);
    const shown = () =>
      page
        .evaluate((name) => ({ url: globalThis.location.href, isSame: Reflect.has(globalThis, name) }), mark)
        .catch(() => null);
    const addresses = [
      'data:text/html,<h1>other</h1>',
      'file:///etc/passwd',
      'chrome://gpu',
      'devtools://devtools/bundled/inspector.html',
      'view-source:app://till/',
      'http://127.0.0.1:9/',
      'app://other/',
      'app://till/index.html',
      'app://till@other/',
      'mailto:somebody@example.com',
      'tel:123',
      'ms-settings:privacy',
      'javascript:document.write(1)',
    ];
    for (const address of addresses) {
      await page.evaluate((to) => globalThis.location.assign(to), address).catch(() => undefined);
      await expect.poll(shown, { message: address }).toEqual({ url: 'app://till/', isSame: true });
    }
    const inPage = await page.evaluate(async (to) => {
      const attempt = (run: () => unknown): string => {
        try {
          return run() === null ? 'nothing' : 'done';
        } catch {
          return 'refused';
        }
      };
      const later = (promise: Promise<unknown>): Promise<string> =>
        promise.then(
          () => 'done',
          () => 'refused',
        );
      const blob = URL.createObjectURL(new Blob(['<h1>other</h1>'], { type: 'text/html' }));
      for (const address of [
        'data:text/html,other',
        'file:///etc/passwd',
        blob,
        'https://example.com/',
        'app://till/',
      ]) {
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      const states = await Promise.all(
        ['camera', 'microphone', 'geolocation', 'notifications', 'midi', 'clipboard-read', 'screen-wake-lock'].map(
          (name) =>
            navigator.permissions.query({ name: name as PermissionName }).then(
              ({ state }) => state,
              () => 'denied',
            ),
        ),
      );
      return {
        windows: [...to, 'about:blank', blob].map((address) => attempt(() => globalThis.open(address))),
        blob: (() => {
          globalThis.location.assign(blob);
          return globalThis.location.href;
        })(),
        states: [...new Set(states)],
        asked: await Promise.all([
          later(navigator.mediaDevices?.getUserMedia({ video: true }) ?? Promise.reject(new Error('none'))),
          later(new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject))),
          later(navigator.serviceWorker?.register('/sw.js') ?? Promise.reject(new Error('none'))),
          later(fetch('file:///etc/passwd')),
        ]),
        notification: await Notification.requestPermission(),
        worker: attempt(() => new Worker(blob)),
        code: attempt(() => Reflect.construct(Function, ['return 1'])()),
      };
    }, addresses);
    expect(inPage).toMatchObject({
      blob: 'app://till/',
      states: ['denied'],
      asked: ['refused', 'refused', 'refused', 'refused'],
      notification: 'denied',
      code: 'refused',
    });
    expect(inPage.windows.filter((outcome) => outcome === 'done')).toEqual([]);
    await expect.poll(shown).toEqual({ url: 'app://till/', isSame: true });
    const outside = await electron.evaluate(async ({ app, webContents }) => {
      const contents = webContents.getAllWebContents();
      const below = contents.flatMap(({ mainFrame }) =>
        mainFrame.framesInSubtree.filter(({ parent }) => parent !== null),
      );
      const texts = below.map(
        (frame): Promise<unknown> =>
          Promise.race([
            frame.executeJavaScript(
              `document.documentElement.textContent + (document.querySelector('[data-screen]') ? 'screen' : '')`,
            ),
            new Promise((resolve) => setTimeout(resolve, 500, '')),
          ]),
      );
      const words = (await Promise.all(texts)).join(' ');
      return {
        opened: Reflect.get(app, 'openedOutside'),
        pages: contents.map((page) => page.getURL()),
        // Each stands for an address that was refused: what it shows is Chromium's own.
        frames: below.length,
        shown: words.match(/other|root:|Example Domain|screen/g),
      };
    });
    expect(outside).toEqual({ opened: [], pages: ['app://till/'], frames: 5, shown: null });
  });

  it('answers no other page, though it has the same address and preload', async () => {
    const answer = await desktop.electron.evaluate(async ({ BrowserWindow, app }) => {
      const preload = `${app.getAppPath()}/dist/main/preload.cjs`;
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await other.loadURL('app://till/');
      const said: unknown = await other.webContents.executeJavaScript(
        `tillbridge.call({ command: 'state.read', input: {} })`,
      );
      other.destroy();
      return said;
    });
    expect(answer).toEqual({
      ok: false,
      error: { code: 'invalid', message: 'Only the cashier screen may call this.' },
    });
  });
});
