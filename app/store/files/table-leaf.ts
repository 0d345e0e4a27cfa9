/** A value as it stands in a row of SQLite. */
export type StoredValue = string | number | Buffer | null;

/** A row of a table, in the order of its columns. What was added to the table after the row is missing. */
interface LeafRow {
  /** The integer key, whose own column is null. */
  readonly key: number;
  readonly values: readonly StoredValue[];
}

/** The kind of a page that holds rows of a table ("B-tree Pages" in sqlite.org/fileformat2). */
const leafOfTable = 13;
const pageHeadBytes = 8;

/**
 * The rows that a page holds, read without the table that it belongs to; none where it is no such page.
 *
 * @param pageOf gives the pages on which long rows go on; a row of which one is missing is left out
 */
export function rowsOfLeaf(page: Buffer, pageOf: (page: number) => Buffer | undefined): readonly LeafRow[] {
  if (page[0] !== leafOfTable) return [];
  const cellCount = page.readUInt16BE(3);
  return Array.from({ length: cellCount }, (_, cell) => rowOrNothing(page, cell, pageOf)).flat();
}

function rowOrNothing(
  page: Buffer,
  cell: number,
  pageOf: (page: number) => Buffer | undefined,
): LeafRow | readonly never[] {
  try {
    const size = varintAt(page, page.readUInt16BE(pageHeadBytes + 2 * cell));
    const key = varintAt(page, size.end);
    return { key: key.value, values: valuesOf(payloadAt(page, key.end, { bytes: size.value, pageOf })) };
  } catch (error) {
    // It points to where no row can be.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** A row's bytes, also those that have no room in its page. @throws RangeError when not all of them are there */
function payloadAt(
  page: Buffer,
  at: number,
  { bytes, pageOf }: { readonly bytes: number; readonly pageOf: (page: number) => Buffer | undefined },
): Buffer {
  const localBytes = bytesInLeaf(bytes, page.length);
  const parts = [page.subarray(at, at + localBytes)];
  let left = bytes - localBytes;
  let next = left > 0 ? page.readUInt32BE(at + localBytes) : 0;
  const before = new Set<number>();
  while (left > 0) {
    // Pages that lead round to each other would have no end.
    const more = before.has(next) ? undefined : pageOf(next);
    if (more === undefined) throw new RangeError(`Page ${next} is not there, or came before`);
    before.add(next);
    const part = more.subarray(4, 4 + left);
    parts.push(part);
    left -= part.length;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** "Cell Payload Overflow Pages" in fileformat2. */
function bytesInLeaf(bytes: number, pageBytes: number): number {
  if (bytes <= pageBytes - 35) return bytes;
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const wanted = least + ((bytes - least) % (pageBytes - 4));
  return wanted <= pageBytes - 35 ? wanted : least;
}

/** "Record Format" in fileformat2. @throws RangeError when it is no record */
function valuesOf(record: Buffer): readonly StoredValue[] {
  const head = varintAt(record, 0);
  const values: StoredValue[] = [];
  let bodyAt = head.value;
  for (let at = head.end; at < head.value; ) {
    const kind = varintAt(record, at);
    at = kind.end;
    const { value, bytes } = valueAt(record, bodyAt, kind.value);
    values.push(value);
    bodyAt += bytes;
  }
  if (bodyAt !== record.length) throw new RangeError('A record ends with its last value');
  return values;
}

const integerBytes: readonly number[] = [0, 1, 2, 3, 4, 6, 8];

function valueAt(record: Buffer, at: number, kind: number): { readonly value: StoredValue; readonly bytes: number } {
  if (kind === 0) return { value: null, bytes: 0 };
  if (kind === 7) return { value: record.readDoubleBE(at), bytes: 8 };
  if (kind === 8 || kind === 9) return { value: kind - 8, bytes: 0 };
  const bytes = integerBytes[kind];
  if (bytes === 8) return { value: Number(record.readBigInt64BE(at)), bytes };
  if (bytes !== undefined) return { value: record.readIntBE(at, bytes), bytes };
  const length = Math.floor((kind - 12) / 2);
  if (length < 0 || at + length > record.length) throw new RangeError(`No value of kind ${kind}`);
  const content = record.subarray(at, at + length);
  return { value: kind % 2 === 1 ? content.toString('utf8') : content, bytes: length };
}

/** @throws RangeError behind the end */
function varintAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let place = 0; place < 8; place += 1) {
    const byte = bytes.readUInt8(at + place);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + place + 1 };
  }
  // Nine bytes are a negative number, or one that no row of ours has.
  throw new RangeError('The number is too large');
}
