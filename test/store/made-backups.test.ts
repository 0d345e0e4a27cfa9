import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeOldBackups } from '../../app/backups/backup-files.ts';
import { noteLastBackup } from '../../app/backups/last-backup.ts';
import { madeBackups } from '../../app/backups/made-backups.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let share: string;
let database: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.file('data'));
  mkdirSync(folder.file('share'));
  share = folder.file('share');
  database = folder.file('data/sandbox.sqlite');
});
afterEach(() => folder.remove());

/** A till whose database is made again in the place of what was there. @returns its device id */
function newDatabase(): string {
  for (const end of ['', '-wal', '-shm', '-open']) rmSync(`${database}${end}`, { force: true });
  const store = openOrRecover(database, { random: systemRandom(), nowMs: 1 });
  const { deviceId } = store.identity;
  store.close();
  return deviceId;
}

async function backup(day: number): Promise<string> {
  const file = join(share, `till1-sandbox-2026112${day}T030000Z.backup`);
  const facts = { mode: 'sandbox', nowMs: day, tillKey: Buffer.alloc(32, 1) } as const;
  await backUp(database, file, facts);
  return file;
}

it('counts backups of a database that stood in this place before among this till’s', async () => {
  newDatabase();
  const before = await backup(1);
  const deviceId = newDatabase();
  const after = await backup(2);
  expect(madeBackups(folder.file('data'), share)).toEqual({ files: [before, after], leftOut: [] });
  const old = { deviceRef: 'till1', deviceIds: new Set([deviceId]), mode: 'sandbox', keep: 2, newest: '' } as const;
  expect(removeOldBackups(share, old)).toEqual([]);
});

it('leaves out what another till, or another program, has put there, though it cannot be read', async () => {
  newDatabase();
  const own = await backup(1);
  for (const name of ['till2-sandbox-20261121T030000Z.backup', 'router.backup']) writeFileSync(join(share, name), 'x');
  expect(madeBackups(folder.file('data'), share)).toEqual({ files: [own], leftOut: [] });
});

it('names what may hold backups and cannot be read: a noted one, a damaged one, a folder; not a noted one that is gone', async () => {
  newDatabase();
  const own = await backup(1);
  const noted = folder.file('moved');
  writeFileSync(noted, 'no database');
  const damaged = await backup(2);
  writeFileSync(damaged, readFileSync(damaged).subarray(0, 1_000));
  writeFileSync(join(share, 'notes.txt'), 'no backup');
  for (const file of [noted, join(share, 'gone.backup'), folder.file('share2/gone.backup')]) {
    noteLastBackup(folder.file('data'), 'sandbox', { made_at_ms: 1, file, operations: 1 });
  }
  expect(madeBackups(folder.file('data'), `${share}/`)).toEqual({
    files: [own],
    leftOut: [
      { path: folder.file('share2'), why: expect.stringContaining('cannot be read') },
      { path: noted, why: expect.stringContaining('noted as a backup') },
      { path: damaged, why: expect.stringContaining('the name of a backup') },
    ],
  });
});
