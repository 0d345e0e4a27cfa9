import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { storeOn } from '../../app/store/store.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { copyFiles, type LeftFiles, leftByAKill } from '../support/lying-files.ts';
import { cuttableDisk } from '../support/power-cut.ts';

const disk = cuttableDisk();
if (disk === null)
  console.warn('No power was cut beside a marker: that takes root, mkfs.ext4, python3 and a loop mount.');

const options = { random: seededRandom(5), nowMs: rowTimeMs + 60_000 };
const killedIn = temporaryFolder();
let killed: LeftFiles;
beforeAll(async () => {
  killed = await leftByAKill(killedIn, { count: 12, pageBytes: newPageBytes });
});
afterAll(() => {
  disk?.remove();
  killedIn.remove();
});

/** Another program syncs a file: what became of names and lengths is on the disk with it, and not what was written over. */
function syncNames(folder: string): void {
  const other = openSync(join(folder, 'of-another-program'), 'w');
  fsyncSync(other);
  closeSync(other);
}

function syncAll(folder: string): void {
  for (const name of ['till.sqlite', 'till.sqlite-wal', 'till.sqlite-open', 'databases.json']) {
    if (!existsSync(join(folder, name))) continue;
    const file = openSync(join(folder, name), 'r');
    fsyncSync(file);
    closeSync(file);
  }
}

describe.runIf(disk !== null)('a power cut that brings back an earlier marker', () => {
  let isCut = false;
  const folder = join(disk?.path ?? '', 'till');
  const path = join(folder, 'till.sqlite');

  /** The files of a till that was killed, on the disk. */
  function killedTill(): void {
    copyFiles(killed.folder, folder);
    syncAll(folder);
  }

  function cut(): void {
    disk?.cut();
    isCut = true;
  }

  function afterwards() {
    disk?.comeBack();
    isCut = false;
    const store = openOrRecover(path, options);
    const { recovery } = store;
    const { operations } = store.activity.look({}, { limit: 5_000 }, store.operations.counts.read());
    store.close();
    const held = new Set(operations.map(({ externalRef }) => externalRef));
    return { missing: killed.acknowledged.filter((reference) => !held.has(reference)), recovery };
  }

  afterEach(() => {
    if (isCut) disk?.comeBack();
    isCut = false;
  });

  it('is no damage when the log had been taken into the database', () => {
    killedTill();
    openDatabase(path).close();
    syncNames(folder);
    cut();
    expect(afterwards()).toEqual({ missing: [], recovery: null });
  });

  it('is no damage when the log had been emptied after something was erased', async () => {
    killedTill();
    const store = openOrRecover(path, options);
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
    syncAll(folder);
    store.retention.tidy();
    syncNames(folder);
    cut();
    store.close();
    expect(afterwards()).toEqual({ missing: [], recovery: null });
  });

  it('is no damage when SQLite had deleted the log with the end of the till', async () => {
    killedTill();
    const database = openDatabase(path);
    const close = database.close.bind(database);
    database.close = () => {
      close();
      syncNames(folder);
      cut();
      return database;
    };
    const store = storeOn(path, database, options);
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
    syncAll(folder);
    store.close();
    expect(afterwards()).toEqual({ missing: [], recovery: null });
  });
});
