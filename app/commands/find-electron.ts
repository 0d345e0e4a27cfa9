import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The download is tried only where its site answers this fast, so that a till without internet is not kept waiting. */
const siteAnswersWithinMs = 3_000;
const downloadWithinMs = 180_000;
const defaultDownloadSite = 'https://github.com/electron/electron/releases/download/';

type FoundElectron =
  | { readonly kind: 'found'; readonly executable: string }
  | { readonly kind: 'none'; readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The Electron to open the window with: the one that ELECTRON_OVERRIDE_DIST_PATH names, the one that the `electron`
 * package has brought, or, tried once, the one that it can bring now.
 *
 * @param projectDir where `node_modules` is
 * @param say is told, in one line, that a download begins
 */
export async function findElectron(
  projectDir: string,
  environment: Environment,
  say: (line: string) => void,
): Promise<FoundElectron> {
  const named = environment.ELECTRON_OVERRIDE_DIST_PATH ?? '';
  if (named !== '') return inFolder(named, `ELECTRON_OVERRIDE_DIST_PATH (${named}) holds no Electron`);
  const packageDir = join(projectDir, 'node_modules', 'electron');
  const distDir = join(packageDir, 'dist');
  const present = inFolder(distDir, 'there is no Electron here and its download site cannot be reached');
  if (present.kind === 'found' || !(await canDownload(packageDir, environment))) return present;
  say('Getting Electron (about 110 MB); this happens once.');
  await download(packageDir);
  return inFolder(distDir, 'Electron could not be downloaded; `npx install-electron` tells why');
}

function inFolder(folder: string, reason: string): FoundElectron {
  const executable = electronIn(folder);
  return executable === null ? { kind: 'none', reason } : { kind: 'found', executable };
}

/** @returns the executable of the Electron that a folder holds; null when it holds none */
export function electronIn(folder: string): string | null {
  const executable = join(folder, executableNames[process.platform] ?? 'electron');
  return existsSync(executable) ? executable : null;
}

const executableNames: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

async function canDownload(packageDir: string, environment: Environment): Promise<boolean> {
  if ((environment.ELECTRON_SKIP_BINARY_DOWNLOAD ?? '') !== '') return false;
  if (!existsSync(join(packageDir, 'install.js'))) return false;
  try {
    const signal = AbortSignal.timeout(siteAnswersWithinMs);
    await fetch(environment.ELECTRON_MIRROR ?? defaultDownloadSite, { method: 'HEAD', signal });
    return true;
  } catch {
    return false;
  }
}

async function download(packageDir: string): Promise<void> {
  const installer = spawn(process.execPath, [join(packageDir, 'install.js')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: downloadWithinMs,
  });
  await once(installer, 'close').catch(() => undefined);
}

/** @returns why no window can be opened here; null when one can */
export function whyNoDisplay(environment: Environment, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== 'linux') return null;
  const hasDisplay = (environment.DISPLAY ?? '') !== '' || (environment.WAYLAND_DISPLAY ?? '') !== '';
  return hasDisplay ? null : 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}
