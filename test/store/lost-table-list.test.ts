import { readFileSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore } from '../../app/store/store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

// The list of tables stands in the first page. A database that was made step by step has some of its roots elsewhere than
// one that was made in one.

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };
const days = ['2026-11-18', '2026-11-19'];

describe.each([
  ['in one', newPageBytes],
  ['step by step', newPageBytes],
  ['step by step', 4_096],
])('a database made %s, with pages of %i bytes,', (way, pageBytes) => {
  it('that has lost its list, and the roots by which the two ways are told apart, keeps sales and closed days', async () => {
    const path = folder.file('till.sqlite');
    if (way !== 'in one') {
      const database = new BetterSqlite3(path);
      for (const setting of [`page_size = ${pageBytes}`, 'auto_vacuum = INCREMENTAL']) database.pragma(setting);
      migrate(database);
      database.close();
    }
    const store = openStore(path, options);
    await store.writer.urgent(() => {
      for (let row = 1; row <= 5; row += 1) store.operations.insert(newRow(row));
      for (const businessDate of days) {
        const counted = { closedAtMs: rowTimeMs, closedBy: 'Sara', lastOperationId: null, openCount: 5 };
        store.days.insert({ businessDate, ...counted, lines: [], cashiers: [] }, null);
      }
    });
    store.close();
    const bytes = readFileSync(path);
    for (const page of [1, 29, 30]) bytes.fill(0, (page - 1) * pageBytes, page * pageBytes);
    writeFileSync(path, bytes);
    const mended = openOrRecover(path, options);
    expect(mended.recovery).toMatchObject({ carried: 5, unreadable: 0 });
    const closed = mended.days.closes({ limit: 10, before: null }).map(({ businessDate }) => businessDate);
    expect(closed.toSorted()).toEqual(days);
    mended.close();
  });
});
