import { errorCode } from '../../../shared/lib/error-code.ts';
import { readFileSync } from '../../machine/held-files.ts';
import { type HeaderStand, headerStandIn } from './header-mark.ts';
import {
  checksumOver,
  firstChecksum,
  isSameChecksum,
  type LogChecksum,
  singleWordFixes,
  wordsOf,
} from './log-checksum.ts';
import { type ByteOrder, type Frame, frameHeaderBytes, framesOf, type LogSalts, logHeaderBytes } from './log-frame.ts';

/**
 * Of a new database. A sale changes some bytes of each of its pages, and whole pages go to the log: with SQLite's default
 * of 4096 a till's disk would write almost twice as much.
 */
export const newPageBytes = 2048;
/** The page sizes that databases of ours have. One that was made with another keeps it. */
export const pageSizes: readonly [number, ...number[]] = [newPageBytes, 4096];
const magicLittleEndian = 0x377f0682;
const magicBigEndian = 0x377f0683;
const formatVersion = 3007000;

/** How long a log of so many frames is. */
export function logBytes(frameCount: number, pageBytes: number): number {
  return frameCount === 0 ? 0 : logHeaderBytes + frameCount * (frameHeaderBytes + pageBytes);
}

/** A write-ahead log (the `-wal` file beside a database) as it lies on the disk. */
export interface LogReading {
  /** Of the database that it belongs to; null when nothing was ever written to it. */
  readonly pageBytes: number | null;
  /** Null when nothing was ever written to it. */
  readonly salts: LogSalts | null;
  /** The checksum after each frame of the unbroken chain, up to its last commit. */
  readonly checksums: readonly LogChecksum[];
  /** What those frames make of each page. */
  readonly pages: ReadonlyMap<number, Buffer>;
  /** How many pages the database has after the last commit; null without one. */
  readonly pageCount: number | null;
  /** In each of those frames that has the header (see header-mark.ts), in their order. */
  readonly headers: readonly HeaderStand[];
  /** What intact frames behind the last such commit make of each page: not what SQLite takes in. */
  readonly laterPages: ReadonlyMap<number, Buffer>;
  /** Up to which frame it can be read, with what is broken between. */
  readonly intactTo: number;
  /** Why it is not as it was written: something that no kill and no power cut leaves. Null when there is no such sign. */
  readonly damage: string | null;
}

const nothing: LogReading = {
  pageBytes: null,
  salts: null,
  checksums: [],
  pages: new Map(),
  pageCount: null,
  headers: [],
  laterPages: new Map(),
  intactTo: 0,
  damage: null,
};

interface Header {
  readonly salts: LogSalts;
  /** Null when it is not known: the first frame cannot be checked then. */
  readonly checksum: LogChecksum | null;
  readonly damage: string | null;
}

/** Reads the log of a database (format: "The Write-Ahead Log" in sqlite.org/fileformat2). Changes nothing. */
export function readLog(path: string): LogReading {
  return parseLog(readOrNothing(path));
}

export function parseLog(bytes: Buffer): LogReading {
  const headPageBytes = bytes.length < logHeaderBytes ? 0 : bytes.readUInt32BE(8);
  const sizes = pageSizes.toSorted((one, other) => Number(other === headPageBytes) - Number(one === headPageBytes));
  let best = nothing;
  for (const size of sizes) {
    const reading = parseWith(bytes, size);
    if (size === headPageBytes && reading.damage === null) return reading;
    // A damaged head tells a wrong size, or none: with the right one more frames are as they were written.
    if (best === nothing || framesIn(reading) > framesIn(best)) best = reading;
  }
  return best;
}

function framesIn({ checksums, laterPages }: LogReading): number {
  return checksums.length + laterPages.size;
}

function parseWith(bytes: Buffer, pageBytes: number): LogReading {
  const order = byteOrderOf(bytes);
  const frames = framesOf(bytes, pageBytes, order);
  const header = headerOf(bytes, frames, { pageBytes, order });
  if (header === null) return nothing;
  const { salts } = header;
  let checksum = header.checksum;
  let damage = header.damage;
  const checksums: LogChecksum[] = [];
  const newest = new Map<number, Frame>();
  const headers: HeaderStand[] = [];
  let pageCount: number | null = null;
  let underWay: Frame[] = [];
  let committed = 0;
  let at = 0;
  for (; at < frames.length; at += 1) {
    const frame = frames[at];
    if (frame === undefined) break;
    const checked = check(frame, checksum, { salts, order, next: frames[at + 1] });
    if (checked === null) break;
    if (checked.isMended) damage ??= `frame ${at + 1} of the log has changed`;
    checksum = checked.frame.stored;
    checksums.push(checksum);
    underWay.push(checked.frame);
    const { committedPages } = checked.frame;
    if (committedPages === 0) continue;
    for (const written of underWay) {
      newest.set(written.pageNumber, written);
      if (written.pageNumber === 1) headers.push(headerStandIn(written.page));
    }
    underWay = [];
    pageCount = committedPages;
    committed = at + 1;
  }
  const later = new Map<number, Frame>();
  for (const written of underWay) later.set(written.pageNumber, written);
  const behind = linkedFrames(frames.slice(at), salts);
  for (const { frame } of behind.intact) later.set(frame.pageNumber, frame);
  const intactTo = at + (behind.intact.at(-1)?.number ?? 0);
  if (behind.isWrittenAfterCommit) damage ??= `frame ${at + 1} of the log is broken, and commits stand behind it`;
  return {
    pageBytes,
    salts,
    checksums: checksums.slice(0, committed),
    pages: pagesOf(newest),
    pageCount,
    headers,
    laterPages: pagesOf(later),
    intactTo,
    damage,
  };
}

function pagesOf(frames: ReadonlyMap<number, Frame>): ReadonlyMap<number, Buffer> {
  return new Map(Array.from(frames, ([number, { page }]) => [number, page]));
}

/**
 * Frames behind a break that are of this round and as they were written, each told by the checksum of the one before it.
 * A commit is synced before the next one is begun, so a frame that was written on top of a commit proves that the broken
 * one had reached the disk whole: a power cut tears the last commit alone, and what a failed commit leaves behind is
 * linked to nothing that came later.
 */
function linkedFrames(
  frames: readonly Frame[],
  salts: LogSalts,
): {
  readonly intact: readonly { readonly frame: Frame; readonly number: number }[];
  readonly isWrittenAfterCommit: boolean;
} {
  const intact: { readonly frame: Frame; readonly number: number }[] = [];
  let isWrittenAfterCommit = false;
  for (const [index, frame] of frames.entries()) {
    const before = frames[index - 1];
    if (before === undefined || !frame.isOfRound(salts)) continue;
    if (!isSameChecksum(frame.checksumAfter(before.stored), frame.stored)) continue;
    intact.push({ frame, number: index + 1 });
    if (before.isOfRound(salts) && before.committedPages !== 0) isWrittenAfterCommit = true;
  }
  return { intact, isWrittenAfterCommit };
}

interface Round {
  readonly salts: LogSalts;
  readonly order: ByteOrder;
  readonly next: Frame | undefined;
}

/** @param before null: taken as it is @returns null when it is not the next frame of the chain */
function check(
  frame: Frame,
  before: LogChecksum | null,
  round: Round,
): { readonly frame: Frame; readonly isMended: boolean } | null {
  if (before === null) return { frame, isMended: false };
  const computed = frame.checksumAfter(before);
  const isOwn = frame.isOfRound(round.salts);
  // The salts are not in the sum: with the right sum over everything before it, it can be no frame of another round.
  if (isSameChecksum(computed, frame.stored)) return { frame, isMended: !isOwn };
  if (!isOwn) return null;
  const mended = mend(frame, computed, { before, ...round });
  return mended === null ? null : { frame: mended, isMended: true };
}

/** A frame of which one word has changed, as it was written; null when it is not that, or could be repaired in two ways. */
function mend(
  frame: Frame,
  computed: LogChecksum,
  { before, order, salts, next }: Round & { readonly before: LogChecksum },
): Frame | null {
  const isFollowedFrom = (checksum: LogChecksum): boolean =>
    next?.isOfRound(salts) === true && isSameChecksum(next.checksumAfter(checksum), next.stored);
  // The checksum itself has changed: the next frame was written after the right one.
  const isOneSumRight = computed.s1 === frame.stored.s1 || computed.s2 === frame.stored.s2;
  if (isFollowedFrom(computed) || (isOneSumRight && next === undefined)) return frame.withChecksum(computed);
  const [fix, ...others] = singleWordFixes(frame.wordCount, { computed, stored: frame.stored });
  if (fix === undefined || others.length > 0) return null;
  const mended = frame.withWord(fix, order);
  return isSameChecksum(mended.checksumAfter(before), frame.stored) ? mended : null;
}

/**
 * The head is synced before the first frame of its round is written: with frames of a round behind it, one that is not
 * sound has been damaged.
 */
function headerOf(
  bytes: Buffer,
  frames: readonly Frame[],
  { pageBytes, order }: { readonly pageBytes: number; readonly order: ByteOrder },
): Header | null {
  const [first, second] = frames;
  if (first === undefined) return null;
  const magic = bytes.readUInt32BE(0);
  const stored = { s1: bytes.readUInt32BE(24), s2: bytes.readUInt32BE(28) };
  const salts = { first: bytes.readUInt32BE(16), second: bytes.readUInt32BE(20) };
  const isKnown = (magic === magicLittleEndian || magic === magicBigEndian) && bytes.readUInt32BE(4) === formatVersion;
  const isSound =
    isKnown &&
    bytes.readUInt32BE(8) === pageBytes &&
    isSameChecksum(checksumOver(wordsOf(bytes.subarray(0, 24), order), firstChecksum), stored);
  if (isSound) return { salts, checksum: stored, damage: null };
  const isWritten =
    second === undefined
      ? first.isOfRound(salts) && isSameChecksum(first.checksumAfter(stored), first.stored)
      : second.isOfRound(first.salts) && isSameChecksum(second.checksumAfter(first.stored), second.stored);
  const damage = 'the head of the log is damaged';
  // A round that was never begun: what stands behind is of an earlier one, and in the database since long.
  if (!isWritten) return first.isOfRound(salts) ? { salts, checksum: stored, damage } : null;
  return { salts: first.salts, checksum: null, damage };
}

/** A head whose first word is damaged tells nothing; SQLite writes in the order of the machine, which is this one nearly always. */
function byteOrderOf(bytes: Buffer): ByteOrder {
  return { isLittleEndian: bytes.length < 4 || bytes.readUInt32BE(0) !== magicBigEndian };
}

function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
