import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { readableCopies } from '../../app/store/carrying/readable-copy.ts';
import { readableRows } from '../../app/store/carrying/readable-rows.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { openStore } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

const saleCount = 1_500;
/** The kind of a page that holds rows ("B-tree Pages" in sqlite.org/fileformat2). */
const leafOfTable = 13;

const folder = temporaryFolder();
const sound = folder.file('sound.sqlite');
const damaged = folder.file('damaged.sqlite');
beforeAll(async () => {
  const store = openStore(sound, { random: seededRandom(3), nowMs: rowTimeMs });
  await store.writer.urgent(() => {
    for (let sale = 0; sale < saleCount; sale += 1) store.operations.insert(newRow(store.operations.takeRowId()));
  });
  store.close();
});
afterAll(() => folder.remove());

/** Stops at twice what was there: a reading that goes round and round would have no end. */
function keysRead(): readonly number[] {
  const keys: number[] = [];
  for (const copy of readableCopies(damaged, `${damaged}.reading`)) {
    for (const row of readableRows(copy, { table: 'operations', key: 'row_id' })) {
      keys.push(Number(row.row_id));
      if (keys.length > 2 * saleCount) return keys;
    }
  }
  return keys;
}

/** The pages that hold the rows, in the order of their keys. */
function leavesOfOperations(): readonly number[] {
  const database = new BetterSqlite3(sound);
  const leaves = database
    .prepare<[], number>(`SELECT pageno FROM dbstat WHERE name = 'operations' AND pagetype = 'leaf' ORDER BY path`)
    .pluck()
    .all();
  database.close();
  return leaves;
}

/** Where the key of a row stands: behind the row's length, two bytes as well in a page like ours. */
function keyAt(bytes: Buffer, page: number, which: 'first' | 'last'): number {
  const head = (page - 1) * newPageBytes;
  const cell = which === 'first' ? 0 : bytes.readUInt16BE(head + 3) - 1;
  return head + bytes.readUInt16BE(head + 8 + 2 * cell) + 2;
}

function expectEachOnce(what: string): void {
  const keys = keysRead();
  expect(keys.length, `${what}: each once`).toBe(new Set(keys).size);
  expect(
    keys.filter((key) => key < 1 || key > saleCount),
    `${what}: none that was never there`,
  ).toEqual([]);
}

describe('the rows that can be read of a damaged database', () => {
  it('come to an end, each once, when a page lost the half with its rows: they all seem to have the key 0', () => {
    const bytes = readFileSync(sound);
    const pages = Array.from({ length: bytes.length / newPageBytes }, (_, index) => index).filter(
      (index) => index > 0 && bytes[index * newPageBytes] === leafOfTable,
    );
    expect(pages.length).toBeGreaterThan(100);
    for (const page of pages.filter((_, index) => index % 10 === 0)) {
      const half = page * newPageBytes + newPageBytes / 2;
      writeFileSync(damaged, Buffer.from(bytes).fill(0, half, half + newPageBytes / 2));
      expectEachOnce(`page ${page + 1}`);
    }
  });

  it('come to an end, each once, when pages of two times stand beside each other: a key stands in both', () => {
    const leaves = leavesOfOperations();
    const middle = Math.floor(leaves.length / 2);
    // Rows are asked for one by one where a page a little farther on cannot be read.
    const broken = [leaves[middle - 3] ?? 0, leaves[middle + 3] ?? 0];
    const [before = 0, behind = 0] = leaves.slice(middle);
    for (const [to, from] of [
      [keyAt(readFileSync(sound), before, 'last'), keyAt(readFileSync(sound), behind, 'first')],
      [keyAt(readFileSync(sound), behind, 'first'), keyAt(readFileSync(sound), before, 'last')],
    ] as const) {
      for (const page of broken) {
        const bytes = readFileSync(sound);
        bytes.copy(bytes, to, from, from + 2);
        bytes.fill(0xee, (page - 1) * newPageBytes, page * newPageBytes);
        writeFileSync(damaged, bytes);
        expectEachOnce(`key at ${to}, page ${page}`);
      }
    }
  });

  it('come to an end, each once, wherever the file was cut', () => {
    const { length } = readFileSync(sound);
    for (const part of [0.9, 0.75, 0.5, 0.4, 0.25]) {
      copyFileSync(sound, damaged);
      truncateSync(damaged, Math.floor(length * part));
      expectEachOnce(`cut at ${part}`);
    }
  });
});
