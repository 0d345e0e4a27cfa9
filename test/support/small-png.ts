import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureLength = 8;
/** Of a chunk around its data: length, name and checksum. */
const frameLength = 12;
const bytesPerPixel = 3;

/** Edges of what is drawn differ by so little from run to run; nobody sees it. */
const unseenDifference = 8;

/** Whether two pictures look the same. */
export function looksSame(one: Buffer, other: Buffer): boolean {
  const [rows, otherRows] = [rowsOf(one), rowsOf(other)];
  if (rows === null || rows.length !== otherRows?.length) return false;
  return rows.every((value, at) => Math.abs(value - (otherRows[at] ?? 0)) <= unseenDifference);
}

/**
 * The same picture in fewer bytes: a screen is flat areas, which pack best unfiltered (PNG specification, 9).
 *
 * @param png 8 bits of red, green and blue, not interlaced, as Chromium takes its pictures; any other is given back
 */
export function smallPng(png: Buffer): Buffer {
  const rows = rowsOf(png);
  const header = headerOf(readChunks(png));
  if (rows === null || header === null) return png;
  const packed = deflateSync(rows, { level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL });
  const kept = [chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))];
  const small = Buffer.concat([png.subarray(0, signatureLength), ...kept]);
  return small.length < png.length ? small : png;
}

interface Chunk {
  readonly name: string;
  readonly data: Buffer;
}

/** @returns null for a picture of another kind */
function headerOf(chunks: readonly Chunk[]): Buffer | null {
  const header = chunks.find(({ name }) => name === 'IHDR')?.data;
  return header === undefined || header.readUInt32BE(8) !== 0x08_02_00_00 ? null : header;
}

function rowsOf(png: Buffer): Buffer | null {
  const chunks = readChunks(png);
  const header = headerOf(chunks);
  if (header === null) return null;
  const parts = chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data);
  return unfiltered(inflateSync(Buffer.concat(parts)), header.readUInt32BE(0) * bytesPerPixel);
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureLength; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ name: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += frameLength + length;
  }
  return chunks;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(frameLength + data.length);
  framed.writeUInt32BE(data.length);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), 4 + named.length);
  return framed;
}

/** Each row begins with the name of its filter; they all become "none". */
function unfiltered(filtered: Buffer, rowLength: number): Buffer {
  const rows = Buffer.alloc(filtered.length);
  for (let start = 0; start < filtered.length; start += rowLength + 1) {
    const filter = filtered[start];
    for (let at = start + 1; at <= start + rowLength; at += 1) {
      const hasLeft = at > start + bytesPerPixel;
      const hasUp = start > 0;
      const left = hasLeft ? (rows[at - bytesPerPixel] ?? 0) : 0;
      const up = hasUp ? (rows[at - rowLength - 1] ?? 0) : 0;
      const upLeft = hasLeft && hasUp ? (rows[at - rowLength - 1 - bytesPerPixel] ?? 0) : 0;
      rows[at] = (filtered[at] ?? 0) + predicted(filter, { left, up, upLeft });
    }
  }
  return rows;
}

interface Neighbours {
  readonly left: number;
  readonly up: number;
  readonly upLeft: number;
}

function predicted(filter: number | undefined, { left, up, upLeft }: Neighbours): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - upLeft;
  const [byLeft, byUp, byUpLeft] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (byLeft <= byUp && byLeft <= byUpLeft) return left;
  return byUp <= byUpLeft ? up : upLeft;
}
