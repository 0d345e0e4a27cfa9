import { readFileSync } from 'node:fs';

/**
 * Whether a process is there.
 *
 * @returns true also for another user's; false for one that has ended and whose parent has not asked how (Linux)
 */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0) && !isLeftOver(processId);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Its number is kept for its parent, and nothing else of it: state Z behind the name in /proc/PID/stat (proc(5)). */
function isLeftOver(processId: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${processId}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
