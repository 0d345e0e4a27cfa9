import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import { openSync } from '../../machine/held-files.ts';
import {
  backfillBegunAt,
  backfilledAt,
  frameCountIn,
  indexBytesFor,
  indexHeadBytes,
  isSetBack,
  logExtentOf,
  readIndexBytes,
} from './log-index.ts';
import { logBytes } from './write-ahead-log.ts';

/**
 * SQLite's index of the log (`-shm`) of a database that is open in this process: what it tells of the log, and whether
 * somebody has cut it or put another one over it. One that cannot be read is taken for sound.
 */
export class IndexWatch {
  readonly #bytes = Buffer.alloc(readIndexBytes);
  readonly #head = this.#bytes.subarray(0, indexHeadBytes);
  /**
   * Kept open until the database is closed. On POSIX systems a process loses all its locks on a file when it closes one
   * of its descriptors of that file, also one that took no lock (fcntl(2)); SQLite's locks would be gone.
   */
  #file: number | null = null;
  /** How long the index was at least. It never gets shorter while the database is open. */
  #leastBytes = 0;

  /**
   * @param path of the open database
   * @throws HeldFileError, NodeJS.ErrnoException
   */
  open(path: string): void {
    this.#file = openSync(`${path}-shm`, 'r+');
  }

  /** After the database was closed. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /**
   * Looks at the index after a commit.
   *
   * @param noted the head before; zeros when nothing was committed yet
   * @returns its head; null when that cannot be read, is the one before, or is an older one
   */
  headAfter(noted: Buffer): Buffer | null {
    // A commit that changed nothing has left the log as it was.
    if (!this.#read() || this.#head.equals(noted) || isSetBack(this.#head, noted)) return null;
    this.#leastBytes = Math.max(this.#leastBytes, indexBytesFor(frameCountIn(this.#head)));
    return Buffer.from(this.#head);
  }

  /**
   * Whether the index was cut, or tells of less than was committed. SQLite believes an older one that somebody has copied
   * over it, and the next commit would go over the frames of sales. It reads behind the end of one that was cut, for
   * which the operating system ends the process (SIGBUS). A log that begins anew is no such sign.
   */
  isWrong(noted: Buffer): boolean {
    const isRead = this.#read();
    if (this.#isCut()) return true;
    return isRead && !this.#head.equals(noted) && isSetBack(this.#head, noted);
  }

  /**
   * Has SQLite make the index anew from the log, with its next transaction; it is as long as it was.
   *
   * @throws NodeJS.ErrnoException when the disk has no room for it
   */
  forget(): void {
    if (this.#file === null) return;
    const { size } = fstatSync(this.#file);
    // Nothing but the head and what is missing: Windows refuses the bytes at which SQLite holds its locks.
    writeSync(this.#file, Buffer.alloc(2 * indexHeadBytes), 0, 2 * indexHeadBytes, 0);
    const from = Math.max(size, 2 * indexHeadBytes);
    if (from < this.#leastBytes)
      writeSync(this.#file, Buffer.alloc(this.#leastBytes - from), 0, this.#leastBytes - from, from);
  }

  /** As of the last look: how long the log's file must be at least, and how long the database is with it; or zeros. */
  get extent(): { readonly atLeastLogBytes: number; readonly databaseBytes: number } {
    const log = logExtentOf(this.#head);
    if (log === null) return { atLeastLogBytes: 0, databaseBytes: 0 };
    const pageBytes = this.#head.readUInt16LE(14);
    return {
      atLeastLogBytes: logBytes(log.frameCount, pageBytes),
      databaseBytes: this.#head.readUInt32LE(20) * pageBytes,
    };
  }

  /** As of the last look: changes with each checkpoint, which copies the log into the database. */
  get checkpoint(): string {
    return `${this.#head.readUInt32BE(32)} ${this.#bytes.readUInt32LE(backfilledAt)}`;
  }

  /** As of the last look: whether a checkpoint of any program has begun to copy this log into the database. */
  get isCheckpointBegun(): boolean {
    return this.#bytes.readUInt32LE(backfillBegunAt) !== 0;
  }

  /** @returns whether all of it was there */
  #read(): boolean {
    if (this.#file === null) return false;
    try {
      return readSync(this.#file, this.#bytes, 0, readIndexBytes, 0) === readIndexBytes;
    } catch {
      return false;
    }
  }

  #isCut(): boolean {
    if (this.#file === null || this.#leastBytes === 0) return false;
    try {
      return readSync(this.#file, lastByte, 0, 1, this.#leastBytes - 1) === 0;
    } catch {
      return false;
    }
  }
}

const lastByte = Buffer.alloc(1);
