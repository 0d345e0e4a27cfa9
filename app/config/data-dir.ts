import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';
import { isServiceInstalled, type ServicePlaces, servicePlaces } from '../machine/service-places.ts';

/**
 * Where a till keeps its data when nobody says otherwise: in the folder of this machine's service, where it has one, else
 * in the login's own.
 *
 * @param environment TILLBRIDGE_DATA_DIR; and see ownDataDir
 * @returns null where that is the login's own folder, and it has none
 */
export function defaultDataDir(
  environment: Readonly<Record<string, string | undefined>>,
  service: ServicePlaces = servicePlaces(environment),
): string | null {
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
 * @param environment LOCALAPPDATA on Windows, XDG_DATA_HOME on Linux; what is not absolute counts as not given, as the XDG
 *   rules have it
 * @returns null for a home that is not absolute: each command would find another till, by where it was started
 */
export function ownDataDir(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string | null {
  const isAbsolute = (path: string) => (platform === 'win32' ? win32 : posix).isAbsolute(path);
  const { variable, below, name } = placeOn(platform);
  const given = variable === null ? '' : (environment[variable] ?? '');
  if (isAbsolute(given)) return join(given, name);
  return isAbsolute(home) ? join(home, ...below, name) : null;
}

interface DataPlace {
  /** What names the place by itself. */
  readonly variable: string | null;
  /** Where it is in the home else. */
  readonly below: readonly string[];
  readonly name: string;
}

function placeOn(platform: NodeJS.Platform): DataPlace {
  if (platform === 'win32') return { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], name: 'Tillbridge' };
  if (platform === 'darwin') return { variable: null, below: ['Library', 'Application Support'], name: 'Tillbridge' };
  return { variable: 'XDG_DATA_HOME', below: ['.local', 'share'], name: 'tillbridge' };
}
