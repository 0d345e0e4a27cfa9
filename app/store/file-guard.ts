import { statSync } from 'node:fs';
import { StoreError } from './store-error.ts';

/**
 * SQLite goes on writing to a file that was deleted or replaced under it, and what it writes is gone with the process.
 * The guard is asked before each commit (a few microseconds beside the sync).
 *
 * @returns a check that throws StoreError once another file, or none, stands at `path`
 */
export function fileGuard(path: string): () => void {
  // The log is half of the database: what was saved last stands only there.
  const files = [path, `${path}-wal`].map((file) => ({ file, opened: statSync(file) }));
  return () => {
    const stand = files.every(({ file, opened }) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found?.ino === opened.ino && found.dev === opened.dev;
    });
    if (stand) return;
    throw new StoreError(
      'unreachable',
      `${path}: the database was deleted or replaced while it is in use; start again.`,
    );
  };
}
