import { join } from 'node:path';
import { electronIn } from '../app/commands/find-electron.ts';
import { root } from './bundles.ts';
import type { FoundProgram } from './chromium.ts';
import { run } from './commands.ts';

/**
 * Finds the folder of an Electron to test with: ELECTRON_OVERRIDE_DIST_PATH, the one that the `electron` package has
 * downloaded, or what ELECTRON_INSTALLER brings: a shell script whose last line on standard output is the folder. Never
 * downloads Electron itself.
 */
export async function ensureElectron(env: NodeJS.ProcessEnv): Promise<FoundProgram> {
  const named = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named !== undefined && named !== '') {
    if (electronIn(named) !== null) return { found: true, path: named };
    return { found: false, reason: `ELECTRON_OVERRIDE_DIST_PATH names ${named}, which holds no Electron` };
  }
  const downloaded = join(root, 'node_modules', 'electron', 'dist');
  if (electronIn(downloaded) !== null) return { found: true, path: downloaded };
  const installer = env.ELECTRON_INSTALLER ?? '';
  if (installer !== '') {
    const { exitCode, stdout, output } = await run('bash', [installer]);
    const folder = stdout.trim().split('\n').at(-1) ?? '';
    if (exitCode === 0 && electronIn(folder) !== null) return { found: true, path: folder };
    return { found: false, reason: `ELECTRON_INSTALLER names ${installer}, which brought none:\n${output}` };
  }
  return {
    found: false,
    reason: 'no Electron here; `npx install-electron` brings it, or set ELECTRON_OVERRIDE_DIST_PATH to its folder',
  };
}
