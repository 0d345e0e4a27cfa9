import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {} from '../../renderer/shell/pick-shell.ts';
import { CommandProcess, newDataDir } from '../support/agent-process.ts';
import { electronDistPath, openDesktopApp } from '../support/electron-app.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const environment = { ELECTRON_OVERRIDE_DIST_PATH: electronDistPath };
const start = (...flags: string[]) =>
  new CommandProcess(['start', '--port', '0', '--data-dir', dataDir, ...flags], environment);

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.skipIf(electronDistPath === '')('the start command', () => {
  it('opens the desktop app, which ends well when told to', async () => {
    const command = start();
    await until(() => existsSync(join(dataDir, 'agent.json')));
    const second = await start().ended;
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain('already runs on');
    const ended = await command.stop();
    expect(ended.exitCode).toBe(0);
    expect(existsSync(join(dataDir, 'agent.json'))).toBe(false);
  });

  it('hands on what the settings are refused for', async () => {
    const ended = await start('--locale', 'fr').ended;
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('--locale');
  });
});

describe.skipIf(electronDistPath === '')('the window', () => {
  it('comes back where it was, and after its page has died', async () => {
    const first = await openDesktopApp(dataDir);
    const bounds = { x: 20, y: 30, width: 1100, height: 650 };
    await first.electron.evaluate(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(wanted);
    }, bounds);
    await first.electron.close();
    expect(JSON.parse(readFileSync(join(dataDir, 'window.json'), 'utf8'))).toMatchObject({ width: 1100, height: 650 });

    const second = await openDesktopApp(dataDir);
    const again = await second.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    expect(again).toMatchObject({ width: 1100, height: 650 });
    const loadedAgain = second.electron.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          // The first load may still end after this: only a load that ends after the death is the second one.
          contents?.once('render-process-gone', () => contents.once('did-finish-load', () => resolve()));
          contents?.forcefullyCrashRenderer();
        }),
    );
    await loadedAgain;
    const title = await second.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.title'),
    );
    expect(title).toBe('Tillbridge');
    await second.close();
  });
});

describe.skipIf(electronDistPath === '')('an API key that the page sets', () => {
  it('is kept with the secrets, and never comes back to the page', async () => {
    const key = 'loyalty_pk_test_set_by_the_page_77';
    const desktop = await openDesktopApp(dataDir);
    const ask = (command: string, input: unknown) =>
      desktop.page.evaluate(
        // What the preload put there.
        (question) => window.tillbridge?.call(question),
        { command, input },
      );
    expect(await ask('settings.change', { patch: { api_key: key } })).toEqual({
      ok: true,
      value: { kind: 'saved', restart_needed: true },
    });
    const read = JSON.stringify(await ask('settings.read', {}));
    expect(read).toContain('"value":"loyalty_pk_test_…e_77"');
    for (const answer of [read, JSON.stringify(await ask('state.read', {}))]) expect(answer).not.toContain(key);
    const files = readdirSync(dataDir).filter((name) => name.startsWith('settings'));
    expect(files).toContain('settings.json');
    for (const name of files) expect(readFileSync(join(dataDir, name), 'utf8')).not.toContain(key);
    await desktop.close();
  });
});
