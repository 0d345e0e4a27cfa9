import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { isNotedOpen } from '../../app/store/files/known-databases.ts';
import { readOpenMarker } from '../../app/store/files/open-marker.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { storeOn } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { copyFiles, type LeftFiles, leftByAKill, startOn } from '../support/lying-files.ts';

const options = { random: seededRandom(5), nowMs: rowTimeMs + 60_000 };
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
  it('leaves the note that the database is open as it is: it is not written again', () => {
    const { path, database } = opened('noted');
    expect(isNotedOpen(path)).toBe(true);
    // The log may begin anew from here on, so nothing is said of it any more.
    expect(readOpenMarker(path)).toMatchObject({ ending: { kind: 'open' }, log: null });
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

  it('that ended while it closed the database, with the log deleted already, is no sign of damage', async () => {
    const { folder, path, database } = opened('ending');
    const left = work.file('killed at the end');
    const close = database.close.bind(database);
    database.close = () => {
      close();
      copyFiles(folder, left);
      return database;
    };
    const store = storeOn(path, database, options);
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
    store.close();
    expect(existsSync(join(left, 'till.sqlite-wal'))).toBe(false);
    expect(await startIn(left, 'killed at the end')).toEqual({ missing: [], recovery: null });
  });
});
