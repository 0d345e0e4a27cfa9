import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const leastFreeBytes = 2 * 1024 ** 3;

/**
 * A folder for the files of tests: on a disk in memory where there is a large one. A kill leaves the same there as on
 * any other, and a commit does not wait: most of what tests of the store once did was to wait for the disk.
 */
export function quickFolder(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastFreeBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
