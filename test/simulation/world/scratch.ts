import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where files live in memory, where the system has such a place: a history syncs thousands of times. */
const memory = '/dev/shm';

const made = new Set<string>();

/** The beginning of a temporary folder's path, for `mkdtempSync`. */
export function scratchFolder(name: string): string {
  return join(existsSync(memory) ? memory : tmpdir(), `tillbridge-simulation-${name}`);
}

/** Has a folder removed when the process ends. */
export function removeAtExit(folder: string): void {
  if (made.size === 0) {
    process.once('exit', () => {
      for (const one of made) rmSync(one, { recursive: true, force: true });
    });
  }
  made.add(folder);
}
