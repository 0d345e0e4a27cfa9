import type { Memory } from './subject.ts';

const mebibyte = 1024 * 1024;
/** Compiled code, caches that are full, pages of the database: what a program takes once and keeps. */
const settledMebibytes = 12;

/**
 * Whether what is in use after a collection of garbage goes on growing over equal batches: the middle third of them against
 * the last. The first third fills what is filled once.
 *
 * @returns null when it does not, or when there are too few batches to tell
 */
export function growth(measured: readonly Memory[]): string | null {
  if (measured.length < 9) return null;
  const third = Math.floor(measured.length / 3);
  const middle = median(measured.slice(third, 2 * third).map(({ heapBytes }) => heapBytes));
  const last = median(measured.slice(-third).map(({ heapBytes }) => heapBytes));
  const grownMebibytes = (last - middle) / mebibyte;
  if (grownMebibytes <= settledMebibytes) return null;
  return `The memory grew by ${grownMebibytes.toFixed(1)} MiB from the middle batches to the last (${measured.length} batches)`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
