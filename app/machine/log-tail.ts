import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { withoutSecrets } from './log.ts';

/** One line of the log, read back. */
export interface TailLine {
  readonly atMs: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** So much of the end is looked at. */
const tailBytes = 256 * 1024;
/** Of pino. */
const levels: readonly (readonly [number, TailLine['level']])[] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
];

/**
 * The end of the log, oldest first; once more without whatever looks like a secret or a customer. Empty when there is
 * no log, or it cannot be read: a look at it stops nothing.
 */
export function readLogTail(path: string): readonly TailLine[] {
  const lines = endOf(path).split('\n');
  return lines.flatMap((line) => {
    const read = readLine(withoutSecrets(line));
    return read === null ? [] : [read];
  });
}

function endOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      const text = bytes.toString('utf8');
      // The first one may have been cut.
      return size > bytes.length ? text.slice(text.indexOf('\n') + 1) : text;
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

function readLine(text: string): TailLine | null {
  try {
    const { time, level, msg, ...facts }: Record<string, unknown> = JSON.parse(text);
    const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    if (Number.isNaN(atMs) || typeof level !== 'number') return null;
    const name = levels.find(([least]) => level >= least)?.[1] ?? 'debug';
    return { atMs, level: name, message: typeof msg === 'string' ? msg : '', facts };
  } catch {
    return null;
  }
}
