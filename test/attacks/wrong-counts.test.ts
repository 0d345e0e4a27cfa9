import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase } from '../../app/doctor/check-machine.ts';
import { Shop, until } from '../support/core-shop.ts';

// Whoever changes a till's database by hand and leaves the table that counts its rows as it was, or changes that alone.

let shop: Shop;
beforeEach(async () => {
  // The line is cut: what is saved stays queued.
  shop = new Shop();
  await shop.service.start();
  await shop.service.stop();
  shop.start();
});
afterEach(() => shop.end());

const counted = (state: string) =>
  shop.inspect((database) => database.prepare('SELECT count FROM state_counts WHERE state = ?').pluck().get(state));
const doctor = () => checkDatabase(shop.databasePath, { isOpen: true }).filter(({ verdict }) => verdict !== 'well');

function changeByHand(sql: string): void {
  const database = new BetterSqlite3(shop.databasePath);
  database.exec(sql);
  database.close();
}

describe('what waits', () => {
  it.each([
    ['nothing', 'UPDATE state_counts SET count = 0'],
    ['more than there is', `UPDATE state_counts SET count = 250000 WHERE state = 'queued'`],
    ['what no table can hold', `UPDATE state_counts SET count = 9223372036854775807`],
    ['no state at all', 'DELETE FROM state_counts'],
  ])('is sent, and a new sale is taken, when the counts tell of %s', async (_, sql) => {
    await shop.saved('R-1');
    await shop.stop();
    changeByHand(sql);
    await shop.service.start();
    shop.start();
    await shop.saved('R-2');
    await until(() => ['R-1', 'R-2'].every((reference) => shop.state(reference) === 'accepted'));
    expect(shop.core.counts()).toMatchObject({ queued: 0, accepted: 2 });
    await shop.stop();
    expect(counted('accepted')).toBe(2);
    expect(doctor()).toEqual([]);
  });

  it('is sent beside what somebody has put back into the queue under the running till', async () => {
    await shop.saved('R-1');
    await shop.saved('R-2');
    await shop.stop();
    changeByHand(`UPDATE operations SET state = 'cancelled' WHERE external_ref = 'R-2';
      UPDATE state_counts SET count = state = 'queued' OR state = 'cancelled'`);
    shop.start();
    changeByHand(`UPDATE operations SET state = 'queued' WHERE external_ref = 'R-2'`);
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'accepted');
    expect(shop.core.counts()).toMatchObject({ queued: 0, cancelled: 0 });
    expect(shop.errors).toEqual([]);
  });
});

describe('the doctor', () => {
  it.each([
    ['an index', 'DROP INDEX operations_holds', 'index operations_holds'],
    ['a table', 'DROP TABLE day_closes', 'table day_closes, trigger day_closes_remain, trigger day_closes_stay'],
    ['a view', 'DROP VIEW operation_history', 'view operation_history'],
  ])('says of a database without %s of its own what it lacks, and not that all is well', async (_, sql, lacks) => {
    await shop.saved('R-1');
    changeByHand(sql);
    const told = checkDatabase(shop.databasePath, { isOpen: true }).filter(({ check }) => check === 'database');
    expect(told).toMatchObject([
      { verdict: 'problem', says: `sandbox.sqlite lacks what Tillbridge has made in it: ${lacks}` },
    ]);
  });

  it('tells how many operations somebody has deleted, and from when, also after a start has corrected the counts', async () => {
    const saved: string[] = [];
    for (const reference of ['R-1', 'R-2', 'R-3', 'R-4']) {
      saved.push(new Date((await shop.saved(reference)).savedAtMs).toISOString());
      shop.clock.advance(60_000);
    }
    await shop.stop();
    changeByHand(`DELETE FROM operations WHERE external_ref = 'R-2' OR external_ref = 'R-3'`);
    const missing = () => doctor().filter(({ check }) => check === 'missing');
    const between = `saved after ${saved[0]} and before ${saved[3]}`;
    expect(missing()).toMatchObject([
      { says: `2 operations are missing in sandbox.sqlite, ${between} (the last of them)` },
    ]);
    shop.start();
    await shop.stop();
    expect(missing()).toMatchObject([{ says: `at least 1 operation is missing in sandbox.sqlite, ${between}` }]);
  });

  it('tells when the counts are not those of the rows, until the agent has repaired them', async () => {
    await shop.saved('R-1');
    await shop.stop();
    expect(doctor()).toEqual([]);
    changeByHand(`UPDATE state_counts SET count = 7 WHERE state = 'queued'`);
    expect(doctor()).toMatchObject([
      { check: 'database', says: expect.stringContaining('counts its operations wrongly: 7 queued, there are 1.') },
    ]);
    shop.start();
    await shop.stop();
    expect(doctor()).toEqual([]);
  });
});
