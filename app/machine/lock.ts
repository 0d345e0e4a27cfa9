import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  type FSWatcher,
  fstatSync,
  ftruncateSync,
  type Stats,
  statSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { errorCode, errorText } from '../../shared/lib/error-code.ts';
import {
  isDiskError,
  isFolder,
  isStillAt,
  makePrivateFolder,
  NoFileOfItsOwnError,
  noLink,
  refuseLink,
} from './files.ts';
import { heldFileIn, openSync, whileHeld } from './held-files.ts';

/** Locks of this process. A lock that nothing refers to would be collected as garbage, and released. */
const held = new Set<Database>();

/** Another agent, or a command, has this data folder. */
export class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    const holder = `Another Tillbridge agent is running on ${dataDir}, or a command works there`;
    super(`${holder}. Stop it first (the command \`stop\`), or name another folder with --data-dir.`);
    this.name = 'DataFolderInUseError';
  }
}

/** The data folder, or a file in it that the agent needs, cannot be made, read or written. */
export class DataFolderError extends Error {
  constructor(path: string, cause: unknown, advice = '') {
    const reason = errorText(cause);
    super(heldFileIn(cause)?.message ?? `${path} cannot be used: ${reason}.${advice}`, { cause });
    this.name = 'DataFolderError';
  }
}

const folderAdvice =
  ' Give this user a folder that it may read and write, on a disk that is not read-only, or name another with --data-dir.';
const lockAdvice = ' The file is empty: delete it while no agent runs, then start again.';

/**
 * A lock whose file was deleted or replaced keeps nobody out. Linux and macOS tell of that at once; the look is for
 * disks of which the system tells nothing, and for the end of one who has taken the folder.
 */
const lookEveryMs = 10_000;
/** To have the system tell of changes takes 2 ms the first time, which a start is spared. */
const watchAfterMs = 100;

/**
 * Takes a data folder for this process. It is the operating system's lock on a file of SQLite's, so it is free again
 * the moment the process ends, however it ends. While it is held its file is made again when somebody deletes it.
 *
 * @param onChanged told true when another process has taken the folder meanwhile, and false when that one is gone again
 * @returns gives it back
 * @throws DataFolderInUseError, DataFolderError
 */
export function lockDataFolder(dataDir: string, onChanged: (isTaken: boolean) => void = () => undefined): () => void {
  let lock = takeLock(dataDir);
  let isTaken = false;
  const lookAfter = () => {
    try {
      if (isStillAt(lock.path, lock.identity)) return;
      const next = takeLock(dataDir);
      release(lock);
      lock = next;
      changes?.close();
      changes = watchFile(lock.path, lookAfter);
      if (isTaken) onChanged(false);
      isTaken = false;
    } catch (error) {
      // A folder that is gone is made again by what saves the database; one that may not be read keeps its lock.
      if (!(error instanceof DataFolderInUseError) || isTaken) return;
      isTaken = true;
      onChanged(true);
    }
  };
  let changes: Pick<FSWatcher, 'close'> | null = null;
  const firstLook = setTimeout(() => {
    changes ??= watchFile(lock.path, lookAfter);
    // It may have been deleted before.
    lookAfter();
  }, watchAfterMs);
  firstLook.unref();
  const looks = setInterval(lookAfter, lookEveryMs);
  looks.unref();
  return () => {
    clearTimeout(firstLook);
    clearInterval(looks);
    changes?.close();
    release(lock);
  };
}

const freeLookMs = 200;

/**
 * Takes a data folder, and waits while somebody has it: a command of store IT has it for as long as it works on it.
 *
 * @returns gives it back
 * @throws DataFolderInUseError when it is not free in time; DataFolderError
 */
export async function lockWhenFree(dataDir: string, { withinMs }: { readonly withinMs: number }): Promise<() => void> {
  for (let waitedMs = 0; ; waitedMs += freeLookMs) {
    try {
      return lockDataFolder(dataDir);
    } catch (error) {
      if (!(error instanceof DataFolderInUseError) || waitedMs >= withinMs) throw error;
    }
    await pause(freeLookMs);
  }
}

/** @param onChange told soon after a file was deleted, moved or replaced; never where the system does not tell */
function watchFile(path: string, onChange: () => void): Pick<FSWatcher, 'close'> {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // On Windows nobody can delete it while it is open; elsewhere a user may have so many watches and no more.
    return { close: () => undefined };
  }
}

/** Whether some process has a data folder. @throws DataFolderError */
export function isDataFolderLocked(dataDir: string): boolean {
  try {
    release(takeLock(dataDir));
    return false;
  } catch (error) {
    if (error instanceof DataFolderInUseError) return true;
    throw error;
  }
}

/** The same for a folder that may not be there, and is not made. @throws DataFolderError */
export function isDataFolderInUse(dataDir: string): boolean {
  return existsSync(join(dataDir, 'agent.lock')) && isDataFolderLocked(dataDir);
}

interface Lock {
  readonly path: string;
  readonly database: Database;
  readonly identity: Stats;
}

function takeLock(dataDir: string): Lock {
  const path = join(dataDir, 'agent.lock');
  try {
    makePrivateFolder(dataDir);
  } catch (error) {
    throw new DataFolderError(dataDir, error, folderAdvice);
  }
  try {
    refuseLink(path);
    // Windows says no more of it than that it cannot be opened.
    if (isFolder(path)) throw new NoFileOfItsOwnError(path, 'a folder');
    const database = whileHeld(path, () => openLocked(path));
    held.add(database);
    return { path, database, identity: statSync(path) };
  } catch (error) {
    if (error instanceof NoFileOfItsOwnError) throw new DataFolderError(path, error);
    if (errorCode(error).startsWith('SQLITE_BUSY')) throw new DataFolderInUseError(dataDir);
    throw isDiskError(error) && isUsable(dataDir)
      ? new DataFolderError(path, error, lockAdvice)
      : new DataFolderError(dataDir, error, folderAdvice);
  }
}

function openLocked(path: string): Database {
  try {
    return beginExclusive(path);
  } catch (error) {
    if (errorCode(error) !== 'SQLITE_NOTADB') throw error;
    // Nobody holds it, else it would be busy, and nothing stands in it. Not deleted: another start may have it open.
    emptyFile(path);
    return beginExclusive(path);
  }
}

/** @throws NoFileOfItsOwnError for one that has another name, too: what stands in it is somebody's */
function emptyFile(path: string): void {
  const file = openSync(path, constants.O_RDWR | noLink);
  try {
    if (fstatSync(file).nlink > 1) throw new NoFileOfItsOwnError(path, 'a link');
    ftruncateSync(file, 0);
  } finally {
    closeSync(file);
  }
}

function beginExclusive(path: string): Database {
  const database = new BetterSqlite3(path, { timeout: 0 });
  // Somebody may have put another file there: nothing in its schema may do more than compute.
  database.pragma('trusted_schema = OFF');
  try {
    // So that nothing is ever written beside it.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    // A file that may not be written is opened for reading alone, and its exclusive lock keeps nobody out: this fails then.
    database.pragma('user_version = 1');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function release({ database }: Lock): void {
  held.delete(database);
  database.close();
}

function isUsable(dataDir: string): boolean {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
