import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { openDatabase } from '../../app/store/database/open.ts';
import { Writer } from '../../app/store/database/writer.ts';
import { migrations } from '../../app/store/migrations/index.ts';
import { countsIn } from '../../app/store/tables/counts.ts';
import { OperationStore } from '../../app/store/tables/operation-store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { newChange, newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const byHand = (database: Database) =>
  Object.fromEntries(
    database
      .prepare<[], { state: string; count: number }>('SELECT state, count(*) AS count FROM operations GROUP BY state')
      .all()
      .map(({ state, count }) => [state, count]),
  );
const withoutZeros = (counts: readonly { readonly state: string; readonly count: number }[]) =>
  Object.fromEntries(counts.filter(({ count }) => count !== 0).map(({ state, count }) => [state, count]));
const entriesOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([state, count]) => ({ state, count }));

/** A till whose commits are made one by one, and somebody else who reads its database between any two statements. */
function openTill(name: string) {
  const path = folder.file(name);
  const database = openDatabase(path);
  const reader = new BetterSqlite3(path, { readonly: true });
  let store = new OperationStore(database);
  const noSchedule = { soon: () => undefined, later: () => () => undefined };
  let writer = new Writer(database, noSchedule, store.counts);
  return {
    database,
    reader,
    get store() {
      return store;
    },
    async commit(...runs: readonly ((store: OperationStore) => void)[]) {
      const writing = runs.map((run) => writer.urgent(() => run(store)));
      writer.flush();
      return Promise.allSettled(writing);
    },
    /** As the next start finds it after a kill. */
    startAnew() {
      store = new OperationStore(database);
      writer = new Writer(database, noSchedule, store.counts);
    },
    close() {
      reader.close();
      database.close();
    },
  };
}

const written = (database: Database) => Number(database.prepare('SELECT sum(count) FROM state_counts').pluck().get());

describe('the counts', () => {
  it('are those of the rows, for the agent, for its next start and for everybody else, after each commit and within it', async () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = seededRandom(seed);
      const till = openTill(`random-${seed}.sqlite`);
      const draw = (most: number) => 1 + Math.floor(random.next() * most);
      let last = 0;
      let wereBehind = 0;
      for (let round = 0; round < 120; round += 1) {
        const where = `seed ${seed}, commit ${round}`;
        const saves = random.next() < 0.6 ? draw(random.next() < 0.2 ? 60 : 3) : 0;
        const first = last;
        const from = random.next() < 0.8 ? Math.max(1, last - 5) : draw(Math.max(1, last));
        const some = Array.from({ length: 5 }, (_, index) => from + index);
        const event = (['accept', 'apply', 'lose', 'cancel', 'refuse'] as const)[draw(5) - 1] ?? 'accept';
        const isSpoiled = random.next() < 0.1;
        await till.commit((store) => {
          for (let index = 1; index <= saves; index += 1) store.insert(newRow(first + index));
          if (random.next() < 0.6) store.mark(some, { atMs: rowTimeMs, keyFingerprint: 'f00d' });
          for (const rowId of some) {
            if (random.next() < 0.3) store.change(newChange(rowId, event));
            // What a kill would leave now.
            expect(withoutZeros(countsIn(till.reader)), where).toEqual(byHand(till.reader));
          }
          if (isSpoiled) throw new Error('spoiled');
        });
        if (!isSpoiled) last += saves;
        const rows = byHand(till.database);
        expect(withoutZeros(entriesOf(till.store.counts.read())), where).toEqual(rows);
        expect(withoutZeros(countsIn(till.reader)), where).toEqual(rows);
        if (written(till.reader) < last) wereBehind += 1;
        if (random.next() < 0.15) till.startAnew();
        expect(withoutZeros(entriesOf(till.store.counts.read())), where).toEqual(rows);
      }
      expect(wereBehind).toBeGreaterThan(20);
      till.close();
    }
  });

  it('are written at the latest when 129 rows are behind, and when a row is changed that they tell of', async () => {
    const till = openTill('written.sqlite');
    for (let rowId = 1; rowId <= 128; rowId += 1) await till.commit((store) => store.insert(newRow(rowId)));
    await till.commit((store) => store.mark([128], { atMs: rowTimeMs, keyFingerprint: 'f00d' }));
    expect(written(till.reader)).toBe(0);
    await till.commit((store) => store.insert(newRow(129)));
    expect(written(till.reader)).toBe(129);
    await till.commit((store) => store.insert(newRow(130)));
    await till.commit((store) => store.change(newChange(130, 'cancel')));
    expect(written(till.reader)).toBe(129);
    await till.commit((store) => store.change(newChange(128, 'accept')));
    expect(written(till.reader)).toBe(130);
    till.close();
  });

  it('of a row with a smaller number than the last one that was counted are written with it', async () => {
    const till = openTill('late.sqlite');
    await till.commit((store) => store.insert(newRow(9)));
    await till.commit((store) => store.counts.writeAll());
    await till.commit((store) => store.insert(newRow(4)));
    expect(withoutZeros(countsIn(till.reader))).toEqual({ queued: 2 });
    expect(written(till.reader)).toBe(2);
    till.close();
  });

  it('that are wrong are those of the rows again when a commit finds it out, for the commits after it too', async () => {
    const till = openTill('wrong.sqlite');
    for (let rowId = 1; rowId <= 5; rowId += 1) await till.commit((store) => store.insert(newRow(rowId)));
    await till.commit((store) => store.counts.writeAll());
    till.database.exec(`UPDATE operations SET state = 'cancelled' WHERE row_id <= 3`);
    const marks = { atMs: rowTimeMs, keyFingerprint: 'f00d' };
    await till.commit((store) => {
      store.mark([4, 5], marks);
      store.change(newChange(1, 'resend'));
      expect(store.counts.inTransaction('queued')).toBe(4);
      expect(store.counts.areAtLeast(1, 'queued')).toBe(true);
      expect(store.counts.areAtLeast(2, 'queued')).toBe(false);
    });
    for (const rowId of [4, 5, 1]) {
      expect(withoutZeros(entriesOf(till.store.counts.read()))).toEqual(byHand(till.database));
      expect(withoutZeros(countsIn(till.reader))).toEqual(byHand(till.database));
      const [outcome] = await till.commit((store) => store.change(newChange(rowId, 'apply')));
      expect(outcome).toMatchObject({ status: 'fulfilled' });
    }
    till.close();
  });

  it('of a database from before they could be behind are as they stand there', () => {
    const database = new BetterSqlite3(':memory:');
    migrate(database, migrations.slice(0, 9));
    database.exec(`UPDATE state_counts SET count = 7 WHERE state = 'queued'`);
    expect(withoutZeros(countsIn(database))).toEqual({ queued: 7 });
    database.close();
  });
});
