import type { HeaderMark } from './header-mark.ts';
import { indexHeadBytes, type LogExtent, logExtentOf } from './log-index.ts';

/**
 * The bytes of a marker (see open-marker.ts).
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
export const markerBytes = 88;
const earlierMagic = Buffer.from('TBopen1\0', 'latin1');
const earlierMarkerBytes = 64;
const generationAt = 8;
const endingAt = 12;
export const indexHeadAt = 16;
const deviceIdAt = 64;
const deviceIdBytes = 24;
const cleanEnd = 1;
const noMark = 0;
/** How it ended, and behind it the head: they are written together, since a mark says nothing beside the head of another log. */
export const notedLogAt = endingAt;
const notedLogBytes = indexHeadAt + indexHeadBytes - notedLogAt;

/** Whether it was closed in good order: then there is no log. */
type Ending =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'open';
      /** Of the database's file when this log began; null where nobody has noted it, as earlier versions did not. */
      readonly logBegunMark: HeaderMark | null;
    };

export interface OpenMarkerFacts {
  /** Grows with each opening and each clean end of the database, which keeps it too. */
  readonly generation: number;
  readonly ending: Ending;
  /** Null: nothing is known of a log. */
  readonly log: LogExtent | null;
  /** Of the database; null in what earlier versions wrote. */
  readonly deviceId: string | null;
}

/** One that tells of no log. */
export function encodeMarker(facts: {
  readonly generation: number;
  readonly isClean: boolean;
  readonly deviceId: string;
}): Buffer {
  const bytes = Buffer.alloc(markerBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(facts.generation, generationAt);
  bytes.writeUInt32LE(facts.isClean ? cleanEnd : noMark, endingAt);
  bytes.write(facts.deviceId, deviceIdAt, deviceIdBytes, 'latin1');
  return bytes;
}

/** @returns null for what is no marker */
export function decodeMarker(bytes: Buffer): OpenMarkerFacts | null {
  const isEarlier = isMarker(bytes, earlierMagic, earlierMarkerBytes);
  if (!isEarlier && !isMarker(bytes, magic, markerBytes)) return null;
  return {
    generation: bytes.readUInt32LE(generationAt),
    ending: endingIn(bytes),
    log: logExtentOf(bytes.subarray(indexHeadAt)),
    deviceId: isEarlier ? null : deviceIdIn(bytes),
  };
}

/** What the marker of an open database says of its log. */
export interface NotedLog {
  readonly logBegunMark: HeaderMark | null;
  readonly indexHead: Buffer;
}

/** @returns what belongs at `notedLogAt` */
export function encodeNotedLog({ logBegunMark, indexHead }: NotedLog): Buffer {
  const bytes = Buffer.alloc(notedLogBytes);
  bytes.writeUInt32LE(logBegunMark ?? noMark);
  indexHead.copy(bytes, indexHeadAt - notedLogAt);
  return bytes;
}

/** @returns null for what is no marker of this version, and after a clean end */
export function decodeNotedLog(bytes: Buffer): NotedLog | null {
  if (!isMarker(bytes, magic, markerBytes)) return null;
  const ending = endingIn(bytes);
  if (ending.kind === 'clean') return null;
  return {
    logBegunMark: ending.logBegunMark,
    indexHead: bytes.subarray(indexHeadAt, indexHeadAt + indexHeadBytes),
  };
}

function isMarker(bytes: Buffer, start: Buffer, length: number): boolean {
  return bytes.length === length && bytes.subarray(0, start.length).equals(start);
}

function endingIn(bytes: Buffer): Ending {
  const end = bytes.readUInt32LE(endingAt);
  return end === cleanEnd ? { kind: 'clean' } : { kind: 'open', logBegunMark: end === noMark ? null : end };
}

function deviceIdIn(bytes: Buffer): string | null {
  const text = bytes.toString('latin1', deviceIdAt, deviceIdAt + deviceIdBytes).replace(/\0+$/, '');
  return text === '' ? null : text;
}
