import { z } from 'zod';

/** A version of ours: three numbers. */
export const comparable = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'must be a version such as 0.2.0');

/** @returns below 0 when `one` is the older version, 0 when they are the same @throws for what is no version */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (const [place, number] of left.entries()) {
    const difference = number - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return comparable.parse(version).split('.').map(Number);
}
