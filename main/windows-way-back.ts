import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { windowsPowerShell } from '../app/machine/system-programs.ts';
import { updatesFolder } from '../app/updates/update-files.ts';
import type { Installation } from '../app/updates/update-host.ts';

/**
 * The installer of the running version, which is kept so that an update can go back to it. Not yet tried on a real
 * Windows.
 */
export function keptOnWindows(dataDir: string): { readonly file: string; readonly version: string } {
  const folder = join(updatesFolder(dataDir), 'kept');
  return { file: join(folder, 'installed.exe'), version: join(folder, 'installed.version') };
}

/**
 * Lets a script of this version watch the first start of the next one. The script runs from copies in the data folder,
 * which the installer does not replace. Without a kept installer there is no way back, so nothing is watched.
 */
export function beginWatchOnWindows(
  dataDir: string,
  { version, next }: { readonly version: string; readonly next: Installation },
): void {
  const kept = keptOnWindows(dataDir);
  const before = join(updatesFolder(dataDir), 'kept', 'before.exe');
  mkdirSync(join(updatesFolder(dataDir), 'kept'), { recursive: true });
  const hasBefore = existsSync(kept.version) && readFileSync(kept.version, 'utf8').trim() === version;
  if (hasBefore) {
    copyFileSync(kept.file, before);
    const script = join(updatesFolder(dataDir), 'watch-trial.ps1');
    copyFileSync(join(process.resourcesPath, 'watch-trial.ps1'), script);
    const named = ['-DataDir', dataDir, '-Before', before, '-Program', process.execPath];
    spawn(windowsPowerShell(), ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', script, ...named], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    }).unref();
  }
  copyFileSync(next.packageFile, kept.file);
  writeFileSync(kept.version, `${next.release.version}\n`);
}
