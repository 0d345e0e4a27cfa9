import { statSync } from 'node:fs';
import { StoreError } from './store-error.ts';

/**
 * SQLite goes on writing to a file that was deleted or replaced under it, and what it writes is gone with the process.
 * The guard is asked before each commit (a few microseconds beside the sync).
 *
 * @returns a check that throws StoreError once another file, or none, stands at `path`
 */
export function fileGuard(path: string): () => void {
  const opened = statSync(path);
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return;
    throw new StoreError(
      'unreachable',
      `${path}: the database was deleted or replaced while it is in use; start again.`,
    );
  };
}
