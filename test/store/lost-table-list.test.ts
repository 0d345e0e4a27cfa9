import { readFileSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { migrations } from '../../app/store/migrations/index.ts';
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

/** @param made before the step that it is at now; `vacuumed`: VACUUM has put the roots in another order then */
function makeEarlier(path: string, made: { pageBytes: number; version: number; vacuumed: boolean }): void {
  const database = new BetterSqlite3(path);
  for (const setting of [`page_size = ${made.pageBytes}`, 'auto_vacuum = INCREMENTAL']) database.pragma(setting);
  migrate(
    database,
    migrations.filter(({ version }) => version <= made.version),
  );
  if (made.vacuumed) database.exec('VACUUM');
  migrate(database);
  database.close();
}

async function fill(path: string): Promise<void> {
  const store = openStore(path, options);
  await store.writer.urgent(() => {
    for (let row = 1; row <= 5; row += 1) store.operations.insert(newRow(row));
    for (const businessDate of days) {
      const counted = { closedAtMs: rowTimeMs, closedBy: 'Sara', lastOperationId: null, openCount: 5 };
      store.days.insert({ businessDate, ...counted, lines: [], cashiers: [] }, null);
    }
  });
  store.close();
}

function losePages(path: string, pages: readonly number[], pageBytes: number): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(0, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}

function expectAllMended(path: string): void {
  const mended = openOrRecover(path, options);
  expect(mended.recovery).toMatchObject({ carried: 5, unreadable: 0 });
  const closed = mended.days.closes({ limit: 10, before: null }).map(({ businessDate }) => businessDate);
  expect(closed.toSorted()).toEqual(days);
  mended.close();
}

describe.each([
  ['in one', newPageBytes],
  ['step by step', newPageBytes],
  ['step by step', 4_096],
])('a database made %s, with pages of %i bytes,', (way, pageBytes) => {
  it('that has lost its list, and the roots by which the two ways are told apart, keeps sales and closed days', async () => {
    const path = folder.file('till.sqlite');
    if (way !== 'in one') makeEarlier(path, { pageBytes, version: 0, vacuumed: false });
    await fill(path);
    losePages(path, [1, 29, 30], pageBytes);
    expectAllMended(path);
  });
});

it.each(migrations.map(({ version }) => version))(
  'a database whose roots were put in order by VACUUM at step %i, and that has lost its list, keeps sales and closed days',
  async (version) => {
    const path = folder.file('till.sqlite');
    makeEarlier(path, { pageBytes: newPageBytes, version, vacuumed: true });
    await fill(path);
    losePages(path, [1], newPageBytes);
    expectAllMended(path);
  },
);
