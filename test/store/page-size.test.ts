import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { likelyPageBytes } from '../../app/store/carrying/likely-page-size.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { pageSizes, parseLog } from '../../app/store/files/write-ahead-log.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { bytesOf, flip, leftByAKill, leftClosed, makeDatabase } from '../support/lying-files.ts';

const folders = [temporaryFolder()];
afterAll(() => {
  for (const folder of folders) folder.remove();
});
const newFolder = () => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};
const pageSizeOf = (path: string) => {
  const database = new BetterSqlite3(path, { readonly: true });
  const bytes = database.pragma('page_size', { simple: true });
  database.close();
  return bytes;
};

it('a new database has small pages, and an older one keeps its own', () => {
  const folder = newFolder();
  openDatabase(folder.file('new.sqlite')).close();
  expect(pageSizeOf(folder.file('new.sqlite'))).toBe(2_048);
  makeDatabase(folder.file('older.sqlite'), 4_096);
  for (let opening = 0; opening < 2; opening += 1) {
    const database = openDatabase(folder.file('older.sqlite'));
    expect(database.pragma('auto_vacuum', { simple: true })).toBe(2);
    database.close();
  }
  expect(pageSizeOf(folder.file('older.sqlite'))).toBe(4_096);
});

describe.each(pageSizes)('pages of %i bytes', (pageBytes) => {
  it('are known by a log whose head tells another size, or none', async () => {
    const { folder } = await leftByAKill(newFolder(), { count: 20, pageBytes });
    const log = bytesOf(`${folder}/till.sqlite-wal`);
    const sound = parseLog(log);
    expect(sound).toMatchObject({ pageBytes, damage: null });
    expect(sound.checksums.length).toBeGreaterThan(20);
    const other = pageSizes.find((size) => size !== pageBytes) ?? 0;
    for (const told of [other, 0, 0xeeeeeeee]) {
      const head = Buffer.from(log);
      head.writeUInt32BE(told, 8);
      const read = parseLog(head);
      expect(read).toMatchObject({ pageBytes, pageCount: sound.pageCount });
      expect(read.checksums).toHaveLength(sound.checksums.length);
      expect(read.damage).not.toBeNull();
    }
  });

  it('are known by what begins where, in a file whose header is gone', async () => {
    for (const count of [1, 5, 60]) {
      const { folder } = await leftClosed(newFolder(), { count, pageBytes });
      const path = `${folder}/till.sqlite`;
      writeFileSync(path, bytesOf(path).fill(0xee, 0, pageBytes));
      const file = openSync(path, 'r');
      expect(likelyPageBytes(file), `${count} sales`).toBe(pageBytes);
      closeSync(file);
    }
  });

  it('that the header tells wrongly are found out before SQLite believes it', async () => {
    const { folder } = await leftClosed(newFolder(), { count: 20, pageBytes });
    const path = `${folder}/till.sqlite`;
    const other = pageSizes.find((size) => size !== pageBytes) ?? 0;
    const bytes = Buffer.from(readFileSync(path));
    bytes.writeUInt16BE(other, 16);
    writeFileSync(path, bytes);
    // Half or twice as many pages as it says, or none that is whole.
    expect(() => openDatabase(path)).toThrow(/its header is damaged: the number of pages|the file was cut off/);
    writeFileSync(path, flip(bytesOf(path), 16, 0x20));
    expect(() => openDatabase(path)).toThrow('its header is damaged: the page size');
  });
});
