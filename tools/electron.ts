import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { electronIn } from '../app/commands/find-electron.ts';
import { root } from './bundles.ts';
import type { FoundProgram } from './chromium.ts';

/**
 * Finds the folder of an Electron to test with: ELECTRON_OVERRIDE_DIST_PATH, the one the `electron` package has
 * downloaded, or the test runtime beside the project. Never downloads Electron itself.
 */
export function ensureElectron(env: NodeJS.ProcessEnv): FoundProgram {
  const named = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named !== undefined && named !== '') {
    if (electronIn(named) !== null) return { found: true, path: named };
    return { found: false, reason: `ELECTRON_OVERRIDE_DIST_PATH names ${named}, which holds no Electron` };
  }
  const downloaded = join(root, 'node_modules', 'electron', 'dist');
  if (electronIn(downloaded) !== null) return { found: true, path: downloaded };

  const installer = join(root, '..', 'shared', 'tools', 'electron-runtime', 'install.sh');
  if (existsSync(installer)) {
    const { stdout } = spawnSync('bash', [installer], { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
    const folder = stdout.trim().split('\n').at(-1) ?? '';
    if (folder !== '' && electronIn(folder) !== null) return { found: true, path: folder };
  }
  return {
    found: false,
    reason: 'no Electron here; `npx install-electron` brings it, or set ELECTRON_OVERRIDE_DIST_PATH to its folder',
  };
}
