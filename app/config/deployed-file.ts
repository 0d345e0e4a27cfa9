import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { stampsOf } from '../machine/file-stamps.ts';
import type { Writers } from '../machine/folder-access.ts';
import { posixWriters } from '../machine/posix-access.ts';
import { windowsWriters } from '../machine/windows-access.ts';
import type { ManagedStanding, SettingsSources } from './load-settings.ts';

/** Where every till looks for the settings file of store IT. Another place is named with `--config` or TILLBRIDGE_CONFIG. */
export function deployedPath(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  if (platform === 'win32') return join(environment.PROGRAMDATA ?? 'C:\\ProgramData', 'Tillbridge', 'settings.json');
  if (platform === 'darwin') return '/Library/Application Support/Tillbridge/settings.json';
  return '/etc/tillbridge/settings.json';
}

/** By whose rights a deployed file is judged: its own, and its folder's. */
export function placesOfRights(path: string): readonly string[] {
  return [path, dirname(path)];
}

const systemWriters = process.platform === 'win32' ? windowsWriters : posixWriters;
const lookedAt = new Map<string, { readonly stamps: string; readonly writers: Writers }>();

/**
 * Whether the deployed file is used: whoever can change it could move the till to another address. A program has to ask
 * Windows for it, which takes long enough to ask only when the file or its folder has changed.
 */
export function deployedStanding(
  path: string,
  writersOf: (path: string) => Writers = systemWriters,
  known = lookedAt,
): ManagedStanding {
  const stamps = stampsOf(placesOfRights(path));
  const before = known.get(path);
  const writers = before?.stamps === stamps ? before.writers : writersOf(path);
  known.set(path, { stamps, writers });
  switch (writers.kind) {
    case 'administrators':
      return { kind: 'used' };
    case 'unknown':
      return { kind: 'unchecked', line: `is used, but could not be checked: ${writers.why}` };
    case 'others':
      return {
        kind: 'not_used',
        line: `is not used: ${writers.why}. Let only administrators write the file and its folder`,
      };
    default:
      return assertNever(writers);
  }
}

/** What the settings are made from where the deployed file is looked for in its usual place, as that is at this moment. */
export function deployedSources(
  place: string,
  writersOf?: (path: string) => Writers,
): Pick<SettingsSources, 'managedFile' | 'deployedPlace' | 'managedStanding'> {
  if (!existsSync(place)) return { managedFile: null, deployedPlace: place };
  return { managedFile: place, deployedPlace: place, managedStanding: deployedStanding(place, writersOf) };
}
