import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundles.ts';
import { onPath, run, runQuietly } from './commands.ts';

/** The browser that the screen's tests run in: its executable, or why there is none. */
export type FoundProgram =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly reason: string };

/** Without a window there is no need of one's machinery: the same engine takes a third of the processor's time. */
const headlessPackage = 'chromium-headless-shell';

/**
 * Finds a Chromium: CHROMIUM_PATH, the system's, Playwright's own; else installs one, by apt-get (as root) or by
 * Playwright's downloader. CHROMIUM_PACKAGE names a package, and its command, that apt-get brings though another one is
 * here. Says on stderr what it installs.
 */
export async function ensureChromium(env: NodeJS.ProcessEnv): Promise<FoundProgram> {
  const named = env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return { found: true, path: named };
    return { found: false, reason: `CHROMIUM_PATH names ${named}, which does not exist` };
  }
  const canInstall = process.getuid?.() === 0 && onPath('apt-get') !== null;
  const wanted = env.CHROMIUM_PACKAGE ?? '';
  if (canInstall && wanted !== '' && onPath(wanted) === null) await installByApt([wanted]);
  const present = await findChromium();
  if (present !== null) return { found: true, path: present };

  // Not every system has the first apart.
  if (canInstall) await installByApt([headlessPackage, 'chromium']);
  else await installByPlaywright();
  const installed = await findChromium();
  if (installed !== null) return { found: true, path: installed };
  return { found: false, reason: 'no Chromium here and none could be installed; install one or set CHROMIUM_PATH' };
}

async function findChromium(): Promise<string | null> {
  for (const name of [headlessPackage, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const path = onPath(name);
    if (path !== null) return path;
  }
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path !== '' && existsSync(path) ? path : null;
}

/** The first of the packages that there is. */
async function installByApt(names: readonly string[]): Promise<void> {
  await runQuietly('apt-get', ['update', '-qq']);
  for (const name of names) {
    // The fonts hold the Arabic letters.
    process.stderr.write(`Installing the packages ${name} and fonts-noto-core for the tests of the screen.\n`);
    if (await runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-core']))
      return;
  }
}

async function installByPlaywright(): Promise<void> {
  process.stderr.write('No Chromium here: downloading the one Playwright knows.\n');
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  const { output } = await run(process.execPath, [cli, 'install', 'chromium']);
  process.stderr.write(output);
}
