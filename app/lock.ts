import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { makePrivateFolder } from './files.ts';

/** Locks of this process. A lock that nothing refers to would be collected as garbage, and let go. */
const held = new Set<Database>();

/** Another agent, or one just like it, has this data folder. */
export class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    super(`Another Tillbridge agent is running on ${dataDir}. Stop it first, or name another folder with --data-dir.`);
    this.name = 'DataFolderInUseError';
  }
}

/** The data folder, or a file in it that the agent needs, cannot be made, read or written. */
export class DataFolderError extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
    this.name = 'DataFolderError';
  }
}

/**
 * Takes a data folder for this process. It is the operating system's lock on a file of SQLite's, so it is free again
 * the moment the process ends, however it ends.
 *
 * @returns gives it back
 * @throws DataFolderInUseError, DataFolderError
 */
export function lockDataFolder(dataDir: string): () => void {
  try {
    makePrivateFolder(dataDir);
    const database = new BetterSqlite3(join(dataDir, 'agent.lock'), { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    held.add(database);
    return () => {
      held.delete(database);
      database.close();
    };
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
    throw isBusy ? new DataFolderInUseError(dataDir) : new DataFolderError(dataDir, error);
  }
}
