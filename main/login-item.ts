import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { app } from 'electron';
import { readTextFile, writePrivateFile } from '../app/machine/files.ts';
import type { Log } from '../app/machine/log.ts';
import { autostartEntry, autostartPath, type LoginProgram, ownMark } from './autostart.ts';

/** Makes the system start a program, or none, when this user logs in. @returns a function that takes the program */
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
