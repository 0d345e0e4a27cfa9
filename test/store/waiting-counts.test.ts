import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { countWaiting } from '../../app/store/copies/waiting-counts.ts';
import { openStore } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const path = () => folder.file('sandbox.sqlite');
const count = () => countWaiting(folder.path, 'sandbox');

it('nothing waits where no database is, or none came to be: a first start made its file on a full disk', () => {
  expect(count()).toBe(0);
  writeFileSync(path(), '');
  expect(count()).toBe(0);
});

it('nobody knows how many wait in a database that was emptied, has a log beside it, or cannot be read', () => {
  writeFileSync(path(), '');
  writeFileSync(`${path()}-wal`, 'sales');
  expect(count()).toBeNull();
  rmSync(`${path()}-wal`, { force: true });
  writeFileSync(path(), 'no database');
  expect(count()).toBeNull();
  rmSync(path());
  openStore(path(), { random: systemRandom(), nowMs: rowTimeMs }).close();
  expect(count()).toBe(0);
  for (const part of ['', '-wal']) writeFileSync(path() + part, '');
  expect(count()).toBeNull();
});

it('nobody knows how many wait where a database was deleted, or what is left beside it holds some', () => {
  openStore(path(), { random: systemRandom(), nowMs: rowTimeMs }).close();
  rmSync(path());
  expect(count()).toBeNull();
  rmSync(`${path()}-open`, { force: true });
  expect(count()).toBeNull();
  rmSync(folder.file('databases.json'), { force: true });
  expect(count()).toBe(0);
  for (const left of ['-wal', '.moving']) {
    writeFileSync(path() + left, 'sales');
    expect(count()).toBeNull();
    rmSync(path() + left);
  }
  expect(count()).toBe(0);
});
