import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isServiceInstalled, type ServicePlaces, servicePlaces } from '../machine/service-places.ts';

/**
 * Where a till keeps its data when nobody says otherwise: in the folder of this machine's service, where it has one, else
 * in the login's own.
 *
 * @param environment TILLBRIDGE_DATA_DIR; and see ownDataDir
 */
export function defaultDataDir(
  environment: Readonly<Record<string, string | undefined>>,
  service: ServicePlaces = servicePlaces(environment),
): string {
  return namedDataDir(environment) ?? (isServiceInstalled(service) ? service.dataDir : ownDataDir(environment));
}

/** The folder that the environment names; null when it names none. */
export function namedDataDir({
  TILLBRIDGE_DATA_DIR: named,
}: Readonly<Record<string, string | undefined>>): string | null {
  return named === undefined || named === '' ? null : resolve(named);
}

/**
 * The platform's own place for a login's data.
 *
 * @param environment LOCALAPPDATA on Windows, XDG_DATA_HOME on Linux
 */
export function ownDataDir(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Tillbridge');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Tillbridge');
  return join(xdgDataHome(environment.XDG_DATA_HOME, home), 'tillbridge');
}

// The XDG rules: an address that is not absolute counts as not given.
function xdgDataHome(given: string | undefined, home: string): string {
  return given?.startsWith('/') === true ? given : join(home, '.local', 'share');
}
