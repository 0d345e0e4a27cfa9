import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { restoreBackup } from '../../app/store/copies/backup.ts';
import { removeOpenMarker } from '../../app/store/files/open-marker.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Store } from '../../app/store/store.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { type FrozenSet, putFiles, readFrozenSets } from './frozen-set.ts';
import { Home } from './home.ts';
import { tillFile } from './shop.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

/** Everything is there; what may have been sent since the files were as they are is looked up or sent as it was. */
function expectEverything(store: Store, { told }: FrozenSet): void {
  for (const { operation, history } of told) {
    const here = store.operations.operationById(String(operation.operationId));
    const { state, externalRef, intent, amountMinor, points, serviceTransactionId } = operation;
    expect(here).toMatchObject({ externalRef, intent, amountMinor, points, serviceTransactionId });
    expect([state, 'unknown']).toContain(here?.state);
    expect(store.operations.history(here?.rowId ?? 0).slice(0, history.length)).toMatchObject(history);
  }
}

/** Closed days stay closed, and what came to one later is still told beside it. */
function expectClosings(store: Store, { schema }: FrozenSet): void {
  const closes = store.days.closes({ limit: 5, before: null });
  expect(closes).toHaveLength([7, 16].filter((since) => schema >= since).length);
  const [last] = closes;
  if (schema < 16 || last === undefined) return;
  const late = store.days.tally(last.businessDate, store.days.rowIdOf(last.lastOperationId));
  expect(late.filter(({ intent, state }) => intent === 'redeem' && state === 'applied')).toMatchObject([
    { count: 1, total: 3 },
  ]);
}

describe.each(readFrozenSets())('$name', (set) => {
  const options = { random: seededRandom(1), nowMs: set.frozenAtMs + 60_000 };

  it('is a backup that the newest program restores', () => {
    const folder = temporaryFolder();
    ends.push(() => folder.remove());
    putFiles(set.files, folder.file('backup'));
    const path = folder.file(join('till', tillFile));
    restoreBackup(folder.file(join('backup', tillFile)), path, {
      ...options,
      mode: 'sandbox',
      trust: { kind: 'from_elsewhere' },
    });
    const store = openOrRecover(path, options);
    ends.push(() => store.close());
    expectEverything(store, set);
    expectClosings(store, set);
  });

  it('is carried over by the newest program when it is damaged', () => {
    const home = new Home(set.files);
    ends.push(() => home.remove());
    // The log would have the header, too.
    const database = new BetterSqlite3(home.database);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    removeOpenMarker(home.database);
    const bytes = readFileSync(home.database);
    bytes.fill(0, 0, 100);
    writeFileSync(home.database, bytes);
    const store = openOrRecover(home.database, options);
    ends.push(() => store.close());
    expect(store.recovery).toMatchObject({ carried: set.told.length, unreadable: 0 });
    expectEverything(store, set);
    if (set.schema >= 4) expect(store.people.read().believed.filter(({ role }) => role === 'manager')).toHaveLength(1);
    expectClosings(store, set);
  });
});
