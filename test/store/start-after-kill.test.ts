import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNotedOpen } from '../../app/store/known-databases.ts';
import { openDatabase } from '../../app/store/open.ts';
import { readOpenMarker } from '../../app/store/open-marker.ts';
import { newPageBytes } from '../../app/store/write-ahead-log.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { copyFiles, type LeftFiles, leftByAKill, startOn } from '../support/lying-files.ts';

const killedIn = temporaryFolder();
const work = temporaryFolder();
let killed: LeftFiles;
beforeAll(async () => {
  killed = await leftByAKill(killedIn, { count: 12, pageBytes: newPageBytes });
});
afterAll(() => {
  for (const folder of [killedIn, work]) folder.remove();
});

function opened(name: string) {
  const folder = work.file(name);
  copyFiles(killed.folder, folder);
  const path = join(folder, 'till.sqlite');
  return { folder, path, database: openDatabase(path) };
}

const startIn = (folder: string, what: string) =>
  startOn({ ...killed, folder }, { folder: work.file('started'), what, damage: () => undefined });

describe('a start after a kill', () => {
  it('leaves the note that the database is open as it is: the disk is not waited for', () => {
    const { path, database } = opened('noted');
    expect(isNotedOpen(path)).toBe(true);
    // The log may begin anew from here on, so nothing is said of it any more.
    expect(readOpenMarker(path)).toMatchObject({ isClean: false, log: null });
    database.close();
  });

  it('that goes no further than to the open database is no sign of damage', async () => {
    const { folder, database } = opened('closed');
    // With the last connection SQLite deletes the log.
    database.close();
    expect(await startIn(folder, 'closed at once')).toEqual({ missing: [], recovery: null });
  });

  it('that is killed with the open database is no sign of damage, either', async () => {
    const { folder, database } = opened('killed');
    const left = work.file('killed again');
    copyFiles(folder, left);
    database.close();
    expect(await startIn(left, 'killed at once')).toEqual({ missing: [], recovery: null });
  });
});
