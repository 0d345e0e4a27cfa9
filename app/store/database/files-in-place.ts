import { closeSync, constants, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSync } from '../../machine/held-files.ts';
import type { OpenMarker } from '../files/open-marker.ts';
import { FolderWatch } from './folder-watch.ts';

/**
 * Cut: the database itself is. Its log may be, too. Index wrong: the index of the log was cut, or an older one was put over
 * the present one.
 */
export type FileState = 'in_place' | 'gone' | 'cut' | 'log_cut' | 'index_wrong';

/**
 * A database and its log, as they were opened: whether they still stand in their folder, and are as long as they were.
 *
 * To ask a file for its times costs each commit a third: Linux 6.13 and later write a file's times to the disk with the
 * next sync when somebody has asked for them ("multigrain timestamps"). So the folder is asked, whose time changes with
 * every file that is deleted or replaced in it, and the files' last bytes are read, which only a cut file does not have.
 * Other systems look at the files each time.
 */
export class FilesInPlace {
  /** The database and its log: what was saved last stands only there. */
  readonly #opened: readonly { readonly file: string; readonly identity: Stats }[];
  /** Null where each look is at the files themselves. */
  #quick: { readonly folder: FolderWatch; readonly database: number; readonly log: number } | null;
  /** How long the database was when it was looked at. */
  #bytes: number;
  /** The checkpoint that was the last then: only a checkpoint makes the database longer. */
  #checkpoint = '';

  /** @param path of the open database */
  constructor(path: string) {
    this.#opened = [path, `${path}-wal`].map((file) => ({ file, identity: statSync(file) }));
    this.#bytes = this.#opened[0]?.identity.size ?? 0;
    this.#quick = process.platform === 'linux' ? openQuick(path) : null;
  }

  /** @param marker of the open database, as of its last commit */
  state(marker: OpenMarker): FileState {
    // Neither the folder nor the length of a file tells of one that was written over.
    if (marker.isIndexWrong) return 'index_wrong';
    const isStillIn = this.#quick?.folder.isUnchanged() === true && this.#checkpoint === marker.index.checkpoint;
    if (isStillIn && !this.#isShorter(marker)) return 'in_place';
    return this.look(marker);
  }

  /** Looks at the files themselves, on every system. */
  look(marker: OpenMarker): FileState {
    const state = this.#look(marker);
    if (state !== 'in_place') this.#quick?.folder.forget();
    this.#checkpoint = marker.index.checkpoint;
    return state;
  }

  /** Once the database is closed: a process that closes a file loses all its locks on it (see IndexWatch). */
  close(): void {
    if (this.#quick === null) return;
    closeSync(this.#quick.database);
    closeSync(this.#quick.log);
    this.#quick = null;
  }

  #look(marker: OpenMarker): FileState {
    if (marker.isIndexWrong) return 'index_wrong';
    const found = this.#opened.map(({ file }) => statSync(file, { throwIfNoEntry: false }));
    const isThere = this.#opened.every(
      ({ identity }, index) => found[index]?.ino === identity.ino && found[index]?.dev === identity.dev,
    );
    if (!isThere) return 'gone';
    const [bytes = 0, logBytes = 0] = found.map((one) => one?.size);
    const cut = (): FileState => {
      const least = this.#leastBytes(marker);
      if (bytes < least.database) return 'cut';
      return logBytes < least.log ? 'log_cut' : 'in_place';
    };
    if (cut() !== 'in_place') {
      // Somebody else may have emptied the log on purpose, which the index tells.
      marker.note();
      const state = cut();
      if (state !== 'in_place') return state;
    }
    this.#bytes = bytes;
    return 'in_place';
  }

  /** A database gets shorter when pages were freed, and never shorter than its last commit says. */
  #leastBytes({ index: { extent } }: OpenMarker): { readonly database: number; readonly log: number } {
    return { database: Math.min(this.#bytes, extent.databaseBytes), log: extent.atLeastLogBytes };
  }

  #isShorter(marker: OpenMarker): boolean {
    if (this.#quick === null) return true;
    const least = this.#leastBytes(marker);
    return !hasBytes(this.#quick.database, least.database) || !hasBytes(this.#quick.log, least.log);
  }
}

const oneByte = Buffer.alloc(1);

function hasBytes(file: number, bytes: number): boolean {
  return bytes === 0 || readSync(file, oneByte, 0, 1, bytes - 1) === 1;
}

/** @returns null when the files cannot be read without a trace: on another user's, each read would be a change */
function openQuick(path: string) {
  const flags = constants.O_RDONLY | constants.O_NOATIME;
  let log: number | null = null;
  try {
    log = openSync(`${path}-wal`, flags);
    const folder = new FolderWatch(dirname(path));
    // Last: to close it again would give up all locks that SQLite holds on it in this process.
    return { folder, log, database: openSync(path, flags) };
  } catch {
    if (log !== null) closeSync(log);
    return null;
  }
}
