import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { dayMs } from '../../../shared/lib/durations.ts';
import { type RecoveryReason, recoveryReasons } from '../../../shared/till/state-names.ts';
import { rmSync } from '../../machine/held-files.ts';
import { connect } from '../database/connect.ts';
import { openDatabase, readGeneration } from '../database/open.ts';
import { examineFiles, isFileAheadOfLog, sizeOf } from '../files/database-files.ts';
import { isStrange, knownDeviceId, knownGeneration } from '../files/known-databases.ts';
import { readMeta, removeMeta, writeMeta } from '../versions/meta.ts';
import type { Loss } from '../versions/store-error.ts';
import { columnsOf } from '../versions/table-columns.ts';
import { type CarriedOver, type CarriedRows, carryOver, suspectWaiting } from './carry-over.ts';
import { type CarrySource, carryPlans, type FileFit, isAllRead, sumOf } from './carry-plan.ts';
import type { CarryNote } from './carry-target.ts';
import { fileAlone, isLogBroken, readableCopies, withoutRows } from './readable-copy.ts';
import type { AnyRow } from './readable-rows.ts';
import { operationsInLog } from './rows-in-log.ts';

const carrySchema = z.lazy(() =>
  z.object({
    /** The file whose operations are to be taken in, in the same folder. */
    aside: z.string(),
    /** Stands in the history of each of them. */
    reason: z.string(),
    why: z.enum(['restored', 'damaged', 'log_damaged']).optional(),
    /** More was in it than its files can tell. */
    isCut: z.boolean().optional(),
    /** Nobody can prove that the one it goes into is this till's own: what this till took under a reference stays under it. */
    takesReferences: z.boolean().optional(),
  }),
);

const recoverySchema = z.lazy(() => {
  const note = z.object({
    atMs: z.number(),
    /** Null: no file was put aside. */
    aside: z.string().nullable(),
    why: z.enum(recoveryReasons),
    carried: z.int(),
    renewed: z.int(),
    unreadable: z.int().nullable(),
    gaveWay: z.array(z.string()).optional(),
    leftBehind: z.array(z.string()).optional(),
  });
  /** Without what older versions did not write. */
  return note.extend({ why: note.shape.why.optional(), earlier: z.array(note).optional() });
});

/** That a database took another's place, or lost something, and what became of the operations. */
interface RecoveryNote extends CarriedOver {
  readonly atMs: number;
  /** Name of the file that was put aside, in the same folder, or of a log whose database was gone; null when there is none. */
  readonly aside: string | null;
  readonly why: RecoveryReason;
  /**
   * References of the backup that were left out, because this till has another operation under them, or because they take
   * such a one back. Missing where the backup was proven to be the till's own.
   */
  readonly gaveWay?: readonly string[] | undefined;
  /**
   * References of operations that are only in the file that was put aside: there are others under them here, or they take
   * such a one back. Missing where there are none.
   */
  readonly leftBehind?: readonly string[] | undefined;
}

/** The last such note, and those before it that are told beside it. */
export interface Recovery extends RecoveryNote {
  /** The newest first: they name references that are in another file alone. Missing where there are none. */
  readonly earlier?: readonly RecoveryNote[] | undefined;
}

/** For so long is told that a database took another's place, or lost something. */
export const recoveryToldMs = 7 * dayMs;

/** Stands in the name of a file that somebody put aside by a restore. */
export const beforeRestore = 'before-restore';

/** Notes in a database that another one's operations are to be taken in; a crash before that is done is no loss. */
export function startCarrying(path: string, carry: z.infer<typeof carrySchema>): void {
  const database = openDatabase(path);
  try {
    writeMeta(database, 'carrying', JSON.stringify(carry));
  } finally {
    database.close();
  }
}

/** Takes in what startCarrying has noted, if anything. @param path of `into` */
export function finishCarrying(into: Database, path: string, nowMs: number): void {
  const carrying = readMeta(into, 'carrying');
  if (carrying === null) return;
  const { aside, reason, why, isCut = false, takesReferences = false } = carrySchema.parse(JSON.parse(carrying));
  into.transaction(() => {
    const from = join(dirname(path), aside);
    // After a restore over a sound file, refused rows were never sent again. If its log is broken, they may have been.
    const keepsRefusals = why === 'restored' && !isLogBroken(from);
    const note = { atMs: nowMs, reason, keepsRefusals, takesReferences };
    const { refusedRowIds, gaveWay, leftBehind, lastNote, ...done } = carryFrom(from, into, note, path);
    const isLossTold = lostIn(toldNotes(lastNote, nowMs)) !== 0;
    // After the other one has had its say: a row that it knew further on is past all doubt.
    suspectWaiting(into, { atMs: nowMs, reason }, { refusedRowIds: keepsRefusals ? refusedRowIds : new Set() });
    const recovery = {
      atMs: nowMs,
      aside: keptOf(from),
      why: why ?? reasonOf(aside),
      ...done,
      // What was lost there may be in the one that took its place: nobody knows how much of it is still missing.
      ...(isCut || isLossTold ? { unreadable: null } : {}),
      ...(takesReferences ? { gaveWay } : {}),
      ...(leftBehind.length > 0 ? { leftBehind } : {}),
    };
    noteRecovery(into, recovery, lastNote);
    removeMeta(into, 'carrying');
  })();
}

/** Where the database was gone there was nothing to keep, or its log alone. @returns without the folder; null: nothing */
function keptOf(from: string): string | null {
  if (existsSync(from)) return basename(from);
  // To read a database that is closed, SQLite makes an empty one beside it.
  return sizeOf(`${from}-wal`) > 0 ? `${basename(from)}-wal` : null;
}

/**
 * What stands here may be older than what was acknowledged: it is sent again as it is, or looked up. It is this place's
 * database from now on, under the place's identity, and newer than the one that was here before.
 *
 * @param path of `into`
 * @param loss.aside name of a log that lay beside it and was not its own; null when there was none
 */
export function noteLoss(
  into: Database,
  path: string,
  { why, nowMs, aside }: { readonly why: Loss; readonly nowMs: number; readonly aside: string | null },
): void {
  into.transaction(() => {
    const deviceId = knownDeviceId(path);
    if (deviceId !== null && why !== 'missing') writeMeta(into, 'device_id', deviceId);
    if (readGeneration(into) <= knownGeneration(path)) writeMeta(into, 'opens', String(knownGeneration(path) + 1));
    const reason = 'may have been sent after this was saved';
    suspectWaiting(into, { atMs: nowMs, reason }, { refusedRowIds: new Set() });
    noteRecovery(into, { atMs: nowMs, aside, why, carried: 0, renewed: 0, unreadable: null });
  })();
}

/**
 * Takes the place of the last note, with what that one still tells (see following).
 *
 * @param before that note, where it does not stand in this database
 */
export function noteRecovery(database: Database, recovery: Recovery, before: Recovery | null = null): void {
  correctRecovery(database, following(lastRecovery(database) ?? before, recovery));
}

/** Writes the last note anew, as far as more is known by now. */
export function correctRecovery(database: Database, recovery: Recovery): void {
  writeMeta(database, 'recovery', JSON.stringify(recovery));
}

/**
 * A new note, with what the last one still tells: those that name references are told beside it, each with its file; what
 * the others tell as lost is added.
 */
export function following(before: Recovery | null, recovery: Recovery): Recovery {
  const notes = toldNotes(before, recovery.atMs);
  const earlier = notes.filter(namesReferences);
  const lost = [recovery, ...notes.filter((note) => !namesReferences(note))];
  const { earlier: _, ...note } = recovery;
  return { ...note, unreadable: lostIn(lost), ...(earlier.length > 0 ? { earlier } : {}) };
}

function namesReferences({ gaveWay = [], leftBehind = [] }: RecoveryNote): boolean {
  return gaveWay.length > 0 || leftBehind.length > 0;
}

/** What is still told, the newest first. */
export function toldNotes(recovery: Recovery | null, nowMs: number): readonly RecoveryNote[] {
  if (recovery === null) return [];
  const { earlier = [], ...last } = recovery;
  return [last, ...earlier].filter(({ atMs }) => nowMs - atMs < recoveryToldMs);
}

/** How many operations are told as lost; null: nobody knows how many. */
function lostIn(notes: readonly CarriedOver[]): number | null {
  return notes.reduce<number | null>(
    (sum, { unreadable }) => (sum === null || unreadable === null ? null : sum + unreadable),
    0,
  );
}

/** The last time that a database took another's place; null when it never did. */
export function lastRecovery(database: Database): Recovery | null {
  const text = readMeta(database, 'recovery');
  if (text === null) return null;
  const { aside, why, ...recovery } = recoverySchema.parse(JSON.parse(text));
  return { ...recovery, aside, why: why ?? reasonOf(aside ?? '') };
}

/** As it stands in the name of the file that was put aside. */
function reasonOf(aside: string): 'restored' | 'damaged' {
  return aside.includes(`.${beforeRestore}-`) ? 'restored' : 'damaged';
}

interface CarriedFile extends CarriedRows {
  /** Its own last note; null when it has none, or it cannot be read. */
  readonly lastNote: Recovery | null;
}

/**
 * Takes in what can be read of a file that nobody has open.
 *
 * @param place in which it stood; null when it stood in none, and is this till's own
 */
export function carryFrom(path: string, into: Database, note: CarryNote, place: string | null = null): CarriedFile {
  let lastNote: Recovery | null = null;
  const lookedAt = function* (views: Iterable<Database>): Generator<Database> {
    for (const view of views) {
      lastNote = newerOf(lastNote, recoveryIn(view));
      yield view;
    }
  };
  // Where nobody knows any more what the file was when its log began, an older one looks sound, too.
  const inLog = operationsInLog(`${path}-wal`, columnsOf(into, 'operations'));
  const draft = `${path}.reading`;
  const readers: Readonly<Record<CarrySource, () => CarriedRows | null>> = {
    file_alone: () => carryOver(lookedAt(fileAlone(path, draft)), into, note),
    as_it_is: () => carryAsItIs(path, into, { note, inLog, lookedAt }),
    readable_copies: () => carryOver(lookedAt(readableCopies(path, draft)), into, note, inLog),
    log_alone: () => carryOver(lookedAt(withoutRows()), into, note, inLog),
  };
  const fit = fitOf(path, inLog.length > 0 ? place : null);
  const parts = new Map<CarrySource, CarriedRows>();
  for (const source of carryPlans[fit]) {
    const part = readers[source]();
    if (part === null) continue;
    if (isAllRead(source, part)) return { ...part, lastNote };
    parts.set(source, part);
  }
  return { ...sumOf(parts, { fit, isLogBroken: isLogBroken(path) }), lastNote };
}

/** @param place null: another till's file would count as this till's own */
function fitOf(path: string, place: string | null): FileFit {
  if (place !== null && isOthersFile(path, place)) return 'strange';
  if (isFileAheadOfLog(path)) return 'ahead';
  return isSound(path) ? 'sound' : 'damaged';
}

/** @returns null, too, where it cannot be read */
function recoveryIn(view: Database): Recovery | null {
  try {
    return lastRecovery(view);
  } catch {
    return null;
  }
}

function newerOf(one: Recovery | null, other: Recovery | null): Recovery | null {
  return one === null || (other !== null && other.atMs > one.atMs) ? other : one;
}

/** Whether the file under a log is known to be another till's. */
function isOthersFile(path: string, place: string): boolean {
  let isOthers = false;
  for (const copy of fileAlone(path, `${path}.reading`)) isOthers = isStrange(place, deviceIdIn(copy));
  return isOthers;
}

/** @returns null when it cannot be read */
function deviceIdIn(copy: Database): string | null {
  try {
    return readMeta(copy, 'device_id');
  } catch {
    return null;
  }
}

/** @returns null when it cannot be read so; nothing has changed then */
function carryAsItIs(
  path: string,
  into: Database,
  {
    note,
    inLog,
    lookedAt,
  }: {
    readonly note: CarryNote;
    readonly inLog: readonly AnyRow[];
    readonly lookedAt: (views: Iterable<Database>) => Iterable<Database>;
  },
): CarriedRows | null {
  let from: Database | null = null;
  try {
    from = connect(path, { readonly: true, fileMustExist: true });
    return carryOver(lookedAt([from]), into, note, inLog);
  } catch {
    return null;
  } finally {
    from?.close();
    removeEmptyLog(path);
  }
}

function isSound(path: string): boolean {
  try {
    return examineFiles(path).header !== null;
  } catch {
    return false;
  }
}

/** To read a database in WAL mode, even only that, SQLite makes a log beside it. */
function removeEmptyLog(path: string): void {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true });
}
