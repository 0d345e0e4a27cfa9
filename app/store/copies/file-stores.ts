import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { syncFile, syncFolder } from '../../machine/files.ts';
import { copyFileSync, renameSync } from '../../machine/held-files.ts';
import { connect } from '../database/connect.ts';
import { examineLog } from '../files/database-files.ts';
import { emptyLog } from '../files/empty-log.ts';
import { KeptProfileStore } from '../tables/kept-profile-store.ts';
import { PersonStore } from '../tables/person-store.ts';
import { RetentionStore } from '../tables/retention-store.ts';
import { hasTable } from '../versions/table-columns.ts';
import { draftPath, removeDraft } from './backup-draft.ts';
import { isProven, proofOf, readProof, writeProof } from './backup-proof.ts';
import { deviceOf } from './file-facts.ts';

/** The stores of a database file that no agent has open. */
interface FileStores {
  readonly person: PersonStore;
  readonly retention: RetentionStore;
  /** Null where it has none. */
  readonly keptProfiles: KeptProfileStore | null;
}

/** @throws SqliteError, also for a database of an older schema */
export async function readFileStores<Found>(
  path: string,
  read: (stores: FileStores) => Promise<Found>,
): Promise<Found> {
  const database = connect(path, { readonly: true, fileMustExist: true });
  try {
    return await read(storesOn(database));
  } finally {
    database.close();
  }
}

/**
 * Changes a database that was put aside, and leaves nothing of what was erased in its gaps or its log.
 *
 * @throws SqliteError, StoreError for a damaged log
 */
export function changeFileStores<Left>(path: string, change: (stores: FileStores) => Left): Left {
  // SQLite would take a damaged log for a shorter one, and write that down.
  examineLog(path);
  return changeDatabase(path, change);
}

/** Why a backup is left as it is. */
class ChangedBackupError extends Error {}

/**
 * Changes a backup: a copy of it, which takes its place. Its proof is made again where it held before.
 *
 * @param key of the till that made it; null when it has none
 * @throws ChangedBackupError when it is not as this till made it, HeldFileError, NodeJS.ErrnoException, SqliteError
 */
export async function changeBackup<Left>(
  file: string,
  { key, change }: { readonly key: Uint8Array | null; readonly change: (stores: FileStores) => Left },
): Promise<Left> {
  const proof = readProof(file);
  if (proof !== null && (key === null || !isProven(file, { proof, key }))) {
    throw new ChangedBackupError('it is not as this till made it');
  }
  const draft = draftPath(file, deviceOf(file));
  try {
    copyFileSync(file, draft);
    chmodSync(draft, 0o600);
    const left = changeDatabase(draft, change);
    syncFile(draft);
    // A kill between the two leaves a backup that a restore takes with --from-elsewhere alone.
    if (proof !== null && key !== null) writeProof(file, await proofOf(draft, key));
    renameSync(draft, file);
    syncFolder(dirname(file));
    return left;
  } finally {
    removeDraft(draft);
  }
}

function changeDatabase<Left>(path: string, change: (stores: FileStores) => Left): Left {
  const database = connect(path, { fileMustExist: true, timeout: 2_000 });
  try {
    const isBackup = database.pragma('journal_mode', { simple: true }) === 'delete';
    const left = database.transaction(() => change(storesOn(database)))();
    database.exec('VACUUM');
    if (!isBackup) emptyLog(database);
    return left;
  } finally {
    database.close();
  }
}

function storesOn(database: Database): FileStores {
  return {
    person: new PersonStore(database),
    retention: new RetentionStore(database),
    keptProfiles: hasTable(database, 'kept_profiles') ? new KeptProfileStore(database) : null,
  };
}
