import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { vi } from 'vitest';
import { electronIn } from '../../app/commands/find-electron.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/** Where the Electron to test with is; `npm test` sets it, or says loudly that these tests do not run. */
export const electronDistPath = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? '';

export interface DesktopApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly dataDir: string;
  /** Everything that the page's console said at error level. */
  readonly pageErrors: readonly string[];
  close(): Promise<void>;
}

/** The customers' window may open before it. */
function cashiersPage(electron: ElectronApplication): Promise<Page> {
  return vi.waitFor(
    () => {
      const page = electron.windows().find((window) => window.url().startsWith('app://till/'));
      if (page === undefined) throw new Error('The cashier’s window is not open yet');
      return page;
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** The built desktop app on a data folder of its own, with the embedded sandbox. */
export async function openDesktopApp(dataDir = mkdtempSync(join(tmpdir(), 'desktop-'))): Promise<DesktopApp> {
  const executablePath = electronIn(electronDistPath);
  if (executablePath === null) throw new Error(`${electronDistPath} holds no Electron`);
  const electron = await _electron.launch({
    executablePath,
    args: ['--no-sandbox', projectDir, '--', '--data-dir', dataDir, '--port', '0'],
    cwd: projectDir,
  });
  const page = await cashiersPage(electron);
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  return {
    electron,
    page,
    dataDir,
    pageErrors,
    async close() {
      await electron.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
