import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText } from '../../shared/lib/error-code.ts';
import { deployedPath, deployedStanding } from '../config/deployed-file.ts';
import { valueAt } from '../config/layers.ts';
import { readLayerFile } from '../config/saved-settings.ts';
import { manifest } from '../machine/installed.ts';
import { version } from '../machine/version.ts';
import { busyExitCode, installUpdate, PackageManagerBusyError, runPackageManager } from '../updates/install-package.ts';
import { complain } from './complain.ts';
import { exitCodes } from './exit-codes.ts';
import { rendererDir } from './renderer-dir.ts';

const managers = {
  deb: ['dpkg', '--install'],
  rpm: ['rpm', '--upgrade', '--oldpackage'],
} as const;

/** `install-update FOLDER FILE KEPT`: what packaging/linux/tillbridge-install runs as root. */
export async function installUpdateCommand([folder = '', file = '', kept = '']: readonly string[]): Promise<number> {
  const packageKind = kindInstalled();
  if (packageKind === null) return complain(['This package is updated by hand.'], exitCodes.problemFound);
  const deployedFile = deployedPath({}, process.platform);
  const deployed = readLayerFile(deployedFile);
  const isBelieved = deployed.kind === 'layer' && deployedStanding(deployedFile).kind === 'used';
  const mayGoDown = isBelieved && valueAt(deployed.layer, 'update.allow_downgrade') === 'yes';
  const install = () =>
    installUpdate(
      { folder, file },
      {
        version,
        platform: `${process.platform}-${process.arch}`,
        packageKind,
        feedKeys: manifest.updateKeys,
        mayGoDown,
        kept,
        install(next) {
          const [program, ...args] = managers[packageKind];
          const env = { ...process.env, LC_ALL: 'C' };
          const runOnce = () => spawnSync(program, [...args, next], { encoding: 'utf8', env });
          runPackageManager(runOnce, { program, pause });
        },
      },
    );
  try {
    const outcome = install();
    if (outcome.kind === 'refused') return complain([outcome.line], exitCodes.problemFound);
    process.stdout.write(`Version ${outcome.version} is installed.\n`);
    return exitCodes.well;
  } catch (error) {
    // The window tells it as one line.
    const isBusy = error instanceof PackageManagerBusyError;
    const exitCode = isBusy ? busyExitCode : exitCodes.problemFound;
    return complain([errorText(error)], exitCode);
  }
}

/** This process does nothing else. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function kindInstalled(): keyof typeof managers | null {
  // resources/agent/dist/renderer: electron-builder writes it into resources.
  const named = join(dirname(dirname(dirname(rendererDir))), 'package-type');
  const kind = existsSync(named) ? readFileSync(named, 'utf8').trim() : '';
  return kind === 'deb' || kind === 'rpm' ? kind : null;
}
