import { statSync } from 'node:fs';
import { modes } from '../../shared/till/modes.ts';
import { databasePath } from '../machine/data-files.ts';
import { megabytesIn } from '../machine/disk-room.ts';
import { freeBytesAt as freeBytesOfDisk, leastFreeBytes } from '../machine/disk-watch.ts';
import type { Release } from './feed.ts';

/** An installed package is larger than its file. */
const installedTimes = 3;

/**
 * An update needs room for its package until that is fetched, for what is installed, and for a copy of each database.
 *
 * @returns what is missing, in words; null when there is room, or when that is not known
 */
export function lackingRoom(
  release: Release,
  dataDir: string,
  {
    isFetched,
    freeBytesAt = freeBytesOfDisk,
  }: { readonly isFetched: boolean; readonly freeBytesAt?: ((path: string) => number | null) | undefined },
): string | null {
  const databases = modes.map((mode) => statSync(databasePath(dataDir, mode), { throwIfNoEntry: false })?.size ?? 0);
  const packageTimes = installedTimes + (isFetched ? 0 : 1);
  const needed =
    release.package.byteCount * packageTimes + databases.reduce((sum, size) => sum + size, 0) + leastFreeBytes;
  const free = freeBytesAt(dataDir);
  if (free === null || free >= needed) return null;
  return `the disk of ${dataDir} has ${megabytesIn(free)} free, and version ${release.version} needs ${megabytesIn(needed)}`;
}
