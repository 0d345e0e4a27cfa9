import { closeSync, constants, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { writePrivateBytes } from '../../machine/files.ts';
import { isNoAccess, openSync, readFileSync, rmSync } from '../../machine/held-files.ts';
import { type HeaderMark, headerStandOf } from './header-mark.ts';
import { IndexWatch } from './index-watch.ts';
import { indexHeadBytes, isSameRound, logExtentOf, saltsAloneOf } from './log-index.ts';
import {
  decodeMarker,
  decodeNotedLog,
  encodeMarker,
  encodeNotedLog,
  indexHeadAt,
  markerBytes,
  type NotedLog,
  notedLogAt,
  type OpenMarkerFacts,
} from './marker-format.ts';

/**
 * The marker of a database: a file beside it that says what its files have held at least. It is synced when it is made and
 * at the end, and not with each commit, after which it is written: what it says was on the disk before, so whatever a kill
 * or a power cut leaves of it is true. Files that hold less were cut, deleted, or replaced by older ones.
 *
 * @param path of the database
 */
export function openMarkerPath(path: string): string {
  return `${path}-open`;
}

/**
 * @param path of the database
 * @returns null when there is none, or something else stands there
 * @throws HeldFileError, NodeJS.ErrnoException for one that cannot be read now
 */
export function readOpenMarker(path: string): OpenMarkerFacts | null {
  try {
    return decodeMarker(readFileSync(openMarkerPath(path)));
  } catch (error) {
    if (isNoAccess(error)) throw error;
    return null;
  }
}

/**
 * One that cannot be written is made anew, as it stands: left as it is, it would go on saying how the database ended before.
 *
 * @throws HeldFileError, NodeJS.ErrnoException
 */
function openWritable(marker: string): number {
  // Not cut to nothing first: a power cut in between would leave an empty one.
  const open = () => openSync(marker, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    return open();
  } catch (error) {
    if (!isNoAccess(error)) throw error;
    writePrivateBytes(marker, readFileSync(marker));
    return open();
  }
}

/** One that another program holds is left: whoever opens the database next writes it anew. */
export function removeOpenMarker(path: string): void {
  try {
    rmSync(openMarkerPath(path), { force: true });
  } catch (error) {
    if (!isNoAccess(error)) throw error;
  }
}

/**
 * Before a log is emptied or deleted on purpose, by whoever does it. On the disk when this is done: a power cut may keep
 * the file system's names and lengths, and bring back what was written over in a file.
 *
 * @param path of the database
 * @throws HeldFileError, NodeJS.ErrnoException for one that cannot be written now: it would tell of a log that was lost
 */
export function forgetLog(path: string): void {
  try {
    const marker = openSync(openMarkerPath(path), 'r+');
    try {
      const head = Buffer.alloc(indexHeadBytes);
      readSync(marker, head, 0, indexHeadBytes, indexHeadAt);
      if (logExtentOf(head) === null) return;
      // Which log it was stays, and with it the mark.
      writeSync(marker, saltsAloneOf(head), 0, indexHeadBytes, indexHeadAt);
      fsyncSync(marker);
    } finally {
      closeSync(marker);
    }
  } catch (error) {
    // Else there is none.
    if (isNoAccess(error)) throw error;
  }
}

const noLog: NotedLog = { logBegunMark: null, indexHead: Buffer.alloc(indexHeadBytes) };

/** The marker of a database that is open. What cannot be written is left out: it only tells less. */
export class OpenMarker {
  readonly index = new IndexWatch();
  readonly #path: string;
  readonly #deviceId: string;
  /** What the marker says of the log. */
  #written = noLog;
  /** What it is to say of it: the mark holds for as long as the log does not begin anew. */
  #latest = noLog;
  #marker: number | null = null;
  #isKept = false;
  /** Kept open as long as the index, and for the same reason (see IndexWatch). */
  #databaseFile: number | null = null;

  /** @param path of the open database */
  constructor(path: string, { generation, deviceId }: { readonly generation: number; readonly deviceId: string }) {
    this.#path = path;
    this.#deviceId = deviceId;
    try {
      this.#marker = openWritable(openMarkerPath(path));
      const stood = bytesOf(this.#marker);
      // Where the log goes on, the mark stays. The file may have moved on since, by a checkpoint that a kill has ended; a
      // power cut would take that back, for it was not synced.
      this.#latest = decodeNotedLog(stood) ?? noLog;
      const now = encodeMarker({ generation, isClean: false, deviceId });
      const isWritten = this.#write(now, 0);
      if (stood.length > now.length) ftruncateSync(this.#marker, now.length);
      // Not synced where only the generation is new, as after a kill: a power cut then brings back the earlier one, which
      // tells less and nothing false.
      if (!isSameButGeneration(stood, deviceId)) fsyncSync(this.#marker);
      this.#isKept = isWritten;
      this.index.open(path);
      this.#databaseFile = openSync(path, 'r');
    } catch {
      // Nothing can be told then at the next start.
    }
    this.note();
  }

  /** After a commit: what the log holds now is on the disk. */
  note(): void {
    const indexHead = this.index.headAfter(this.#written.indexHead);
    if (indexHead === null) return;
    const isBegunAnew = !isSameRound(indexHead, this.#latest.indexHead);
    this.#latest = { logBegunMark: isBegunAnew ? this.#headerMark() : this.#latest.logBegunMark, indexHead };
    if (this.#write(encodeNotedLog(this.#latest), notedLogAt)) this.#written = this.#latest;
  }

  /** See IndexWatch.isWrong. */
  get isIndexWrong(): boolean {
    return this.index.isWrong(this.#written.indexHead);
  }

  /** See IndexWatch.forget. The marker is written again: whoever copies one old file of a database copies the others. */
  forgetIndex(): void {
    this.index.forget();
    this.#write(encodeNotedLog(this.#written), notedLogAt);
  }

  /** Whether it is on the disk. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Before SQLite deletes the log with its end: a kill or a power cut between the two must not look like a lost log. */
  forgetLog(): void {
    this.#write(encodeNotedLog(noLog), notedLogAt);
    this.#sync();
  }

  /** After the database was closed. @param end.generation of the database then; null: it ended in no good order */
  close({ generation }: { readonly generation: number | null }): void {
    if (generation !== null) {
      this.#write(encodeMarker({ generation, isClean: true, deviceId: this.#deviceId }), 0);
      this.#sync();
    }
    this.index.close();
    for (const file of [this.#marker, this.#databaseFile]) if (file !== null) closeSync(file);
    this.#marker = null;
    this.#databaseFile = null;
  }

  /** The database lives elsewhere from now on. After it was closed. */
  remove(): void {
    this.close({ generation: null });
    removeOpenMarker(this.#path);
  }

  /** Of the file as it was on the disk when the log began. Null: a checkpoint has begun, which leaves pages that are not synced. */
  #headerMark(): HeaderMark | null {
    if (this.index.isCheckpointBegun || this.#databaseFile === null) return null;
    try {
      return headerStandOf(this.#databaseFile)?.mark ?? null;
    } catch {
      return null;
    }
  }

  /** What it says of a log must not come back with a power cut when the log is gone. */
  #sync(): void {
    try {
      if (this.#marker !== null) fsyncSync(this.#marker);
    } catch {
      // What cannot be written is left out: it only tells less.
    }
  }

  #write(bytes: Buffer, at: number): boolean {
    if (this.#marker === null) return false;
    try {
      return writeSync(this.#marker, bytes, 0, bytes.length, at) === bytes.length;
    } catch {
      // Told by nobody here: the next sale meets the same full disk. What the marker already says stays true.
      return false;
    }
  }
}

/** @returns at most one byte more than a marker has */
function bytesOf(marker: number): Buffer {
  const bytes = Buffer.alloc(markerBytes + 1);
  return bytes.subarray(0, readSync(marker, bytes, 0, bytes.length, 0));
}

/** Whether a marker tells of an open database with nothing known of its log, as a new one does. */
function isSameButGeneration(bytes: Buffer, deviceId: string): boolean {
  const stood = decodeMarker(bytes);
  return stood?.ending.kind === 'open' && stood.log === null && stood.deviceId === deviceId;
}
