import { chmodSync, existsSync, linkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { errorCode, errorText } from '../../../shared/lib/error-code.ts';
import type { Mode } from '../../../shared/till/modes.ts';
import { isDiskFull, megabytesIn } from '../../machine/disk-room.ts';
import { freeBytesAt } from '../../machine/disk-watch.ts';
import { makePrivateFolder, syncFileAside, syncFolder } from '../../machine/files.ts';
import { copyFileSync, renameSync, rmSync } from '../../machine/held-files.ts';
import { carryOver } from '../carrying/carry-over.ts';
import { beforeRestore, type Recovery } from '../carrying/carrying.ts';
import { putStrangersAside, putStrayLogAside, replaceDatabase } from '../carrying/recover-database.ts';
import { connect } from '../database/connect.ts';
import { asStoreError, isDamage, openDatabase } from '../database/open.ts';
import { isStrange, knownGeneration, originalDeviceIds } from '../files/known-databases.ts';
import { endRestore, finishReplacing, removeRestoreDrafts, restoreDrafts } from '../files/replacing.ts';
import { openOrRecover } from '../open-or-recover.ts';
import type { StoreOptions } from '../store.ts';
import { countOperations } from '../tables/counts.ts';
import { SealStore } from '../tables/seal-store.ts';
import { foreignObjects } from '../versions/foreign-objects.ts';
import { readMeta, writeMeta } from '../versions/meta.ts';
import { refuseTooNew } from '../versions/migrate.ts';
import { StoreError } from '../versions/store-error.ts';
import { draftPath, removeDraft } from './backup-draft.ts';
import { isProven, proofOf, proofPath, readProof, writeProof } from './backup-proof.ts';
import { deviceOf, factOf } from './file-facts.ts';
import { deletePeople, deleteProfiles } from './other-databases.ts';
import { gatherPresent } from './present-database.ts';
import { ReaderEndedError, verdictAside } from './verdict-aside.ts';

/** A backup that cannot be made or used; the line says what to do. Nothing was changed. */
export class BackupError extends Error {}

/** Its reader was ended before it was done: the next try may succeed. */
export class BackupUncheckedError extends BackupError {}

/** How many pages are copied before the sales have their turn again. */
const pagesAtOnce = 100;

/** The disk of a backup's folder has no room: all that a backup writes is there. Nothing was saved. */
export class BackupDiskFullError extends Error {
  constructor(folder: string, cause: unknown) {
    const free = megabytesIn(freeBytesAt(folder));
    super(`The disk of ${folder} is full (free: ${free}). Nothing was saved. Make room there, or name another folder`, {
      cause,
    });
    this.name = 'BackupDiskFullError';
  }
}

interface Backup {
  readonly operationCount: number;
  /** Null in a file that was copied by hand. */
  readonly mode: Mode | null;
  /** Null in a file that was copied by hand. */
  readonly madeAtMs: number | null;
  /** Whose operations they are; null in a file that no agent has opened. */
  readonly deviceId: string | null;
  /** On which it was made (machine-identity.ts); null when that could not be told. */
  readonly machine: string | null;
}

/**
 * Copies a database into one file of its own, while the agent writes to it or not. Checked by another process before it
 * gets its name, so that no sale waits, and on the disk when this is done.
 *
 * @param out in a folder that is there
 * @param about.tillKey what it is signed with (backup-proof.ts); null: a restore takes it as a file from elsewhere
 * @throws BackupError, BackupDiskFullError, StoreError
 */
export async function backUp(
  path: string,
  out: string,
  {
    mode,
    nowMs,
    tillKey = null,
    signal,
  }: {
    readonly mode: Mode;
    readonly nowMs: number;
    readonly tillKey?: Uint8Array | null;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Backup> {
  if (existsSync(out)) throw new BackupError(`${out} exists; name a new file.`);
  const draft = draftPath(out, deviceOf(path));
  try {
    await copyDatabase(path, draft, signal);
    chmodSync(draft, 0o600);
    const database = connect(draft);
    try {
      database.pragma('journal_mode = DELETE');
      // They live a week, and what is forgotten at the till must not come back with a restore.
      deleteProfiles(database);
      // A restore takes nobody from a backup, and a PIN has too few digits to lie about on a share.
      deletePeople(database);
      writeMeta(database, 'backup_mode', mode);
      writeMeta(database, 'backup_made_at', String(nowMs));
    } finally {
      database.close();
    }
    const backup = readFile(draft, { name: draft, verdict: await verdictAside(draft, { signal }) });
    await syncFileAside(draft);
    signal?.throwIfAborted();
    const proof = tillKey === null ? null : await proofOf(draft, tillKey);
    // Fails where another program has made the file meanwhile, whose proof stays: only who has got the name writes one.
    linkOrRename(draft, out);
    if (proof !== null) proveOrRemove(out, proof);
    syncFolder(dirname(out));
    return backup;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (error instanceof ReaderEndedError) throw new BackupUncheckedError(`${out} was not checked: ${error.message}.`);
    if (isDiskFull(error)) throw new BackupDiskFullError(dirname(out), error);
    throw asStoreError(error, out);
  } finally {
    removeDraft(draft);
  }
}

function proveOrRemove(out: string, proof: string): void {
  try {
    writeProof(out, proof);
  } catch (error) {
    rmSync(out, { force: true });
    throw error;
  }
}

async function copyDatabase(path: string, draft: string, signal: AbortSignal | undefined): Promise<void> {
  let source: Database | null = null;
  try {
    source = connect(path, { readonly: true, fileMustExist: true });
    await source.backup(draft, {
      progress: () => {
        signal?.throwIfAborted();
        return pagesAtOnce;
      },
    });
    // The driver takes a database that somebody has locked for one with nothing to copy, and removes the copy.
    if (!existsSync(draft)) throw lockedByAnother(path);
  } catch (error) {
    // Else it would be said of the new file.
    throw isDamage(error) ? asStoreError(error, path) : error;
  } finally {
    source?.close();
  }
}

/** @param file also one that is in no data folder */
function lockedByAnother(file: string): StoreError {
  const advice = 'Close that program (a database viewer, a backup program), then try again.';
  return new StoreError('unreachable', `${file} is locked by another program. ${advice}`);
}

function linkOrRename(draft: string, out: string): void {
  try {
    linkSync(draft, out);
  } catch {
    if (existsSync(out)) throw new BackupError(`${out} exists; name a new file.`);
    renameSync(draft, out);
  }
}

/**
 * What a file holds, the whole of it checked.
 *
 * @param name what it is called where it came from
 * @throws BackupError when it is no sound database of an agent, StoreError when another program has it locked
 */
export function readBackup(file: string, name = file): Backup {
  return readFile(file, { name, verdict: null });
}

/** @param about.verdict of another process that has checked it; null: it is checked here */
function readFile(file: string, about: { readonly name: string; readonly verdict: string | null }): Backup {
  const { name } = about;
  if (!existsSync(file)) throw new BackupError(`${name} does not exist.`);
  let database: Database | null = null;
  try {
    database = connect(file, { readonly: true });
    const verdict = about.verdict ?? database.pragma('integrity_check(1)', { simple: true });
    if (verdict !== 'ok') throw new BackupError(`${name} is damaged: ${String(verdict)}.`);
    const mode = readMeta(database, 'backup_mode');
    const madeAt = readMeta(database, 'backup_made_at');
    return {
      operationCount: countOperations(database),
      mode: mode === 'production' || mode === 'sandbox' ? mode : null,
      madeAtMs: madeAt === null ? null : Number(madeAt),
      deviceId: readMeta(database, 'device_id'),
      machine: readMeta(database, 'machine'),
    };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (errorCode(error).startsWith('SQLITE_BUSY')) throw lockedByAnother(name);
    throw new BackupError(`${name} is not a backup of Tillbridge: ${errorText(error)}.`);
  } finally {
    database?.close();
  }
}

/** Why the rows of a file may be taken for this till's. */
export type BackupTrust =
  /** It has to carry the MAC of this till. */
  | { readonly kind: 'proven'; readonly tillKey: Uint8Array | null }
  /** A person says where it is from: another till's, made by an earlier version, or copied by hand. */
  | { readonly kind: 'from_elsewhere' };

/** What a restore has done. */
interface Restored extends TakenRows {
  /** What became of the database that was there before; null when nothing was. */
  readonly recovery: Recovery | null;
  /** What came of an earlier restore that had been cut short; null when none had. */
  readonly earlier: Recovery | null;
  /** Name of a log that lay beside that database and was not its own, without the folder; null when there was none. */
  readonly strayLog: string | null;
}

interface TakenRows {
  /** Rows of the backup that are no operations of ours. */
  readonly refusedRows: number;
  /** Of the file, and not taken: triggers, views and the like that no version of the agent makes. */
  readonly foreign: readonly string[];
}

/**
 * Copies the rows of a backup into a new database and puts that in the place of the present one: each row passes the
 * checks of a save, and of the file's own schema nothing is taken; nor are people. What stands in the present database
 * and not in the backup is carried over, its people with it, and that file is kept; whatever may have been sent since the
 * backup is sent again as it is, or looked up. References made from now on have another epoch.
 *
 * @param path the database of a data folder that the caller holds
 * @throws BackupError when the file cannot be used, StoreError
 */
export function restoreBackup(
  file: string,
  path: string,
  options: StoreOptions & { readonly nowMs: number; readonly mode: Mode; readonly trust: BackupTrust },
): Restored {
  const { copy, draft } = restoreDrafts(path);
  finishEarlier(path, options.nowMs);
  let taken: TakenRows;
  let present: ReturnType<typeof gatherPresent>;
  let strayLog: string | null;
  try {
    makePrivateFolder(dirname(path));
    if (!existsSync(file)) throw new BackupError(`${file} does not exist.`);
    copyWithLog(file, copy);
    // Of the copy: the file may be exchanged meanwhile.
    if (options.trust.kind === 'proven') requireProof(file, copy, options.trust.tillKey);
    const { mode, deviceId, machine } = readBackup(copy, file);
    // A disk that was copied has the key of its original, which may have undone since what waits here. On one machine it is
    // this till, whose list of databases was lost, and whatever else has another key.
    const isThisMachines = machine !== null && machine === factOf(path, 'machine');
    const isOthers = isStrange(path, deviceId) && !isThisMachines;
    if (options.trust.kind === 'proven' && isOthers) {
      throw new BackupError(`${file} was made by another till, or by a copy of this one. ${elsewhere}`);
    }
    if (mode !== null && mode !== options.mode) {
      throw new BackupError(`${file} is a backup of ${mode} mode, and this agent is in ${options.mode} mode.`);
    }
    taken = takeRows(file, copy, { draft, path, isOthers });
    strayLog = putStrayLogAside(path, options.nowMs);
    present = gatherPresent(path, options.nowMs);
    replaceDatabase(path, draft, {
      name: beforeRestore,
      why: 'restored',
      isCut: present.isCut,
      reason: 'may have been sent after the backup was made',
      nowMs: options.nowMs,
      takesReferences: options.trust.kind === 'from_elsewhere',
      isWithdrawn: true,
    });
  } finally {
    endRestore(path);
  }
  const store = openOrRecover(path, options);
  const { recovery } = store;
  store.close();
  return { recovery, earlier: present.earlier, strayLog, ...taken };
}

/**
 * A restore that was cut short may have made its draft the database already: then that draft is not removed. A folder in the
 * place of a file would stop both restores, so it is put aside first.
 */
function finishEarlier(path: string, nowMs: number): void {
  try {
    putStrangersAside(path, nowMs);
    finishReplacing(path);
  } catch (error) {
    throw asStoreError(error, path);
  }
  removeRestoreDrafts(path);
}

/** Somebody who copies a database by hand copies its log with it: the newest operations stand only there. */
function copyWithLog(file: string, copy: string): void {
  for (const part of ['', '-wal']) {
    if (!existsSync(file + part)) continue;
    copyFileSync(file + part, copy + part);
    chmodSync(copy + part, 0o600);
  }
}

const elsewhere = `If you know where it is from, add --from-elsewhere: its operations are taken then, and those that are still to be sent wait until a person releases them.`;

/** @throws BackupError */
function requireProof(file: string, copy: string, tillKey: Uint8Array | null): void {
  const proof = readProof(file);
  if (proof === null) {
    throw new BackupError(
      `${file} has no ${proofPath(file)} beside it, which would prove that this till made it. ${elsewhere}`,
    );
  }
  // A log beside it would be played into it.
  const isAsSigned = !existsSync(`${copy}-wal`) && tillKey !== null && isProven(copy, { proof, key: tillKey });
  if (!isAsSigned) {
    throw new BackupError(`${file} was not made by this till, or was changed since. ${elsewhere}`);
  }
}

/** What a database tells of itself and a restored one goes on with; all else about itself is its file's alone. */
const keptFacts: Readonly<Record<string, RegExp>> = {
  reference_prefixes: /^\[("[A-Za-z0-9._-]*",?)*\]$/,
  last_key: /^[\w:-]{1,64}$/,
  last_deleted_row_id: /^\d{1,12}$/,
};
/** Beside them, where this is the till that it was. By the machine, the first start of a copy of it notices what it is. */
const identityFacts: Readonly<Record<string, RegExp>> = {
  device_id: /^till_[0-9a-f]{16}$/,
  machine: /^[0-9a-f]{32}$/,
};

function takeRows(
  file: string,
  copy: string,
  { draft, path, isOthers }: { readonly draft: string; readonly path: string; readonly isOthers: boolean },
): TakenRows {
  // A log that was copied with it is played into it.
  const from = connect(copy);
  try {
    refuseTooNew(from);
    const into = openDatabase(draft);
    try {
      const { carried, unreadable, leftBehind } = carryOver([from], into, null);
      if (carried === 0 && countOperations(from) > 0)
        throw new BackupError(`${file} has no operations that can be read.`);
      // Where the disk was copied, one key seals for both.
      if (isOthers) new SealStore(into, null).breakAll();
      // Another till, such as this one's copy or original, may be used to this day.
      const isAnothers = isOthers || originalDeviceIds(path).includes(readMeta(from, 'device_id') ?? '');
      for (const [key, shape] of Object.entries(isAnothers ? keptFacts : { ...identityFacts, ...keptFacts })) {
        const value = readMeta(from, key);
        if (value !== null && shape.test(value)) writeMeta(into, key, value);
      }
      // It is newer than all that was in the place before, and has the identity of it.
      writeMeta(into, 'opens', String(knownGeneration(path) + 1));
      return { refusedRows: (unreadable ?? 0) + leftBehind.length, foreign: foreignObjects(from) };
    } finally {
      into.close();
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'too_new') throw new BackupError(error.message);
    throw error;
  } finally {
    from.close();
  }
}
