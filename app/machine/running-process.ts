import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { errorCode } from '../../shared/lib/error-code.ts';

/**
 * Whether a process is there.
 *
 * @returns true also for another user's; false for one that has ended and whose parent has not asked how (Linux)
 */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0) && statusOf(processId)[0] !== endedAndKept;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * What tells a process apart from every other that has, had or will have its number: after a power cut the same program often
 * gets the same one.
 *
 * @returns when it began, in ticks of the kernel since the machine started; empty where the system does not say (only Linux
 *   does)
 */
export function beginningOf(processId: number): string {
  return statusOf(processId)[beginningPlace] ?? '';
}

/** By its clock of now, as the times of its files are. Windows counts on when it is shut down for a fast start. */
export function machineStartedAtMs(): number {
  return Date.now() - uptime() * 1_000;
}

/** Its number is kept for its parent, and nothing else of it. */
const endedAndKept = 'Z';
/** The 22nd field of /proc/PID/stat, of which the third is the first here (proc(5)). */
const beginningPlace = 19;

/** The fields of /proc/PID/stat behind the name of the program, which may hold anything; none where there is no such file. */
function statusOf(processId: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return [];
  }
}
