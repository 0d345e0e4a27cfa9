import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { whyNotPosixAdministrators } from '../machine/posix-access.ts';
import { whyNotWindowsAdministrators } from '../machine/windows-access.ts';

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

const lookedAt = new Map<string, string | null>();

/**
 * Why the deployed file is not used: whoever can change it could move the till to another address. A program has to ask
 * Windows for it, which takes long enough to ask once.
 *
 * @returns one line; null where only administrators can change it
 */
export function deployedFault(
  path: string,
  whyNot: (path: string) => string | null = process.platform === 'win32'
    ? whyNotWindowsAdministrators
    : whyNotPosixAdministrators,
  known = lookedAt,
): string | null {
  if (!known.has(path)) known.set(path, whyNot(path));
  const why = known.get(path) ?? null;
  return why === null ? null : `is not used: ${why}. Let only administrators write the file and its folder`;
}
