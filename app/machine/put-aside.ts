import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { databaseParts } from './database-parts.ts';
import { fileStamp, isDiskError, isFolder } from './files.ts';
import { renameTogether } from './held-files.ts';
import { DataFolderError } from './lock.ts';

/**
 * Opens a file that nobody's sales depend on. One that cannot be read is put aside, and a new one is begun.
 *
 * @returns the other name of the one that was put aside, without its folder; null when there is none
 * @throws DataFolderError when a new one cannot be made either, or when it is the disk, the folder or another program that
 *   hinders
 */
export function openOrPutAside<Value>(
  path: string,
  open: () => Value,
  nowMs: number,
): { readonly opened: Value; readonly aside: string | null } {
  try {
    return { opened: open(), aside: null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    // Another program has it, or it may not be read: that says nothing of what is in it.
    const isHindered = isDiskError(error) || (isDiskError(cause) && !isFolder(path));
    if (isHindered || !existsSync(path)) throw new DataFolderError(path, error);
    const aside = path.replace(/\.sqlite$/, `.damaged-${fileStamp(nowMs)}.sqlite`);
    try {
      const parts = databaseParts.filter((part) => existsSync(path + part));
      renameTogether(parts.map((part) => [path + part, aside + part]));
      return { opened: open(), aside: basename(aside) };
    } catch (again) {
      throw new DataFolderError(path, again);
    }
  }
}
