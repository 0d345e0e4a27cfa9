import {
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilesInPlace } from '../../app/store/database/files-in-place.ts';
import { FolderWatch } from '../../app/store/database/folder-watch.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { OpenMarker } from '../../app/store/files/open-marker.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { moveMonotonic } from '../support/moved-monotonic.ts';

const asked: string[] = [];
vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  const statSync = ((path: string, options: object): Stats | undefined => {
    asked.push(path);
    return fs.statSync(path, options);
  }) as typeof fs.statSync;
  return { ...fs, statSync };
});

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

describe('a folder that is watched', () => {
  let nowMs = 0;
  const watched = (): FolderWatch => {
    nowMs = 0;
    return new FolderWatch(folder.path, () => nowMs);
  };
  /** The folder is left alone until it can be relied on. */
  const leftAlone = (): FolderWatch => {
    const watch = watched();
    watch.isUnchanged();
    nowMs += 3_000;
    watch.isUnchanged();
    return watch;
  };

  it('is relied on once a further change would surely show', () => {
    const watch = watched();
    expect(watch.isUnchanged()).toBe(false);
    nowMs = 100;
    expect(watch.isUnchanged()).toBe(false);
    nowMs = 101;
    // Something may have changed after the first look, within the same tick of the clock: one more look.
    expect(watch.isUnchanged()).toBe(false);
    expect(watch.isUnchanged()).toBe(true);
    expect(watch.isUnchanged()).toBe(true);
  });

  it('is not relied on for longer where times are kept in whole seconds', () => {
    utimesSync(folder.path, 1_700_000_000, 1_700_000_000);
    const watch = watched();
    watch.isUnchanged();
    nowMs = 2_500;
    watch.isUnchanged();
    expect(watch.isUnchanged()).toBe(false);
    nowMs = 2_501;
    watch.isUnchanged();
    expect(watch.isUnchanged()).toBe(true);
  });

  it.each([
    ['a file is made', () => writeFileSync(folder.file('new'), '')],
    ['a file is deleted', () => rmSync(folder.file('kept'))],
    ['a file is renamed', () => renameSync(folder.file('kept'), folder.file('renamed'))],
    ['a file takes the place of another', () => renameSync(folder.file('other'), folder.file('kept'))],
    [
      'a file is deleted and the time put back',
      () => {
        rmSync(folder.file('kept'));
        utimesSync(folder.path, 0, 0);
      },
    ],
    ['it is deleted itself', () => rmSync(folder.path, { recursive: true })],
    [
      'another folder takes its place',
      () => {
        renameSync(folder.path, `${folder.path}-renamed`);
        mkdirSync(folder.path);
        rmSync(`${folder.path}-renamed`, { recursive: true });
      },
    ],
  ])('says so for as long as it takes when %s', (_, change) => {
    for (const name of ['kept', 'other']) writeFileSync(folder.file(name), '');
    // As if long ago: the test's own clock has gone on, the kernel's may stand at the same tick still.
    utimesSync(folder.path, 1_700_000_000.25, 1_700_000_000.25);
    const watch = leftAlone();
    expect(watch.isUnchanged()).toBe(true);
    change();
    expect(watch.isUnchanged()).toBe(false);
    expect(watch.isUnchanged()).toBe(false);
    nowMs += 100;
    expect(watch.isUnchanged()).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('the files of an open database', () => {
  const open = () => {
    const path = folder.file('till.sqlite');
    const database = openDatabase(path);
    const marker = new OpenMarker(path, { generation: 1, deviceId: 'till_1' });
    const files = new FilesInPlace(path);
    const commit = () => {
      database.exec(`INSERT INTO meta (key, value) VALUES (hex(randomblob(8)), hex(randomblob(4000)))`);
      marker.note();
    };
    const passTime = () => {
      moveMonotonic((realMs) => realMs + 10_000);
    };
    commit();
    // As if long ago: the kernel's clock may stand at the same tick when the next change comes.
    utimesSync(folder.path, 1_700_000_000.25, 1_700_000_000.25);
    files.state(marker);
    passTime();
    files.state(marker);
    asked.length = 0;
    return {
      path,
      database,
      files,
      commit,
      state: () => files.state(marker),
      close: () => {
        database.close();
        files.close();
        marker.close({ generation: null });
      },
    };
  };

  it('are not asked for their times while nothing happens in their folder', () => {
    const { path, commit, state, close } = open();
    for (let sale = 0; sale < 5; sale += 1) {
      expect(state()).toBe('in_place');
      commit();
    }
    expect(asked).toEqual(Array.from({ length: 5 }, () => folder.path));
    copyFileSync(path, `${path}.copy`);
    expect(state()).toBe('in_place');
    expect(asked).toContain(path);
    close();
  });

  it('stay found as gone, as often as one looks', () => {
    const { path, state, close } = open();
    rmSync(path);
    for (let look = 0; look < 4; look += 1) expect(state()).toBe('gone');
    writeFileSync(path, 'another');
    for (let look = 0; look < 4; look += 1) expect(state()).toBe('gone');
    close();
  });

  it('are found cut when only what a checkpoint has written is missing', () => {
    const { path, database, commit, state, close } = open();
    for (let sale = 0; sale < 20; sale += 1) commit();
    expect(state()).toBe('in_place');
    expect(database.pragma('wal_checkpoint(PASSIVE)')).toMatchObject([{ busy: 0 }]);
    commit();
    // As long as it was at the start.
    expect(state()).toBe('in_place');
    truncateSync(path, newPageBytes * 50);
    expect(state()).toBe('cut');
    close();
  });
});
