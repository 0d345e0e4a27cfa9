import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, session } from 'electron';
import { manifest } from '../app/machine/installed.ts';
import { lockWhenFree } from '../app/machine/lock.ts';
import { version } from '../app/machine/version.ts';
import { closeAndInstall, InstallerBusyError } from '../app/updates/close-and-install.ts';
import type { PackageKind } from '../app/updates/feed.ts';
import { busyExitCode } from '../app/updates/install-package.ts';
import { nextFolder } from '../app/updates/update-files.ts';
import type { Installation, UpdateHost } from '../app/updates/update-host.ts';
import { errorText } from '../shared/lib/error-code.ts';
import type { FetchedPackage } from './package-download.ts';
import { startAfterThis } from './program.ts';
import { screenUseOf } from './screen-use.ts';
import { beginWatchOnWindows, keptOnWindows } from './windows-way-back.ts';

interface WindowParts {
  readonly dataDir: string;
  /** Null until the window is open. */
  readonly window: () => BrowserWindow | null;
  /** Ends the agent, but not the program. */
  readonly endAgent: () => Promise<void>;
}

/** A command of store IT is finished within this time, except perhaps a backup of a very large database. */
const folderWaitMs = 20_000;

/**
 * The folder of the packages to which an update can go back. On Linux only root may write there
 * (packaging/linux/tillbridge-install).
 */
const keptPackages = '/var/lib/tillbridge-packages';

/** What this window does for updates; null for a program that was not installed. */
export function updateHost(parts: WindowParts): UpdateHost | null {
  if (!manifest.installed) return null;
  const { dataDir, window } = parts;
  const packageKind = kindOfPackage();
  let fetched: FetchedPackage | null = null;
  return {
    version,
    platform: `${process.platform}-${process.arch}`,
    packageKind,
    feedKeys: manifest.updateKeys,
    fetch: fetchBytes,
    async download(release, feed) {
      if (packageKind === null) throw new Error('This kind of package is updated by hand');
      const { fetchPackage } = await import('./package-download.ts');
      fetched = await fetchPackage(release, { feed, kind: packageKind });
      return fetched.file;
    },
    screenUse: () => screenUseOf(window()),
    install: (installation) =>
      closeAndInstall({
        dataDir,
        version: installation.release.version,
        endAgent: parts.endAgent,
        async install() {
          // The lock is held until this process ends, so that no command changes what is copied and no other agent
          // starts.
          await lockWhenFree(dataDir, { withinMs: folderWaitMs });
          await installation.prepare();
          if (packageKind !== 'nsis') {
            await runInstaller(dataDir, installation);
            return 'start_again';
          }
          beginWatchOnWindows(dataDir, { version, next: installation });
          fetched?.installAndQuit();
          return 'starts_by_itself';
        },
        startAgain() {
          startAfterThis();
          app.exit(0);
        },
        tell: (line) => void process.stderr.write(`${line}\n`),
        nowMs: Date.now,
      }),
    keptVersion() {
      const kept = packageKind === 'nsis' ? keptOnWindows(dataDir).version : join(keptPackages, 'installed.version');
      return existsSync(kept) && readFileSync(kept, 'utf8').trim() === version ? version : null;
    },
  };
}

/** The kind of package, from the file that electron-builder writes into Linux packages. */
function kindOfPackage(): PackageKind | null {
  if (process.platform === 'win32') return 'nsis';
  try {
    const named = readFileSync(join(process.resourcesPath, 'package-type'), 'utf8').trim();
    return named === 'deb' || named === 'rpm' ? named : null;
  } catch {
    return null;
  }
}

async function fetchBytes(url: URL, limits: Parameters<UpdateHost['fetch']>[1]): Promise<Uint8Array> {
  // Its own session, because the page's session may reach nothing.
  const response = await session
    .fromPartition('updates', { cache: false })
    .fetch(url.href, { signal: AbortSignal.timeout(limits.timeoutMs), redirect: 'error', cache: 'no-store' })
    .catch((error: unknown) => {
      throw new Error(`${url.href} cannot be reached: ${errorText(error)}`);
    });
  if (!response.ok || response.body === null) throw new Error(`${url.href} answers ${response.status}`);
  const parts: Uint8Array[] = [];
  let byteCount = 0;
  for await (const part of response.body) {
    byteCount += part.byteLength;
    if (byteCount > limits.maxBytes) throw new Error(`${url.href} has more than ${limits.maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * On Linux: runs the installer as root, through pkexec when this user is not root. The installer checks the signature
 * again.
 */
async function runInstaller(dataDir: string, { packageFile }: Installation): Promise<void> {
  const installer = join(process.resourcesPath, 'tillbridge-install');
  const child = spawn(installer, ['update', nextFolder(dataDir), packageFile], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const lastLine = said.trim().split('\n').at(-1) ?? '';
  const reason = lastLine === '' ? `the installer ended with ${code}` : lastLine;
  throw code === busyExitCode ? new InstallerBusyError(reason) : new Error(reason);
}
