import { existsSync } from 'node:fs';
import { join } from 'node:path';

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
