import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countLogBytes } from './log-bytes.ts';

const pageBytes = 4_096;
const frameBytes = pageBytes + 24;

describe('the counter of log bytes', () => {
  let folder: string;
  let path: string;
  let database: Database;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-bytes-'));
    path = join(folder, 'some.sqlite');
    database = new BetterSqlite3(path);
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB)');
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (bytes: number) => database.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(?))').run(bytes);

  it('counts a page for a commit that changes one', () => {
    const counter = countLogBytes(path);
    insert(10);
    expect(counter.bytes()).toBe(frameBytes);
    insert(10);
    expect(counter.bytes()).toBe(2 * frameBytes);
  });

  it('counts as much as the log grows', () => {
    const logBytes = () => statSync(`${path}-wal`).size;
    const before = logBytes();
    const counter = countLogBytes(path);
    for (let commit = 0; commit < 20; commit += 1) insert(20_000);
    expect(counter.bytes()).toBe(logBytes() - before);
    expect(counter.bytes()).toBeGreaterThan(20 * 20_000);
  });

  it('counts nothing when nothing is written, nor what was rolled back', () => {
    const counter = countLogBytes(path);
    database.exec('BEGIN; INSERT INTO blobs (bytes) VALUES (zeroblob(50000)); ROLLBACK');
    database.prepare('SELECT count(*) FROM blobs').get();
    expect(counter.bytes()).toBe(0);
  });

  it('refuses to count across a new beginning of the log', () => {
    const counter = countLogBytes(path);
    insert(10);
    database.pragma('wal_checkpoint(TRUNCATE)');
    insert(10);
    expect(() => counter.bytes()).toThrow('began anew');
  });
});
