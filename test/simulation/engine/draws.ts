import { createHash } from 'node:crypto';
import { seededRandom } from '../../../app/machine/random.ts';
import type { RandomSource } from '../../../shared/lib/random.ts';

/**
 * Random numbers by name. Every part of a history draws from a row of its own, so that a history with a step or a
 * fault fewer draws the same for all the rest: without that nothing could be shrunk.
 */
export function drawsOf(seed: number, name: string): RandomSource {
  const digest = createHash('sha1').update(`${seed}|${name}`).digest();
  return seededRandom(digest.readUInt32LE(0) + digest.readUInt16LE(4) * 2 ** 32);
}

/** @returns a whole number from 0 up to, and without, `limit` */
export function wholeBelow(random: RandomSource, limit: number): number {
  return Math.floor(random.next() * limit);
}

export function chance(random: RandomSource, probability: number): boolean {
  return random.next() < probability;
}

/** @throws RangeError when there is nothing to choose from */
export function pick<Item>(random: RandomSource, list: readonly Item[]): Item {
  const item = list[wholeBelow(random, list.length)];
  if (item === undefined) throw new RangeError('There is nothing to choose from');
  return item;
}
