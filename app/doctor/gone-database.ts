import { basename } from 'node:path';
import type { Mode } from '../../shared/till/modes.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { wasOpened } from '../store/files/known-databases.ts';

/** A database of which only a note is left that an agent keeps beside it; null: it is there, or no agent ever ran. */
export function goneDatabase(dataDir: string, mode: Mode): { readonly says: string; readonly advice: string } | null {
  const path = databasePath(dataDir, mode);
  if (hasDatabase(dataDir, mode) || !wasOpenedOnce(path)) return null;
  return {
    says: `${basename(path)} is missing; an agent ran here`,
    advice: 'Put the database back, or restore a backup, before you start the agent',
  };
}

function wasOpenedOnce(path: string): boolean {
  try {
    return wasOpened(path);
  } catch {
    // Its notes cannot be read now, which the start of an agent says.
    return false;
  }
}
