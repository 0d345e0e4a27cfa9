import { rmSync } from '../../machine/held-files.ts';
import { beginningOf, isRunning } from '../../machine/running-process.ts';
import { deviceOf } from './file-facts.ts';

/** A backup that has no name yet, or what SQLite has beside one. */
export interface BackupDraft {
  readonly path: string;
  /** Of the database whose copy it is; null where nobody can tell. */
  readonly deviceId: string | null;
  /** The process that writes it is there. */
  readonly isWritten: boolean;
}

/** What SQLite may have beside a draft. */
const companions = ['-journal', '-wal', '-shm'] as const;

const shape = /\.(\w+)\.(\d+)-(\d*)\.part(?:-journal|-wal|-shm)?$/;
/** As versions before this name named it. */
const earlierShape = /^(.+)\.(\d+)\.part(?:-journal|-wal|-shm)?$/;

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
  const [, deviceId, processId, beginning = ''] = shape.exec(path) ?? [];
  if (deviceId === undefined) return earlierDraftIn(path);
  return { path, deviceId, isWritten: isWrittenBy(Number(processId), beginning) };
}

/**
 * It is of the till of the backup beside it: an erase wrote there what was to take its place. It is not opened itself: half a
 * copy can rarely be read, and SQLite leaves its log beside what it reads.
 */
function earlierDraftIn(path: string): BackupDraft | null {
  const [, whole, processId] = earlierShape.exec(path) ?? [];
  if (whole === undefined) return null;
  return { path, deviceId: deviceOf(whole), isWritten: isWrittenBy(Number(processId), '') };
}

/** @param beginning empty where it was not noted: then the number alone counts */
function isWrittenBy(processId: number, beginning: string): boolean {
  const now = beginningOf(processId);
  return isRunning(processId) && (now === beginning || now === '' || beginning === '');
}

/** @throws what the file system says */
export function removeDraft(draft: string): void {
  for (const part of ['', ...companions]) rmSync(draft + part, { force: true });
}
