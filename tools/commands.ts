import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a command on PATH, or null. */
export function onPath(command: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, command);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Runs a command whose output matters only when it fails (it then goes to stderr). Returns whether it went well. */
export function runQuietly(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env });
  if (status === 0) return true;
  process.stderr.write(`${command} ${args.join(' ')} failed.\n${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}\n`);
  return false;
}
