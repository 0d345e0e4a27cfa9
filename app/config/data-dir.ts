import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where a till keeps its data when nobody says otherwise: the platform's own place for it.
 *
 * @param environment LOCALAPPDATA on Windows, XDG_DATA_HOME on Linux
 */
export function defaultDataDir(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const named = environment.TILLBRIDGE_DATA_DIR;
  if (named !== undefined && named !== '') return resolve(named);
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Tillbridge');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Tillbridge');
  return join(xdgDataHome(environment.XDG_DATA_HOME, home), 'tillbridge');
}

// The XDG rules: an address that is not absolute counts as not given.
function xdgDataHome(given: string | undefined, home: string): string {
  return given?.startsWith('/') === true ? given : join(home, '.local', 'share');
}
