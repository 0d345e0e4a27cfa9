import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { isDiskError, makePrivateFolder } from '../machine/files.ts';
import { correctRecovery, following, lastRecovery, type Recovery } from './carrying/carrying.ts';
import { movingPath, noteMoved, rescue, saveWhole } from './carrying/moved-draft.ts';
import { keepAside, putStrangersAside, recoverDatabase } from './carrying/recover-database.ts';
import { type FileState, FilesInPlace } from './database/files-in-place.ts';
import { type MovableDatabase, movableDatabase } from './database/movable-database.ts';
import { advanceGeneration, asStoreError, readGeneration } from './database/open.ts';
import { noteClosed, noteOpened } from './files/known-databases.ts';
import { OpenMarker } from './files/open-marker.ts';
import { announceReplacing, finishReplacing, removeDatabase } from './files/replacing.ts';
import { countOperations } from './tables/counts.ts';
import { readMeta } from './versions/meta.ts';
import { StoreError } from './versions/store-error.ts';

interface StoreFilesOptions {
  /** Of the database. */
  readonly deviceId: string;
  /** Nothing is kept of it outside of its own files. */
  readonly isDraft: boolean;
  readonly now: () => number;
  /** How many operations were saved, as the agent counted them. */
  readonly operationCount: () => number;
  readonly onMoved: (recovery: Recovery) => void;
  readonly onIndexMadeAnew: () => void;
  readonly onUnmarked: () => void;
}

/**
 * The files under an open database. SQLite goes on writing to a file that was deleted or replaced under it, and what it
 * writes is gone with the process: so this is asked before each commit (some microseconds beside the sync), and what the
 * open files still hold is saved to a new one before anything else is written.
 */
export class StoreFiles {
  readonly #path: string;
  readonly #options: StoreFilesOptions;
  readonly #movable: MovableDatabase;
  #marker: OpenMarker;
  #files: FilesInPlace;
  #recovery: Recovery | null;
  /**
   * The open files are closed, and the new one is not open yet: the disk failed between the two. What is to be done with
   * the new one then; else null.
   */
  #between: ((opened: Database) => void) | null = null;
  /** A draft lies beside the database that is not in its place yet. */
  #isDraftLeft = false;

  constructor(path: string, opened: Database, options: StoreFilesOptions) {
    this.#path = path;
    this.#options = options;
    this.#movable = movableDatabase(opened);
    this.#recovery = lastRecovery(opened);
    this.#marker = this.#markOpen(opened);
    this.#files = new FilesInPlace(path);
  }

  /** The same one for as long as the store lives, whatever becomes of its files. */
  get database(): Database {
    return this.#movable.database;
  }

  get recovery(): Recovery | null {
    return this.#recovery;
  }

  /** Inside a transaction of the Writer. @param byMs how much later it is noted to have been */
  shiftRecovery(byMs: number): void {
    const noted = lastRecovery(this.database);
    if (noted === null) return;
    const earlier = noted.earlier?.map((note) => ({ ...note, atMs: note.atMs + byMs }));
    this.#recovery = { ...noted, atMs: noted.atMs + byMs, ...(earlier === undefined ? {} : { earlier }) };
    correctRecovery(this.database, this.#recovery);
  }

  /** Outside of any transaction. @throws StoreError when what is written would not be found again */
  check(): void {
    if (this.#between !== null) this.#reopen();
    this.#follow(this.#files.state(this.#marker));
  }

  /** Looks more closely than `check`, where nothing waits for it. @throws StoreError as `check` */
  checkClosely(): void {
    if (this.#between !== null) this.#reopen();
    this.#follow(this.#files.look(this.#marker));
  }

  committed(): void {
    this.#marker.note();
  }

  close(): void {
    const database = this.#movable.current();
    // Else SQLite would take an older log into the database, and delete the present one.
    if (this.#marker.isIndexWrong) this.#marker.forgetIndex();
    const generation = this.#isInPlace() ? endInGoodOrder(database) : null;
    if (generation !== null) this.#marker.forgetLog();
    database.close();
    this.#files.close();
    this.#marker.close({ generation });
    if (generation !== null) noteClosed(this.#path, generation);
  }

  #isInPlace(): boolean {
    try {
      return this.#files.look(this.#marker) === 'in_place';
    } catch {
      // Nobody can tell: the next start looks for itself.
      return false;
    }
  }

  /** It could not be used after all. */
  abandon(): void {
    this.#movable.current().close();
    this.#files.close();
    this.#marker.close({ generation: null });
  }

  #markOpen(opened: Database): OpenMarker {
    const { deviceId: given, isDraft, onUnmarked } = this.#options;
    const facts = { deviceId: readMeta(opened, 'device_id') ?? given, generation: readGeneration(opened) };
    const marker = new OpenMarker(this.#path, facts);
    if (!marker.isKept) onUnmarked();
    else if (!isDraft) noteOpened(this.#path, facts);
    return marker;
  }

  #follow(state: FileState): void {
    if (state === 'in_place') {
      // They are back: what was saved meanwhile would be an old state of them one day.
      if (this.#isDraftLeft) removeDatabase(movingPath(this.#path));
      this.#isDraftLeft = false;
      return;
    }
    try {
      this.#save(state);
    } catch (error) {
      const { message } = asStoreError(error, this.#path);
      throw new StoreError(
        'unreachable',
        `${this.#path}: the database was deleted, replaced or cut while it is in use, and could not be saved to a new file (${message}).`,
        { cause: error },
      );
    }
  }

  #save(state: Exclude<FileState, 'in_place'>): void {
    switch (state) {
      case 'gone':
        this.#saveElsewhere();
        return;
      case 'log_cut':
        // SQLite keeps in memory what it wrote last: mostly all that was in the log.
        if (this.#savedWhole()) this.#moveToDraft(null);
        else this.#recover();
        return;
      case 'index_wrong':
        // A log that was written over, too, has lost what only it held.
        if (this.#isIndexMadeAnew()) this.#options.onIndexMadeAnew();
        else this.#recover();
        return;
      case 'cut':
        this.#recover();
        return;
      default:
        assertNever(state);
    }
  }

  /** @returns whether the log still holds all that was committed */
  #isIndexMadeAnew(): boolean {
    this.#marker.forgetIndex();
    // The first look at the database makes it.
    countOperations(this.#movable.current());
    return !this.#marker.isIndexWrong && this.#files.look(this.#marker) === 'in_place';
  }

  /** The open files still hold everything. */
  #saveElsewhere(): void {
    const path = this.#path;
    makePrivateFolder(dirname(path));
    this.#isDraftLeft = true;
    saveWhole(this.#movable.current(), movingPath(path));
    const nowMs = this.#options.now();
    const stranger = putStrangersAside(path, nowMs);
    this.#moveToDraft(stranger ?? (existsSync(path) ? keepAside(path, 'replaced', nowMs) : null));
  }

  /** @returns false when some of it cannot be read any more @throws SqliteError, StoreError when the disk takes no new file */
  #savedWhole(): boolean {
    this.#isDraftLeft = true;
    try {
      saveWhole(this.#movable.current(), movingPath(this.#path));
      return true;
    } catch (error) {
      if (isDiskError(error) || isDiskError(error instanceof Error ? error.cause : null)) throw error;
      return false;
    }
  }

  #moveToDraft(aside: string | null): void {
    const path = this.#path;
    const draft = movingPath(path);
    noteMoved(draft, { atMs: this.#options.now(), aside });
    announceReplacing(path, draft);
    this.#isDraftLeft = false;
    // Before the new one stands there: with its end SQLite deletes the log by its name.
    this.#between = () => undefined;
    this.#movable.current().close();
    this.#files.close();
    this.#marker.remove();
    finishReplacing(path);
    this.#reopen();
  }

  /** Some of what was cut off is gone from the open files, too. */
  #recover(): void {
    const path = this.#path;
    const known = this.#options.operationCount();
    // Of what is cut, the last note may be gone, too.
    const before = this.#recovery;
    rescue(this.#movable.current(), path, this.#options.now());
    removeDatabase(movingPath(path));
    this.#isDraftLeft = false;
    this.#between = (opened) => tellMissing(opened, { known, before });
    this.#movable.current().close();
    this.#files.close();
    this.#marker.close({ generation: null });
    this.#reopen();
  }

  #reopen(): void {
    const opened = recoverDatabase(this.#path, { nowMs: this.#options.now() });
    this.#between?.(opened);
    this.#movable.moveTo(opened);
    this.#marker = this.#markOpen(opened);
    this.#files = new FilesInPlace(this.#path);
    this.#between = null;
    this.#recovery = lastRecovery(opened);
    if (this.#recovery !== null) this.#options.onMoved(this.#recovery);
  }
}

/** The agent has counted what was there: what is not there now is a number. What was told before is told on. */
function tellMissing(
  opened: Database,
  { known, before }: { readonly known: number; readonly before: Recovery | null },
): void {
  const recovery = lastRecovery(opened);
  if (recovery === null || isDeepStrictEqual(recovery, before)) return;
  const missing = Math.max(0, known - countOperations(opened));
  correctRecovery(opened, following(before, { ...recovery, unreadable: missing }));
}

/** @returns null when the end cannot be noted in the database: nothing is claimed of it then */
function endInGoodOrder(database: Database): number | null {
  try {
    return advanceGeneration(database);
  } catch {
    return null;
  }
}
