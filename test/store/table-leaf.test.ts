import { expect, it } from 'vitest';
import { rowsOfLeaf } from '../../app/store/files/table-leaf.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';

const leafOfTable = 13;
const cellAt = 100;

/** A page with one row that says of itself that it is longer than any, and goes on in page 7. */
function leafWithEndlessRow(): Buffer {
  const page = Buffer.alloc(newPageBytes);
  page[0] = leafOfTable;
  page.writeUInt16BE(1, 3);
  page.writeUInt16BE(cellAt, 8);
  // The length, in sevens of bits, and the key. Where the next page stands depends on the length.
  const cell = Buffer.from([0xa1, 0x80, 0x80, 0x80, 0x80, 0x00, 0x01]);
  for (let at = cellAt + cell.length; at + 4 <= newPageBytes; at += 4) page.writeUInt32BE(7, at);
  cell.copy(page, cellAt);
  return page;
}

it.each([
  { what: 'itself', next: (page: number) => page },
  { what: 'a page before it', next: (page: number) => (page === 9 ? 7 : page + 1) },
])('a row that goes on in a page which leads to $what is left out', ({ next }) => {
  let asked = 0;
  const rows = rowsOfLeaf(leafWithEndlessRow(), (page) => {
    asked += 1;
    if (asked > 1_000) throw new Error('It has no end');
    const more = Buffer.alloc(newPageBytes);
    more.writeUInt32BE(next(page), 0);
    return more;
  });
  expect(rows).toEqual([]);
  expect(asked).toBeGreaterThan(0);
});
