import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { makePrivateFolder } from '../files.ts';
import { lastRecovery, noteRecovery, type Recovery } from './carrying.ts';
import { countOperations } from './counts.ts';
import { type FileState, FilesInPlace } from './files-in-place.ts';
import { type MovableDatabase, movableDatabase } from './movable-database.ts';
import { advanceGeneration, asStoreError, doubtDatabase, openDatabase, readGeneration } from './open.ts';
import { OpenMarker } from './open-marker.ts';
import { keepAside, recoverDatabase } from './recover-database.ts';
import { putInPlace, removeDatabase } from './replacing.ts';
import { StoreError } from './store-error.ts';

/**
 * The files under an open database. SQLite goes on writing to a file that was deleted or replaced under it, and what it
 * writes is gone with the process: so this is asked before each commit (some microseconds beside the sync), and what the
 * open files still hold is saved to a new one before anything else is written.
 */
export class StoreFiles {
  readonly #path: string;
  readonly #options: { readonly now: () => number; readonly onMoved: (recovery: Recovery) => void };
  readonly #movable: MovableDatabase;
  #marker: OpenMarker;
  #files: FilesInPlace;
  #recovery: Recovery | null;
  /** The open files are closed, and the new one is not open yet: the disk failed between the two. */
  #isBetween = false;

  constructor(
    path: string,
    opened: Database,
    options: { readonly now: () => number; readonly onMoved: (recovery: Recovery) => void },
  ) {
    this.#path = path;
    this.#options = options;
    this.#movable = movableDatabase(opened);
    this.#recovery = lastRecovery(opened);
    this.#marker = new OpenMarker(path, readGeneration(opened));
    this.#files = new FilesInPlace(path);
  }

  /** The same one for as long as the store lives, whatever becomes of its files. */
  get database(): Database {
    return this.#movable.database;
  }

  get recovery(): Recovery | null {
    return this.#recovery;
  }

  /** Outside of any transaction. @throws StoreError when what is written would not be found again */
  check(): void {
    if (this.#isBetween) this.#reopen();
    this.#follow(this.#files.state(this.#marker));
  }

  /** Looks more closely than `check`, where nothing waits for it. @throws as `check` */
  checkClosely(): void {
    if (this.#isBetween) this.#reopen();
    this.#follow(this.#files.look(this.#marker));
  }

  committed(): void {
    this.#marker.note();
  }

  close(): void {
    const database = this.#movable.current();
    const generation = this.#files.look(this.#marker) === 'in_place' ? endInGoodOrder(database) : null;
    database.close();
    this.#files.close();
    this.#marker.close({ generation });
  }

  /** It could not be used after all. */
  abandon(): void {
    this.#movable.current().close();
    this.#files.close();
    this.#marker.close({ generation: null });
  }

  #follow(state: FileState): void {
    if (state === 'in_place') return;
    try {
      if (state === 'gone') this.#saveElsewhere();
      else this.#recover();
    } catch (error) {
      const { message } = asStoreError(error, this.#path);
      throw new StoreError(
        'unreachable',
        `${this.#path}: the database was deleted, replaced or cut while it is in use, and could not be saved to a new file (${message}).`,
        { cause: error },
      );
    }
  }

  /** The open files still hold everything. */
  #saveElsewhere(): void {
    const path = this.#path;
    const draft = `${path}.moving`;
    makePrivateFolder(dirname(path));
    removeDatabase(draft);
    const before = this.#movable.current();
    before.prepare('VACUUM INTO ?').run(draft);
    doubtDatabase(draft);
    const nowMs = this.#options.now();
    const isOtherThere = existsSync(path);
    const saved = openDatabase(draft);
    try {
      const carried = countOperations(saved);
      const aside = isOtherThere ? keepAside(path, 'replaced', nowMs) : null;
      noteRecovery(saved, { atMs: nowMs, aside, why: 'moved', carried, renewed: 0, unreadable: 0 });
    } finally {
      saved.close();
    }
    // Before the new one stands there: with its end SQLite deletes the log by its name.
    this.#isBetween = true;
    before.close();
    this.#files.close();
    this.#marker.remove();
    putInPlace(path, draft);
    this.#reopen();
  }

  /** What was cut off is gone from the open files, too. */
  #recover(): void {
    this.#isBetween = true;
    this.#movable.current().close();
    this.#files.close();
    this.#marker.close({ generation: null });
    this.#reopen();
  }

  #reopen(): void {
    const opened = recoverDatabase(this.#path, { nowMs: this.#options.now() });
    this.#movable.moveTo(opened);
    this.#marker = new OpenMarker(this.#path, readGeneration(opened));
    this.#files = new FilesInPlace(this.#path);
    this.#isBetween = false;
    this.#recovery = lastRecovery(opened);
    if (this.#recovery !== null) this.#options.onMoved(this.#recovery);
  }
}

/** @returns null when the end cannot be noted in the database: nothing is claimed of it then */
function endInGoodOrder(database: Database): number | null {
  try {
    return advanceGeneration(database);
  } catch {
    return null;
  }
}
