import { closeSync, existsSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorText } from '../../shared/lib/error-code.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { openSync } from '../machine/held-files.ts';
import { draftIn } from '../store/copies/backup-draft.ts';
import { deviceOf, factOf } from '../store/copies/file-facts.ts';
import { formerDeviceIds, originalDeviceIds } from '../store/files/known-databases.ts';
import { readLastBackups } from './last-backup.ts';

/** Backups of one till. */
interface MadeBackups {
  readonly files: readonly string[];
  /** Folders and files that may hold this till's operations, and cannot be looked at. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/**
 * The backups that this till has made and that are still there: in the folders that are known of, by whose operations
 * they hold. Tills may share a folder. A database that was made again has another identity; those before it count too.
 *
 * @param folder of the settings; null when there is none
 */
export function madeBackups(dataDir: string, folder: string | null): MadeBackups {
  const noted = notedFiles(dataDir);
  const folders = foldersOf(dataDir, folder);
  const found = [...new Set([...noted, ...folders.flatMap(backupsIn)])].toSorted();
  const own = everyDevice(dataDir);
  const files: string[] = [];
  const leftOut = folders.flatMap(closedFolder);
  const strange: string[] = [];
  for (const path of found) {
    const device = deviceOf(path);
    if (own.has(device ?? '')) files.push(path);
    else if (noted.includes(path)) leftOut.push(...(existsSync(path) ? [{ path, why: whyNoted }] : []));
    else if (device === null) strange.push(path);
  }
  const references = new Set([...files, ...noted].flatMap((path) => referenceIn(path) ?? []));
  for (const path of strange) if (references.has(referenceIn(path) ?? '')) leftOut.push({ path, why: whyNamed });
  for (const path of folders.flatMap(pathsIn)) {
    const reference = referenceIn(path);
    const isOthers = reference !== null && !references.has(reference);
    if (draftIn(path)?.deviceId === null && !isOthers) leftOut.push({ path, why: whyHalf });
  }
  return { files, leftOut };
}

const whyNoted = 'it is noted as a backup of this till, but cannot be read as one';
const whyNamed = 'it has the name of a backup, but cannot be read as one';
const whyHalf = 'nobody can tell whose half backup it is: delete it, if it is not being made';

/**
 * The till that a backup, or half of one, is named after, as backupName writes it: of another till's it matters to nobody
 * here.
 */
function referenceIn(path: string): string | null {
  return /^(.+)-(?:production|sandbox)-\d{8}T\d{6}Z\.backup(?:\.\d+\.part.*)?$/.exec(basename(path))?.[1] ?? null;
}

function closedFolder(path: string): readonly LeftOut[] {
  try {
    readdirSync(path);
    return [];
  } catch (error) {
    const reason = errorText(error);
    return [{ path, why: `this folder for backups cannot be read: ${reason}. Mount its share, and try again` }];
  }
}

/** Under those of the original there may be backups from before the disk was copied. */
function everyDevice(dataDir: string): ReadonlySet<string> {
  const originals = modes.flatMap((mode) => originalDeviceIds(databasePath(dataDir, mode)));
  return new Set([...ownDevices(dataDir), ...originals]);
}

function ownDeviceIds(dataDir: string, mode: Mode): readonly string[] {
  const path = databasePath(dataDir, mode);
  const device = hasDatabase(dataDir, mode) ? deviceOf(path) : null;
  return [...formerDeviceIds(path), ...(device === null ? [] : [device])];
}

function notedFiles(dataDir: string): readonly string[] {
  return modes.flatMap((mode) => readLastBackups(dataDir, mode).map(({ file }) => file));
}

/** The folder of the settings, and those of the last backups. A share among them may hang. */
export function foldersOf(dataDir: string, folder: string | null): readonly string[] {
  return [
    ...new Set([...(folder === null ? [] : [resolve(folder)]), ...notedFiles(dataDir).map((file) => dirname(file))]),
  ];
}

/** Of the databases of both modes, and of those that stood in their places before. */
export function ownDevices(dataDir: string): ReadonlySet<string> {
  return new Set(modes.flatMap((mode) => ownDeviceIds(dataDir, mode)));
}

function backupsIn(folder: string): readonly string[] {
  return pathsIn(folder).filter((path) => path.endsWith('.backup') || isBackup(path));
}

/** Whatever it is called. An agent's own database keeps a log, and says so in its header: those are not opened. */
function isBackup(path: string): boolean {
  if (draftIn(path) !== null) return false;
  const header = Buffer.alloc(20);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header[18] === 1 && isMadeAsBackup(path);
}

function isMadeAsBackup(path: string): boolean {
  return factOf(path, 'backup_made_at') !== null;
}

/** The files of a folder; none where it cannot be read. */
export function pathsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name));
  } catch {
    // A share that is not mounted: see closedFolder.
    return [];
  }
}
