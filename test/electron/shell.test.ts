import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { electronIn } from '../../app/commands/find-electron.ts';
import type {} from '../../renderer/shell/pick-shell.ts';
import { root } from '../../tools/bundles.ts';
import { type DesktopApp, electronDistPath, openDesktopApp } from '../support/electron-app.ts';

/** What the page asks the agent. */
const ask = ({ page }: DesktopApp, command: string, input: unknown): Promise<unknown> =>
  page.evaluate((question) => window.tillbridge?.call(question), { command, input });

/** Answers each dialog with one of its buttons, and keeps what it said. */
const answerDialogs = ({ electron }: DesktopApp, button: number): Promise<void> =>
  electron.evaluate(({ app, dialog }, response) => {
    const asked: unknown[] = (Reflect.get(app, 'asked') as unknown[] | undefined) ?? [];
    Reflect.set(app, 'asked', asked);
    dialog.showMessageBox = async (...given: unknown[]) => {
      asked.push(given.at(-1));
      return { response, checkboxChecked: false };
    };
  }, button);

const askedDialogs = ({ electron }: DesktopApp): Promise<readonly MessageBoxOptions[]> =>
  electron.evaluate(({ app }) => (Reflect.get(app, 'asked') as MessageBoxOptions[] | undefined) ?? []);

const closeWindow = ({ electron }: DesktopApp): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

const windowCount = ({ electron }: DesktopApp): Promise<number> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

const saleScreen = ({ page }: DesktopApp) => page.locator('[data-screen=sale] input').first();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-'));
  // Where a desktop would look for what it starts at login.
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

// One till's day, in order: each start goes on where the one before has ended.
describe.skipIf(electronDistPath === '')('the window’s shell', () => {
  const reference = 'shell-1';
  let desktop: DesktopApp;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = join(folder, 'till-1');
    desktop = await openDesktopApp(dataDir);
  });

  it('has one window for a data folder, by whichever name, and another for another folder', async () => {
    const link = join(folder, 'same-till');
    symlinkSync(dataDir, link);
    const executable = electronIn(electronDistPath) ?? '';
    const second = spawn(executable, ['--no-sandbox', root, '--', '--data-dir', link], { stdio: 'pipe' });
    let said = '';
    second.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const focused = desktop.electron.evaluate(
      ({ app }) =>
        new Promise<void>((resolve) => {
          app.once('second-instance', () => resolve());
        }),
    );
    const [code] = await once(second, 'close');
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Its window is in front now') });
    await focused;
    const other = await openDesktopApp(join(folder, 'till-2'));
    await saleScreen(other).waitFor();
    await other.close();
  });

  it('looks at the connection when the machine wakes', async () => {
    await desktop.electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
    await expect.poll(() => logOf(dataDir)).toContain('The machine is awake again');
  });

  it('fills the screen as a kiosk, which nobody closes before the setting is off again', async () => {
    await answerDialogs(desktop, 1);
    await ask(desktop, 'settings.change', { patch: { 'window.kiosk': 'on' }, confirmed: false });
    const isKiosk = () =>
      desktop.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isKiosk() === true);
    await expect.poll(isKiosk).toBe(true);
    await closeWindow(desktop);
    await desktop.electron.evaluate(({ app }) => app.quit());
    await desktop.page.waitForTimeout(300);
    expect([await windowCount(desktop), await askedDialogs(desktop)]).toEqual([1, []]);
    await ask(desktop, 'settings.change', { patch: { 'window.kiosk': null }, confirmed: false });
    await expect.poll(isKiosk).toBe(false);
  });

  it('is started at login, from the moment that the setting says so until it says otherwise', async () => {
    const entries = () => {
      const autostart = join(folder, 'config', 'autostart');
      if (!existsSync(autostart)) return [];
      return readdirSync(autostart).map((name) => readFileSync(join(autostart, name), 'utf8'));
    };
    await ask(desktop, 'settings.change', { patch: { 'window.start_at_login': 'on' }, confirmed: false });
    await expect.poll(entries).toEqual([expect.stringContaining(`"--data-dir" "${dataDir}"`)]);
    await ask(desktop, 'settings.change', { patch: { 'window.start_at_login': null }, confirmed: false });
    await expect.poll(entries).toEqual([]);
  });

  it('loads a page that died again, and shows a plain one when it dies again and again', async () => {
    const { electron, page } = desktop;
    const crash = () =>
      electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
    // Playwright's own page has died with the first; the new one is asked by Electron.
    const shown = (): Promise<string> =>
      electron.evaluate(({ BrowserWindow }) =>
        Promise.race([
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            `document.querySelector('[data-screen=sale]') !== null ? 'sale' : document.querySelector('h1')?.textContent ?? ''`,
          ),
          // A question to a page that dies is never answered.
          new Promise((resolve) => setTimeout(resolve, 500, 'no answer')),
        ]),
      );
    await page.waitForSelector('[data-screen=sale]');
    for (const death of [1, 2]) {
      await crash();
      await expect.poll(shown, { message: `after death ${death}` }).toBe('sale');
    }
    await crash();
    await expect.poll(shown).toBe('The cashier screen has stopped');
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())).toBe(
      'app://till/',
    );
    await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`document.querySelector('a').click()`),
    );
    await expect.poll(shown).toBe('sale');
    const ended = once(electron.process(), 'exit');
    electron.process().kill('SIGKILL');
    await ended;
  });

  it('asks before it quits while sales wait, in the language of the screen, and keeps them', async () => {
    desktop = await openDesktopApp(dataDir);
    await saleScreen(desktop).waitFor();
    await ask(desktop, 'lab.add_fault', { effect: { type: 'offline' } });
    await answerDialogs(desktop, 0);
    const earn = { operation_id: crypto.randomUUID(), identifier: { loyalty_id: 'LC-1001' }, customer_name: null };
    expect(
      await ask(desktop, 'operation.earn', { ...earn, amount_minor: 1250, receipt_number: reference }),
    ).toMatchObject({ ok: true });
    await closeWindow(desktop);
    await expect
      .poll(() => askedDialogs(desktop))
      .toMatchObject([
        {
          message: 'Quit Tillbridge?',
          buttons: ['Stay', 'Quit'],
          detail: expect.stringContaining('Waiting to send: 1'),
        },
      ]);
    await ask(desktop, 'locale.set', { locale: 'ar' });
    await closeWindow(desktop);
    await expect.poll(async () => (await askedDialogs(desktop))[1]?.detail).toContain('بانتظار الإرسال: ١');
    expect(await windowCount(desktop)).toBe(1);
  });

  it('asks nobody when the system ends it, and has everything at the next start', async () => {
    const ended = once(desktop.electron.process(), 'exit');
    desktop.electron.process().kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    desktop = await openDesktopApp(dataDir);
    // A new start has a good connection: what waited is sent, once.
    await expect
      .poll(() => ask(desktop, 'operations.recent', { limit: 5 }))
      .toMatchObject({ value: { operations: [{ state: 'applied', amount_minor: 1250 }] } });
  });

  it('leaves a minidump and a line in the log when an error of its own ends it, and loses nothing', async () => {
    const ended = once(desktop.electron.process(), 'exit');
    await desktop.electron.evaluate(
      () => void setTimeout(() => Reflect.apply(Reflect.get({}, 'nothing'), null, []), 0),
    );
    const [code, signal] = await ended;
    expect({ code, isBySignal: signal !== null }).toEqual({ code: null, isBySignal: true });
    expect(logOf(dataDir)).toContain('The app ends by an error that nobody has caught');
    const dumps = () => readdirSync(join(dataDir, 'crashes'), { recursive: true, encoding: 'utf8' });
    await expect.poll(() => dumps().some((name) => name.endsWith('.dmp'))).toBe(true);
    desktop = await openDesktopApp(dataDir);
    expect(await ask(desktop, 'operations.recent', { limit: 5 })).toMatchObject({
      value: { operations: [{ amount_minor: 1250 }] },
    });
    const quit = once(desktop.electron.process(), 'exit');
    await closeWindow(desktop);
    expect(await quit).toEqual([0, null]);
  });
});

function logOf(dataDir: string): string {
  const file = join(dataDir, 'logs', 'agent.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
