import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cli, compileCache } from './built-program.ts';

/** What became of an attempt to start from the disk alone. */
type Dropped =
  | { readonly kind: 'dropped'; readonly files: number }
  /** One line: why that cannot be done here. */
  | { readonly kind: 'impossible'; readonly reason: string };

/**
 * Asks the system to forget what it keeps in memory of the agent's own files: its code, its compile cache, its database
 * driver, and the data folder. What another program has mapped stays.
 */
export function dropFromCache(dataDir: string): Dropped {
  const driver = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const files = [dirname(cli), compileCache, join(driver, 'prebuilds'), join(driver, 'lib'), dataDir].flatMap(
    filesUnder,
  );
  return dropFiles(files);
}

/** The same for these files. */
export function dropFiles(files: readonly string[]): Dropped {
  if (process.platform !== 'linux') return { kind: 'impossible', reason: 'dropping files from the cache needs Linux' };
  for (const path of files) {
    // What is not written yet cannot be dropped.
    syncFile(path);
    const { status, error, stderr } = spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { encoding: 'utf8' });
    if (error !== undefined)
      return { kind: 'impossible', reason: 'dropping files from the cache needs dd of coreutils' };
    if (status !== 0) return { kind: 'impossible', reason: `dd: ${stderr.trim()}` };
  }
  return { kind: 'dropped', files: files.length };
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
