import { checksumOver, firstChecksum, isSameChecksum, type LogChecksum, wordsOf } from './log-checksum.ts';
import type { LogSalts } from './log-frame.ts';

/**
 * What SQLite's index of a log (`-shm`) tells of it: the head, with a checksum of its own, and how long the index has to be
 * ("WAL-Index Header" in sqlite.org/walformat).
 */
export const indexHeadBytes = 48;
/** In the head. */
const frameCountAt = 16;
const saltsAt = 32;
const saltsBytes = 8;
/** Behind the head and its copy the index says how many frames a checkpoint has copied into the database. */
export const backfilledAt = 96;
/** Behind it, and behind the locks, up to which frame a checkpoint has begun to copy: of this log, by whomever. */
export const backfillBegunAt = 128;
export const readIndexBytes = 132;
/** The index grows by such parts; the first one has room for fewer frames, because of the head. */
const indexPartBytes = 32_768;
const framesOfPart = 4_096;
const framesOfFirstPart = 4_062;

/** How much of a log was on the disk. */
export interface LogExtent {
  readonly salts: LogSalts;
  readonly frameCount: number;
  /** After the last of these frames. */
  readonly checksum: LogChecksum;
}

export function indexBytesFor(frameCount: number): number {
  return indexPartBytes * (1 + Math.ceil(Math.max(0, frameCount - framesOfFirstPart) / framesOfPart));
}

export function frameCountIn(head: Buffer): number {
  return head.readUInt32LE(frameCountAt);
}

/** Whether two heads are of a log that has not begun anew between them. */
export function isSameRound(head: Buffer, other: Buffer): boolean {
  return head.compare(other, saltsAt, saltsAt + saltsBytes, saltsAt, saltsAt + saltsBytes) === 0;
}

/** A head that tells which log it is of, and nothing else: not how much of it there was. */
export function saltsAloneOf(head: Buffer): Buffer {
  const alone = Buffer.alloc(indexHeadBytes);
  head.copy(alone, saltsAt, saltsAt, saltsAt + saltsBytes);
  return alone;
}

/** As many rounds of a log do not go by between two commits, nor in the time in which a power cut takes back a marker. */
export const mostRoundsBetween = 2 ** 16;

/** @param noted what an index said before; zeros when nothing was committed yet */
export function isSetBack(head: Buffer, noted: Buffer): boolean {
  // Asked with each commit: of a log that has grown nothing more is looked at.
  if (isSameRound(head, noted) && head.readUInt32LE(frameCountAt) >= noted.readUInt32LE(frameCountAt)) return false;
  const [now, before] = [roundOf(head), roundOf(noted)];
  if (now === null || before === null || before.frameCount === 0) return false;
  const roundsSince = (now.salts.first - before.salts.first) >>> 0;
  if (roundsSince === 0 && now.salts.second === before.salts.second) return now.frameCount < before.frameCount;
  return roundsSince === 0 || roundsSince > mostRoundsBetween;
}

/** @returns null for a head that is not whole: SQLite itself makes the index anew then */
function roundOf(head: Buffer): Pick<LogExtent, 'salts' | 'frameCount'> | null {
  const sum = checksumOver(wordsOf(head.subarray(0, 40), { isLittleEndian: true }), firstChecksum);
  const stored = { s1: head.readUInt32LE(40), s2: head.readUInt32LE(44) };
  if (head.readUInt32LE(0) === 0 || !isSameChecksum(sum, stored)) return null;
  return {
    salts: { first: head.readUInt32BE(saltsAt), second: head.readUInt32BE(saltsAt + 4) },
    frameCount: head.readUInt32LE(frameCountAt),
  };
}

/** SQLite writes it in the machine's own order; every machine that Node runs on is little-endian. */
export function logExtentOf(head: Buffer): LogExtent | null {
  const round = roundOf(head);
  if (round === null || round.frameCount === 0) return null;
  return { ...round, checksum: { s1: head.readUInt32LE(24), s2: head.readUInt32LE(28) } };
}
