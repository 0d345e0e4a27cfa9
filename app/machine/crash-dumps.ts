import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rmSync } from './held-files.ts';

/** So many dumps are kept, the newest, and so many bytes in all. */
const mostDumps = 5;
const mostBytes = 50 * 1024 * 1024;

/** What a process of the desktop app has left when it crashed: parts of its memory. */
interface CrashDump {
  readonly path: string;
  /** Under the folder of the dumps. */
  readonly name: string;
  readonly bytes: number;
  readonly atMs: number;
}

export function crashDir(dataDir: string): string {
  return join(dataDir, 'crashes');
}

/** Newest first. */
export function crashDumps(dataDir: string): readonly CrashDump[] {
  const folder = crashDir(dataDir);
  return filesUnder(folder)
    .filter((name) => name.endsWith('.dmp'))
    .flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path: join(folder, name), name, bytes: found.size, atMs: found.mtimeMs }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** Deletes those that are too many, or too much. @returns how many it has deleted */
export function boundCrashDumps(dataDir: string): number {
  let bytes = 0;
  const surplus = crashDumps(dataDir).filter((dump, index) => {
    bytes += dump.bytes;
    return index >= mostDumps || bytes > mostBytes;
  });
  for (const { path } of surplus) {
    rmSync(path, { force: true });
    rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
  }
  return surplus.length;
}

function filesUnder(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
