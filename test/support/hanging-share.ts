import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { temporaryFolder } from './core-rows.ts';

/** A share whose server is silent: whoever asks for anything on it waits until it answers again or is unmounted. */
export interface HangingShare {
  readonly path: string;
  readonly unmount: () => void;
}

/**
 * A file system in user space whose program never answers. It is unmounted after a while also where the test itself waits
 * for it: then the test fails instead of waiting for ever.
 *
 * @returns null where this user may not mount one
 */
export function hangingShare(longestSeconds = 15): HangingShare | null {
  const folder = temporaryFolder();
  const path = folder.file('share');
  mkdirSync(path);
  let program: number;
  try {
    program = openSync('/dev/fuse', 'r+');
  } catch {
    folder.remove();
    return null;
  }
  try {
    const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
    execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'silent', path], {
      stdio: ['ignore', 'ignore', 'ignore', program],
    });
  } catch {
    closeSync(program);
    folder.remove();
    return null;
  }
  const watch: ChildProcess = spawn('sh', ['-c', `sleep ${longestSeconds}; umount -f '${path}'`], { stdio: 'ignore' });
  watch.unref();
  return {
    path,
    unmount() {
      watch.kill();
      closeSync(program);
      execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      folder.remove();
    },
  };
}
