import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { readTextFile, writePrivateFile } from '../app/machine/files.ts';
import type { Log } from '../app/machine/log.ts';

/** What is started at login. */
export interface LoginProgram {
  readonly executable: string;
  readonly args: readonly string[];
}

/** By this line a file is known as ours: somebody's own is never deleted. */
const ownMark = 'X-Tillbridge=start_at_login';

/** A word of the Exec line, as the desktop entry specification wants it quoted. */
function execWord(word: string): string {
  const escaped = word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  // The line is a string of the file first, in which a backslash stands for itself twice.
  return `"${escaped}"`.replaceAll('\\', '\\\\');
}

/** The file that a Linux desktop reads at login. */
export function autostartEntry({ executable, args }: LoginProgram): string {
  return `[Desktop Entry]
Type=Application
Name=Tillbridge
Exec=${[executable, ...args].map(execWord).join(' ')}
X-GNOME-Autostart-enabled=true
${ownMark}
`;
}

/** One for each data folder: two tills of one user may both start. */
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

/** Sees to it that the system starts a program when this user logs in, or none: the function that it gives is told which. */
export function keepLoginItem(options: {
  readonly windowDir: string;
  readonly log: Log;
}): (program: LoginProgram | null) => void {
  const { windowDir, log } = options;
  let now = '';
  return (program) => {
    const wanted = JSON.stringify(program);
    if (now === wanted) return;
    now = wanted;
    try {
      if (process.platform === 'linux') keepAutostart(autostartPath(windowDir, process.env, homedir()), program);
      else setLoginItem(program);
    } catch (error) {
      log.warn({ error }, 'The start at login could not be set; the system refuses it');
    }
  };
}

function keepAutostart(path: string, program: LoginProgram | null): void {
  const wanted = program === null ? null : autostartEntry(program);
  const found = readTextFile(path);
  if (found === wanted) return;
  if (wanted !== null) writePrivateFile(path, wanted);
  else if (found?.includes(ownMark) === true) rmSync(path, { force: true });
}

function setLoginItem(program: LoginProgram | null): void {
  app.setLoginItemSettings({
    openAtLogin: program !== null,
    ...(program === null ? {} : { path: program.executable, args: [...program.args] }),
  });
}
