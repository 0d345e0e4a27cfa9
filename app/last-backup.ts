import { join } from 'node:path';
import { z } from 'zod';
import type { Mode } from '../shared/till/views.ts';
import { readTextFile, writePrivateFile } from './files.ts';

const lastBackupSchema = z.object({
  made_at_ms: z.number(),
  file: z.string(),
  operations: z.int(),
});
const lastBackupsSchema = z.object({ sandbox: lastBackupSchema.optional(), production: lastBackupSchema.optional() });
/** The newest backup of one mode that was made here; its file may have gone since. */
export type LastBackup = z.infer<typeof lastBackupSchema>;

/** Beside the databases and not in them: it tells how old the last backup is when they are lost. */
function path(dataDir: string): string {
  return join(dataDir, 'backups.json');
}

/** @returns null when none was ever made here, as far as is known */
export function readLastBackup(dataDir: string, mode: Mode): LastBackup | null {
  return readAll(dataDir)[mode] ?? null;
}

/** @throws what the file system says */
export function noteLastBackup(dataDir: string, mode: Mode, backup: LastBackup): void {
  writePrivateFile(path(dataDir), `${JSON.stringify({ ...readAll(dataDir), [mode]: backup })}\n`);
}

function readAll(dataDir: string): z.infer<typeof lastBackupsSchema> {
  try {
    return lastBackupsSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? '{}'));
  } catch {
    return {};
  }
}
