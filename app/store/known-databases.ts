import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../files.ts';
import { readOpenMarker } from './open-marker.ts';

const namesSchema = z.array(z.string());

/** Not under the database's own name: whoever deletes `sandbox.sqlite*` leaves it. */
function listPath(path: string): string {
  return join(dirname(path), 'databases.json');
}

/** Whether an agent ever had this database open. @param path of the database */
export function wasOpened(path: string): boolean {
  return readOpenMarker(path) !== null || namesIn(listPath(path)).includes(basename(path));
}

/** Keeps for good that there is this database. @param path of the database */
export function noteOpened(path: string): void {
  const names = namesIn(listPath(path));
  if (names.includes(basename(path))) return;
  try {
    writePrivateFile(listPath(path), `${JSON.stringify([...names, basename(path)])}\n`);
  } catch {
    // Sales go on without it; the next start tries again.
  }
}

function namesIn(file: string): readonly string[] {
  try {
    return namesSchema.parse(JSON.parse(readTextFile(file) ?? '[]'));
  } catch {
    return [];
  }
}
