import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { writePrivateBytes } from '../../machine/files.ts';
import { isNoAccess, openSync, readFileSync, rmSync } from '../../machine/held-files.ts';
import { type HeaderMark, headerStandOf } from './header-mark.ts';
import {
  backfillBegunAt,
  backfilledAt,
  frameCountIn,
  indexBytesFor,
  indexHeadBytes,
  isSameRound,
  isSetBack,
  type LogExtent,
  logExtentOf,
  readIndexBytes,
  saltsAloneOf,
} from './log-index.ts';
import { logBytes } from './write-ahead-log.ts';

/**
 * A file beside a database that says what its files have held at least. It is synced when it is made and at the end,
 * and not with each commit, after which it is written: what it says was on the disk before, so whatever a kill or a power
 * cut leaves of it is true. Files that hold less were cut, deleted, or replaced by older ones.
 *
 * 88 bytes: `TBopen2` and a zero, the database's generation, how it ended, the head of SQLite's index of the log (48
 * bytes with a checksum of its own, "WAL-Index Header" in sqlite.org/walformat) or zeros, and which database it is (24
 * bytes, filled with zeros). Earlier versions wrote `TBopen1`, and 64 bytes without the last.
 *
 * How it ended is 1 after a clean end. Before that it is the mark of the database's file when this log began, or 0 where nobody
 * has noted that. An earlier version, which comes back when this one does not start, reads each of them right:
 * for it, all but 1 is no clean end.
 */
const magic = Buffer.from('TBopen2\0', 'latin1');
const markerBytes = 88;
const earlierMagic = Buffer.from('TBopen1\0', 'latin1');
const earlierMarkerBytes = 64;
const generationAt = 8;
const endAt = 12;
const cleanEnd = 1;
const deviceIdAt = 64;
const deviceIdBytes = 24;
const indexHeadAt = 16;
/** How it ended, and behind it the head: they are written together, since a mark says nothing beside the head of another log. */
const standBytes = indexHeadAt + indexHeadBytes - endAt;

interface NotedLog extends LogExtent {
  /** Mark of the database's file when this log began; null where nobody has noted it, as earlier versions did not. */
  readonly begun: HeaderMark | null;
}

export interface OpenMarkerFacts {
  /** Grows with each opening and each clean end of the database, which keeps it too. */
  readonly generation: number;
  /** It was closed in good order: then there is no log. */
  readonly isClean: boolean;
  /** Null: nothing is known of a log. */
  readonly log: NotedLog | null;
  /** Of the database; null in what earlier versions wrote. */
  readonly deviceId: string | null;
}

export function openMarkerPath(path: string): string {
  return `${path}-open`;
}

/**
 * @param path of the database
 * @returns null when there is none, or something else stands there
 * @throws what the file system says of one that cannot be read now
 */
export function readOpenMarker(path: string): OpenMarkerFacts | null {
  try {
    const bytes = readFileSync(openMarkerPath(path));
    const isEarlier = isMarker(bytes, earlierMagic, earlierMarkerBytes);
    if (!isEarlier && !isMarker(bytes, magic, markerBytes)) return null;
    const end = bytes.readUInt32LE(endAt);
    const log = logExtentOf(bytes.subarray(indexHeadAt));
    return {
      generation: bytes.readUInt32LE(generationAt),
      isClean: end === cleanEnd,
      log: log === null ? null : { ...log, begun: end === 0 ? null : end },
      deviceId: isEarlier ? null : deviceIdIn(bytes),
    };
  } catch (error) {
    if (isNoAccess(error)) throw error;
    return null;
  }
}

function isMarker(bytes: Buffer, start: Buffer, length: number): boolean {
  return bytes.length === length && bytes.subarray(0, start.length).equals(start);
}

function deviceIdIn(bytes: Buffer): string | null {
  const text = bytes.toString('latin1', deviceIdAt, deviceIdAt + deviceIdBytes).replace(/\0+$/, '');
  return text === '' ? null : text;
}

/**
 * One that cannot be written is made anew, as it stands: left as it is, it would go on saying how the database ended before.
 *
 * @throws what the file system says
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

const noStand = Buffer.alloc(standBytes);

/**
 * Before a log is emptied or deleted on purpose, by whoever does it. On the disk when this is done: a power cut may keep
 * the file system's names and lengths, and bring back what was written over in a file.
 *
 * @param path of the database
 * @throws what the file system says of one that cannot be written now: it would tell of a log that was lost
 */
export function forgetLog(path: string): void {
  try {
    const marker = openSync(openMarkerPath(path), 'r+');
    try {
      const told = Buffer.alloc(indexHeadBytes);
      readSync(marker, told, 0, indexHeadBytes, indexHeadAt);
      if (logExtentOf(told) === null) return;
      // Which log it was stays, and with it the mark.
      writeSync(marker, saltsAloneOf(told), 0, indexHeadBytes, indexHeadAt);
      fsyncSync(marker);
    } finally {
      closeSync(marker);
    }
  } catch (error) {
    // Else there is none.
    if (isNoAccess(error)) throw error;
  }
}

/** The marker of a database that is open. What cannot be written is left out: it only tells less. */
export class OpenMarker {
  readonly #path: string;
  readonly #index = Buffer.alloc(readIndexBytes);
  readonly #head = this.#index.subarray(0, indexHeadBytes);
  /** How the database ended, which it has not, and the head, as they stand in the marker. */
  readonly #stand = Buffer.alloc(standBytes);
  readonly #noted = this.#stand.subarray(indexHeadAt - endAt);
  /** A head of the log for which the mark holds. */
  readonly #marked = Buffer.alloc(indexHeadBytes);
  #mark = 0;
  readonly #deviceId: string;
  #marker: number | null = null;
  #isKept = false;
  /**
   * Kept open until the database is closed. On POSIX systems a process loses all its locks on a file when it closes one
   * of its descriptors of that file, also one that took no lock (fcntl(2)); SQLite's locks would be gone.
   */
  #indexFile: number | null = null;
  /** As the index. */
  #databaseFile: number | null = null;
  /** How long the index was at least. It never gets shorter while the database is open. */
  #indexBytes = 0;

  /** @param path of the open database */
  constructor(path: string, { generation, deviceId }: { readonly generation: number; readonly deviceId: string }) {
    this.#path = path;
    this.#deviceId = deviceId;
    try {
      this.#marker = openWritable(openMarkerPath(path));
      const stood = bytesOf(this.#marker);
      this.#keepMark(stood);
      const now = record({ generation, isClean: false, deviceId });
      const isWritten = this.#write(now, 0);
      if (stood.length > now.length) ftruncateSync(this.#marker, now.length);
      // Not synced where only the generation is new, as after a kill: a power cut then brings back the earlier one, which
      // tells less and nothing false.
      if (!isSameButGeneration(stood, deviceId)) fsyncSync(this.#marker);
      this.#isKept = isWritten;
      this.#indexFile = openSync(`${path}-shm`, 'r+');
      this.#databaseFile = openSync(path, 'r');
    } catch {
      // Nothing can be told then at the next start.
    }
    this.note();
  }

  /** After a commit: what the log holds now is on the disk. */
  note(): void {
    const length = this.#readIndexHead();
    // A commit that changed nothing has left the log as it was.
    if (length !== readIndexBytes || this.#head.equals(this.#noted)) return;
    if (isSetBack(this.#head, this.#noted)) return;
    this.#indexBytes = Math.max(this.#indexBytes, indexBytesFor(frameCountIn(this.#head)));
    if (!isSameRound(this.#head, this.#marked)) this.#mark = this.#headerMark();
    this.#head.copy(this.#marked);
    const stand = Buffer.alloc(standBytes);
    stand.writeUInt32LE(this.#mark);
    this.#head.copy(stand, indexHeadAt - endAt);
    if (this.#write(stand, endAt)) stand.copy(this.#stand);
  }

  /**
   * Whether the index was cut, or tells of less than was committed. SQLite believes an older one that somebody has copied
   * over it, and the next commit would go over the frames of sales. It reads behind the end of one that was cut, for
   * which the operating system ends the process (SIGBUS). A log that begins anew is no such sign.
   */
  get isIndexWrong(): boolean {
    const length = this.#readIndexHead();
    if (this.#isIndexCut()) return true;
    return length === readIndexBytes && !this.#head.equals(this.#noted) && isSetBack(this.#head, this.#noted);
  }

  /**
   * Has SQLite make the index anew from the log, with its next transaction; it is as long as it was. The marker
   * is written again: whoever copies one old file of a database copies the others.
   *
   * @throws when the disk has no room for it
   */
  forgetIndex(): void {
    if (this.#indexFile !== null) {
      const { size } = fstatSync(this.#indexFile);
      // Nothing but the head and what is missing: Windows refuses the bytes at which SQLite holds its locks.
      writeSync(this.#indexFile, Buffer.alloc(2 * indexHeadBytes), 0, 2 * indexHeadBytes, 0);
      const from = Math.max(size, 2 * indexHeadBytes);
      if (from < this.#indexBytes)
        writeSync(this.#indexFile, Buffer.alloc(this.#indexBytes - from), 0, this.#indexBytes - from, from);
    }
    this.#write(this.#stand, endAt);
  }

  /** Whether it is on the disk. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** As of the last note: how long the log's file must be at least, and how long the database is with it; or zeros. */
  get extent(): { readonly atLeastLogBytes: number; readonly databaseBytes: number } {
    const log = logExtentOf(this.#head);
    if (log === null) return { atLeastLogBytes: 0, databaseBytes: 0 };
    const pageBytes = this.#head.readUInt16LE(14);
    return {
      atLeastLogBytes: logBytes(log.frameCount, pageBytes),
      databaseBytes: this.#head.readUInt32LE(20) * pageBytes,
    };
  }

  /** As of the last note: changes with each checkpoint, which copies the log into the database. */
  get checkpoint(): string {
    return `${this.#head.readUInt32BE(32)} ${this.#index.readUInt32LE(backfilledAt)}`;
  }

  /** Before SQLite deletes the log with its end: a kill or a power cut between the two must not look like a lost log. */
  forgetLog(): void {
    this.#write(noStand, endAt);
    this.#sync();
  }

  /** After the database was closed. @param end.generation of the database then; null: it ended in no good order */
  close({ generation }: { readonly generation: number | null }): void {
    if (generation !== null) {
      this.#write(record({ generation, isClean: true, deviceId: this.#deviceId }), 0);
      this.#sync();
    }
    for (const file of [this.#marker, this.#indexFile, this.#databaseFile]) if (file !== null) closeSync(file);
    this.#marker = null;
    this.#indexFile = null;
    this.#databaseFile = null;
  }

  /** The database lives elsewhere from now on. After it was closed. */
  remove(): void {
    this.close({ generation: null });
    removeOpenMarker(this.#path);
  }

  #readIndexHead(): number {
    if (this.#indexFile === null) return 0;
    try {
      return readSync(this.#indexFile, this.#index, 0, readIndexBytes, 0);
    } catch {
      return 0;
    }
  }

  /**
   * Where the log goes on, the mark stays. The file may have moved on since, by a checkpoint that a kill has ended; a power
   * cut would take that back, for it was not synced.
   */
  #keepMark(stood: Buffer): void {
    if (!isMarker(stood, magic, markerBytes)) return;
    const end = stood.readUInt32LE(endAt);
    if (end === cleanEnd) return;
    this.#mark = end;
    stood.copy(this.#marked, 0, indexHeadAt);
  }

  /** Of the file as it was on the disk when the log began. 0: a checkpoint has begun, which leaves pages that are not synced. */
  #headerMark(): HeaderMark {
    if (this.#index.readUInt32LE(backfillBegunAt) !== 0) return 0;
    try {
      return this.#databaseFile === null ? 0 : (headerStandOf(this.#databaseFile)?.mark ?? 0);
    } catch {
      return 0;
    }
  }

  #isIndexCut(): boolean {
    if (this.#indexFile === null || this.#indexBytes === 0) return false;
    try {
      return readSync(this.#indexFile, lastByte, 0, 1, this.#indexBytes - 1) === 0;
    } catch {
      return false;
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

function record({
  generation,
  isClean,
  deviceId,
}: Pick<OpenMarkerFacts, 'generation' | 'isClean'> & { readonly deviceId: string }): Buffer {
  const bytes = Buffer.alloc(markerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(generation, generationAt);
  bytes.writeUInt32LE(isClean ? cleanEnd : 0, endAt);
  bytes.write(deviceId, deviceIdAt, deviceIdBytes, 'latin1');
  return bytes;
}

/** @returns at most one byte more than a marker has */
function bytesOf(marker: number): Buffer {
  const bytes = Buffer.alloc(markerBytes + 1);
  return bytes.subarray(0, readSync(marker, bytes, 0, bytes.length, 0));
}

/** Whether a marker tells of an open database with nothing known of its log, as a new one does. */
function isSameButGeneration(bytes: Buffer, deviceId: string): boolean {
  if (!isMarker(bytes, magic, markerBytes) || bytes.readUInt32LE(endAt) === cleanEnd) return false;
  return logExtentOf(bytes.subarray(indexHeadAt)) === null && deviceIdIn(bytes) === deviceId;
}

const lastByte = Buffer.alloc(1);
