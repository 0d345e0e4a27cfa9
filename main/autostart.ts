import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The program that is started at login. */
export interface LoginProgram {
  readonly executable: string;
  readonly args: readonly string[];
}

/** The line that marks a file as ours. A user's own file is never deleted. */
export const ownMark = 'X-Tillbridge=start_at_login';

/** A word of the Exec line, quoted as the desktop entry specification requires. */
function execWord(word: string): string {
  const escaped = word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  // The line is a string of the file first, where each backslash has to be doubled.
  return `"${escaped}"`.replaceAll('\\', '\\\\');
}

/** The content of the file that a Linux desktop reads at login. */
export function autostartEntry({ executable, args }: LoginProgram): string {
  return `[Desktop Entry]
Type=Application
Name=Tillbridge
Exec=${[executable, ...args].map(execWord).join(' ')}
X-GNOME-Autostart-enabled=true
${ownMark}
`;
}

/** The path of the file, one for each data folder, because two tills of one user may both start. */
export function autostartPath(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const configured = environment.XDG_CONFIG_HOME;
  const config = configured?.startsWith('/') === true ? configured : join(home, '.config');
  const folder = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  return join(config, 'autostart', `tillbridge-${folder}.desktop`);
}
