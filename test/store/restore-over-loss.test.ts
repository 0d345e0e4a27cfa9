import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { replaceDatabase } from '../../app/store/carrying/recover-database.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { rowTimeMs } from '../support/core-rows.ts';
import { copyFiles, sell } from '../support/lying-files.ts';
import { folder, options, others, own, start, useTwoTills } from '../support/two-tills.ts';

const strayLog = 'till.stray-log-20261120T181400.sqlite-wal';

useTwoTills();
let backup: string;
beforeEach(() => {
  backup = folder.file('till.backup');
});

/** Backed up after the first of three times, and copied whole while the first one runs and after the second one. */
async function sellThrice(end: 'closed' | 'killed'): Promise<void> {
  const first = start(own);
  await sell(first, 'ONE', 5);
  await backUp(own, backup, { mode: 'sandbox', nowMs: options.nowMs });
  copyFiles(join(own, '..'), folder.file('first'));
  first.close();
  const second = start(own);
  await sell(second, 'TWO', 4);
  second.close();
  copyFiles(join(own, '..'), folder.file('second'));
  start(own).close();
  const third = start(own);
  await sell(third, 'THREE', 7);
  copyFiles(join(own, '..'), folder.file('left'));
  third.close();
  if (end === 'killed') copyFiles(folder.file('left'), join(own, '..'));
}

async function putOthersHere(): Promise<void> {
  const store = start(others);
  await sell(store, 'OTHERS', 3);
  store.close();
  copyFileSync(others, own);
}

const putBack = (time: 'first' | 'second', part: '' | '-wal') =>
  copyFileSync(folder.file(join(time, `till.sqlite${part}`)), own + part);

function restore() {
  return restoreBackup(backup, own, { ...options, mode: 'sandbox', trust: { kind: 'from_elsewhere' } });
}

it.each([
  ['the log is gone', 'killed', () => rmSync(`${own}-wal`), null],
  ['an older log lies in the place of the one that was there', 'killed', () => putBack('first', '-wal'), strayLog],
  ['an older copy lies under the log', 'killed', () => putBack('second', ''), null],
  ['an older copy lies in its place', 'closed', () => putBack('second', ''), null],
  ['another till’s lies in its place', 'closed', putOthersHere, null],
  ['there is nothing in it', 'closed', () => writeFileSync(own, ''), null],
] as const)('a restore says that nobody knows how many are lost where %s', async (_, end, spoil, log) => {
  await sellThrice(end);
  await spoil();
  const { recovery, strayLog: putAside } = restore();
  expect(recovery).toMatchObject({ why: 'restored', unreadable: null });
  expect(putAside).toBe(log);
  const store = start(own);
  expect(store.recovery).toEqual(recovery);
  store.close();
});

it.each([
  ['all of it', ['', '-wal', '-shm', '-open'], null],
  ['the database without its log', ['', '-shm'], 'till.before-restore-20261120T181400.sqlite-wal'],
] as const)('a restore where somebody has deleted %s names no file that is not there', async (_, parts, kept) => {
  await sellThrice('killed');
  for (const part of parts) rmSync(own + part, { force: true });
  const { recovery } = restore();
  expect(recovery).toMatchObject({ why: 'restored', aside: kept });
  if (kept !== null) expect(existsSync(join(own, '..', kept))).toBe(true);
});

it.each(['closed', 'killed'] as const)(
  'a restore over a sound database that was %s says that none is lost',
  async (end) => {
    await sellThrice(end);
    const { recovery, strayLog: putAside } = restore();
    expect(recovery).toMatchObject({ carried: 11, unreadable: 0 });
    expect(putAside).toBeNull();
  },
);

function cutARestoreShort(): void {
  const draft = folder.file('draft.sqlite');
  copyFileSync(backup, draft);
  const how = { name: 'before-restore', why: 'restored', reason: 'may have been sent', nowMs: rowTimeMs } as const;
  replaceDatabase(own, draft, how);
}

it.each([
  ['of which an earlier restore was cut short', cutARestoreShort, { carried: 11, unreadable: 0 }],
  ['in whose place an older copy lies', () => putBack('second', ''), { carried: 4, unreadable: null }],
] as const)(
  'a restore over a database %s changes nothing while another program has it locked',
  async (_, spoil, told) => {
    await sellThrice('closed');
    spoil();
    const viewer = new BetterSqlite3(own);
    viewer.pragma('locking_mode = EXCLUSIVE');
    viewer.exec('BEGIN EXCLUSIVE');
    try {
      expect(restore).toThrow('is locked by another program');
    } finally {
      viewer.close();
    }
    const { recovery, earlier } = restore();
    expect({ ...recovery, ...earlier }).toMatchObject(told);
  },
);

it('a restore names the log that was not of a soundly closed database, and misses nothing', async () => {
  await sellThrice('closed');
  putBack('first', '-wal');
  const { recovery, strayLog: putAside } = restore();
  expect(recovery).toMatchObject({ carried: 11, unreadable: 0 });
  expect(putAside).toBe(strayLog);
  expect(existsSync(join(own, '..', strayLog))).toBe(true);
});
