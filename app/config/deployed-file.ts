import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Writers } from '../machine/folder-access.ts';
import { posixWriters } from '../machine/posix-access.ts';
import { windowsWriters } from '../machine/windows-access.ts';

/**
 * The settings file that store IT has put where every till looks for it; null when there is none. Another place is named
 * with `--config` or TILLBRIDGE_CONFIG.
 */
export function deployedSettingsFile(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const path = deployedPath(environment, platform);
  return existsSync(path) ? path : null;
}

export function deployedPath(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  if (platform === 'win32') return join(environment.PROGRAMDATA ?? 'C:\\ProgramData', 'Tillbridge', 'settings.json');
  if (platform === 'darwin') return '/Library/Application Support/Tillbridge/settings.json';
  return '/etc/tillbridge/settings.json';
}

/** Whether a deployed file is used; a line where somebody has to know. */
type DeployedStanding =
  | { readonly kind: 'used' }
  /** The system does not say who may change it. A till that sold yesterday goes on selling. */
  | { readonly kind: 'unchecked'; readonly line: string }
  | { readonly kind: 'not_used'; readonly line: string };

const lookedAt = new Map<string, Writers>();

/**
 * Whether the deployed file is used: whoever can change it could move the till to another address. A program has to ask
 * Windows for it, which takes long enough to ask once.
 */
export function deployedStanding(
  path: string,
  writersOf: (path: string) => Writers = process.platform === 'win32' ? windowsWriters : posixWriters,
  known = lookedAt,
): DeployedStanding {
  const writers = known.get(path) ?? writersOf(path);
  known.set(path, writers);
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
