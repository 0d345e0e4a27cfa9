import { statSync } from 'node:fs';
import { databaseParts } from '../../machine/database-parts.ts';
import { rmSync } from '../../machine/held-files.ts';
import { beginningOf, isRunning, machineStartedAtMs } from '../../machine/running-process.ts';
import { deviceOf } from './file-facts.ts';

/** A backup that has no name yet, or what SQLite has beside one. */
export interface BackupDraft {
  readonly path: string;
  /** Of the database whose copy it is; null where nobody can tell. */
  readonly deviceId: string | null;
  /** The process that writes it is there. */
  readonly isWritten: boolean;
}

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
  return { path, deviceId, isWritten: isWritten({ path, processId: Number(processId), beginning }) };
}

/**
 * It is of the till of the backup beside it: an erase wrote there what was to take its place. It is not opened itself: half a
 * copy can rarely be read, and SQLite leaves its log beside what it reads.
 */
function earlierDraftIn(path: string): BackupDraft | null {
  const [, whole, processId] = earlierShape.exec(path) ?? [];
  if (whole === undefined) return null;
  return {
    path,
    deviceId: deviceOf(whole),
    isWritten: isWritten({ path, processId: Number(processId), beginning: '' }),
  };
}

interface Writing {
  readonly path: string;
  readonly processId: number;
  /** Empty where the system did not say it, or it was not noted. */
  readonly beginning: string;
}

/** Where nobody can tell when the process began, any that has the number counts, unless the machine was started since. */
function isWritten({ path, processId, beginning }: Writing): boolean {
  if (!isRunning(processId)) return false;
  const now = beginningOf(processId);
  return now === '' || beginning === '' ? isOfThisStart(path) : now === beginning;
}

/** Whether a file was changed since the machine was started; also where nobody can tell. */
function isOfThisStart(path: string): boolean {
  try {
    const { mtimeMs, ctimeMs } = statSync(path);
    // Windows and macOS give a copy the first of its original, and some disks do not keep the second.
    return Math.max(mtimeMs, ctimeMs) >= machineStartedAtMs();
  } catch {
    return true;
  }
}

/** @throws HeldFileError, NodeJS.ErrnoException */
export function removeDraft(draft: string): void {
  for (const part of databaseParts) rmSync(draft + part, { force: true });
}
