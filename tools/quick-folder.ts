import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

/** A kill leaves the same on a disk in memory as on any other; there, thousands of them are quick. */
export function quickFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}
