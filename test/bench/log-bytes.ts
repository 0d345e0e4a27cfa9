import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** Counts what commits append to the log of a database that stays open meanwhile. */
interface LogCounter {
  /**
   * Bytes since the counter was made, frames with their heads.
   *
   * @throws when the log began again meanwhile: what was written before cannot be told
   */
  bytes(): number;
}

interface LogIndex {
  /** Frames that are committed. */
  readonly frames: number;
  readonly pageBytes: number;
  /** Another pair for each beginning of the log. */
  readonly salts: string;
}

/** What stands before each page in the log (sqlite.org/fileformat.html#the_wal_file_format). */
const frameHeadBytes = 24;
/** Of the header of the index, of which there are two copies (sqlite.org/walformat.html#the_wal_index_file_format). */
const headerBytes = 48;

/** @param databasePath of a database in WAL mode that has been written to since it was opened */
export function countLogBytes(databasePath: string): LogCounter {
  const start = readLogIndex(databasePath);
  return {
    bytes() {
      const now = readLogIndex(databasePath);
      if (now.salts !== start.salts) throw new Error('The log began anew while its bytes were counted; count fewer');
      return (now.frames - start.frames) * (now.pageBytes + frameHeadBytes);
    },
  };
}

/** The index beside the log, which every connection of every program shares, in this machine's byte order. */
function readLogIndex(databasePath: string): LogIndex {
  const bytes = Buffer.alloc(2 * headerBytes);
  const file = openSync(`${databasePath}-shm`, 'r');
  try {
    const read = readSync(file, bytes, 0, bytes.length, 0);
    if (read < bytes.length) throw new Error(`${databasePath}-shm has no header`);
  } finally {
    closeSync(file);
  }
  if (!bytes.subarray(0, headerBytes).equals(bytes.subarray(headerBytes))) {
    throw new Error(`${databasePath}-shm was read in the middle of a commit`);
  }
  const isLittle = endianness() === 'LE';
  const number16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const number32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const pageBytes = number16(14);
  return {
    frames: number32(16),
    // 65,536 does not fit: it stands as 1.
    pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    salts: bytes.toString('hex', 32, 40),
  };
}
