import { rmSync } from '../../machine/held-files.ts';
import { beginningOf, isRunning } from '../../machine/running-process.ts';

/** A backup that has no name yet, or what SQLite has beside one. */
export interface BackupDraft {
  readonly path: string;
  /** Of the database whose copy it is. */
  readonly deviceId: string;
  /** The process that writes it is there. */
  readonly isWritten: boolean;
}

/** What SQLite may have beside a draft. */
const companions = ['-journal', '-wal', '-shm'] as const;

const shape = /\.(\w+)\.(\d+)-(\d*)\.part(?:-journal|-wal|-shm)?$/;

/**
 * What a backup is written as until it has its name. The name says whose it is and who writes it: nobody can read that in
 * half a copy.
 *
 * @param deviceId of the database that is copied; null where no agent has opened it
 */
export function draftPath(file: string, deviceId: string | null): string {
  return `${file}.${deviceId ?? 'nobody'}.${process.pid}-${beginningOf(process.pid)}.part`;
}

/** @returns null for the name of any other file */
export function draftIn(path: string): BackupDraft | null {
  const [, deviceId, processId, beginning] = shape.exec(path) ?? [];
  if (deviceId === undefined) return null;
  const now = beginningOf(Number(processId));
  // Where the system does not say when it began, the number alone counts.
  const isSame = now === beginning || now === '' || beginning === '';
  return { path, deviceId, isWritten: isRunning(Number(processId)) && isSame };
}

/** @throws what the file system says */
export function removeDraft(draft: string): void {
  for (const part of ['', ...companions]) rmSync(draft + part, { force: true });
}
