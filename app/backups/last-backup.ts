import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Mode } from '../../shared/till/modes.ts';
import { readTextFile, writePrivateFile } from '../machine/files.ts';
import { isNoAccess } from '../machine/held-files.ts';

const lastBackupSchema = z.lazy(() =>
  z.object({
    made_at_ms: z.number(),
    file: z.string(),
    operations: z.int(),
  }),
);
/** The newest backup of one mode in one folder; its file may have gone since. */
export type LastBackup = z.infer<typeof lastBackupSchema>;

/** Of each mode, the newest of each folder, the newest first. Earlier versions kept a single one. */
const ofModeSchema = z.lazy(() =>
  z.union([z.array(lastBackupSchema), lastBackupSchema.transform((backup) => [backup])]).default([]),
);
const lastBackupsSchema = z.lazy(() => z.object({ sandbox: ofModeSchema, production: ofModeSchema }));

/** Of so many folders the newest backup is known. */
const keptFolders = 32;

/** Beside the databases and not in them: it tells how old the last backup is when they are lost. */
function path(dataDir: string): string {
  return join(dataDir, 'backups.json');
}

/**
 * @param folder only of backups in this folder; without it of all
 * @returns null when none was ever made here, as far as is known
 */
export function readLastBackup(dataDir: string, mode: Mode, folder?: string): LastBackup | null {
  const isWanted = ({ file }: LastBackup) => folder === undefined || dirname(file) === resolve(folder);
  return known(dataDir)[mode].find(isWanted) ?? null;
}

/** The newest of each folder, the newest first. */
export function readLastBackups(dataDir: string, mode: Mode): readonly LastBackup[] {
  return known(dataDir)[mode];
}

/** @throws what the file system says */
export function noteLastBackup(dataDir: string, mode: Mode, backup: LastBackup): void {
  const all = readAll(dataDir);
  const elsewhere = all[mode].filter(({ file }) => dirname(file) !== dirname(backup.file));
  const kept = { ...all, [mode]: [backup, ...elsewhere].slice(0, keptFolders) };
  writePrivateFile(path(dataDir), `${JSON.stringify(kept)}\n`);
}

const nothingKnown = { sandbox: [], production: [] };

/** What cannot be read now counts as not known. */
function known(dataDir: string): z.infer<typeof lastBackupsSchema> {
  try {
    return readAll(dataDir);
  } catch {
    return nothingKnown;
  }
}

/** @throws what the file system says of a file that cannot be read now: it is not to be written over */
function readAll(dataDir: string): z.infer<typeof lastBackupsSchema> {
  try {
    return lastBackupsSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? '{}'));
  } catch (error) {
    if (isNoAccess(error)) throw error;
    return nothingKnown;
  }
}
