import { checksumOver, firstChecksum, isSameChecksum, type LogChecksum, wordsOf } from './log-checksum.ts';
import type { LogSalts } from './log-frame.ts';

/**
 * SQLite's index of a log (`-shm`): its head, which has a checksum of its own, and how long the index has to be ("WAL-Index
 * Header" in sqlite.org/walformat).
 */
export const indexHeadBytes = 48;
/** Where these stand in the head, in bytes. */
const frameCountAt = 16;
const saltsAt = 32;
const saltsBytes = 8;
/** After the head and its copy: how many frames checkpoints have copied into the database. */
export const backfilledAt = 96;
/** After that and the locks: up to which frame a checkpoint of any program has begun to copy this log. */
export const backfillBegunAt = 128;
export const readIndexBytes = 132;
/** The index grows in parts of this length. The first part has room for fewer frames, because it has the head, too. */
const indexPartBytes = 32_768;
const framesOfPart = 4_096;
const framesOfFirstPart = 4_062;

/** How much of a log was on the disk. */
export interface LogExtent {
  readonly salts: LogSalts;
  readonly frameCount: number;
  /** The checksum after the last of these frames. */
  readonly checksum: LogChecksum;
}

export function indexBytesFor(frameCount: number): number {
  return indexPartBytes * (1 + Math.ceil(Math.max(0, frameCount - framesOfFirstPart) / framesOfPart));
}

export function frameCountIn(head: Buffer): number {
  return head.readUInt32LE(frameCountAt);
}

/** Whether two heads are of the same round of a log: between them, SQLite did not start the log again from the first frame. */
export function isSameRound(head: Buffer, other: Buffer): boolean {
  return head.compare(other, saltsAt, saltsAt + saltsBytes, saltsAt, saltsAt + saltsBytes) === 0;
}

/** A head that says which log it is of, but not how many frames the log had. */
export function saltsAloneOf(head: Buffer): Buffer {
  const alone = Buffer.alloc(indexHeadBytes);
  head.copy(alone, saltsAt, saltsAt, saltsAt + saltsBytes);
  return alone;
}

/**
 * A log cannot start again so often between two commits, nor in the time for which a power cut may undo the writing of a
 * marker.
 */
export const mostRoundsBetween = 2 ** 16;

/**
 * Whether a log is older than it was before: another program has put an older copy in its place.
 *
 * @param noted the head before; zeros when nothing was committed yet
 */
export function isSetBack(head: Buffer, noted: Buffer): boolean {
  // This is asked with each commit: for a log that has grown, this quick look is enough.
  if (isSameRound(head, noted) && head.readUInt32LE(frameCountAt) >= noted.readUInt32LE(frameCountAt)) return false;
  const [now, before] = [roundOf(head), roundOf(noted)];
  if (now === null || before === null || before.frameCount === 0) return false;
  const roundsSince = (now.salts.first - before.salts.first) >>> 0;
  if (roundsSince === 0 && now.salts.second === before.salts.second) return now.frameCount < before.frameCount;
  return roundsSince === 0 || roundsSince > mostRoundsBetween;
}

/** @returns null when the checksum does not agree: then SQLite itself builds the index again */
function roundOf(head: Buffer): Pick<LogExtent, 'salts' | 'frameCount'> | null {
  const sum = checksumOver(wordsOf(head.subarray(0, 40), { isLittleEndian: true }), firstChecksum);
  const stored = { s1: head.readUInt32LE(40), s2: head.readUInt32LE(44) };
  if (head.readUInt32LE(0) === 0 || !isSameChecksum(sum, stored)) return null;
  return {
    salts: { first: head.readUInt32BE(saltsAt), second: head.readUInt32BE(saltsAt + 4) },
    frameCount: head.readUInt32LE(frameCountAt),
  };
}

/** Reads little-endian numbers: SQLite writes them in the machine's own byte order. @returns null without any frame */
export function logExtentOf(head: Buffer): LogExtent | null {
  const round = roundOf(head);
  if (round === null || round.frameCount === 0) return null;
  return { ...round, checksum: { s1: head.readUInt32LE(24), s2: head.readUInt32LE(28) } };
}
