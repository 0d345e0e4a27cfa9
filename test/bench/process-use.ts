import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used since it began, by the kernel's own count. */
export interface ProcessUse {
  /** On a processor, of all its threads, in milliseconds. */
  readonly cpuMs: number;
  /** How often one of its threads went to sleep, and so was woken. */
  readonly wakeUps: number;
  /** Handed to a disk; what goes into a socket or a pipe is not among it. */
  readonly writtenBytes: number;
}

/** @returns null where the system does not tell */
export function readProcessUse(pid: number): ProcessUse | null {
  if (process.platform !== 'linux') return null;
  const folder = `/proc/${pid}`;
  const threads = readdirSync(`${folder}/task`).map((thread) => `${folder}/task/${thread}`);
  return {
    // Nanoseconds; the more usual /proc/PID/stat counts in hundredths of a second.
    cpuMs: sum(threads.map((thread) => Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6)),
    wakeUps: sum(threads.map((thread) => fieldOf(`${thread}/status`, 'voluntary_ctxt_switches'))),
    writtenBytes: fieldOf(`${folder}/io`, 'write_bytes'),
  };
}

function fieldOf(file: string, name: string): number {
  const value = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
  if (value === undefined) throw new Error(`${file} does not tell ${name}`);
  return Number(value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
