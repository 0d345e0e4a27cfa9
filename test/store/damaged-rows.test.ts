import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { Shop } from '../support/core-shop.ts';

/**
 * Fills a leaf page of a table, in a file that is too large to be checked whole at a start.
 *
 * @param has what the page must have in it
 */
function damage(shop: Shop, table: string, has: string): void {
  const database = new BetterSqlite3(shop.databasePath);
  // Free pages make a file no smaller.
  database.exec(`CREATE TABLE filler (bytes); INSERT INTO filler VALUES (zeroblob(9000000)); DROP TABLE filler`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const leaves = database
    .prepare<[string], number>(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'`)
    .pluck()
    .all(table);
  database.close();
  expect(statSync(shop.databasePath).size).toBeGreaterThan(8 * 1024 * 1024);
  const file = openSync(shop.databasePath, 'r+');
  const page = Buffer.alloc(newPageBytes);
  const found = leaves.filter((leaf) => {
    readSync(file, page, 0, newPageBytes, (leaf - 1) * newPageBytes);
    return page.includes(has);
  });
  expect(found).toHaveLength(1);
  writeSync(file, Buffer.alloc(newPageBytes, 0xee), 0, newPageBytes, (Number(found[0]) - 1) * newPageBytes);
  closeSync(file);
}

describe('a row on a page that can no longer be read, met in the middle of the work, ends no agent', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  let shop: Shop;
  beforeEach(async () => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    shop = new Shop();
    await shop.service.start();
    shop.start();
  });
  afterEach(async () => {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    await shop.end();
  });

  /** The next start looks at the whole file, puts it aside and goes on with what can be read of it. */
  async function isRepairedAtTheNextStart(): Promise<void> {
    expect(unhandled).toEqual([]);
    expect(shop.core.status().notices).toContainEqual({ code: 'database_damaged' });
    await shop.stop();
    shop.start();
    expect(shop.core.status().notices).toContainEqual(expect.objectContaining({ code: 'database_recovered' }));
  }

  it('when it is asked what became of it', async () => {
    shop.service.applyDelayMs = 90_000;
    const metadata = { filler: randomBytes(2_500).toString('hex') };
    for (let index = 0; index < 60; index += 1) await shop.saved(`R-${index}`, { metadata });
    await shop.passUntil(() => shop.service.recorded.size === 60 && shop.state('R-59') === 'accepted');
    const { operationId } = shop.operation('R-0');
    await shop.stop();
    damage(shop, 'operations', operationId);
    shop.start();
    await shop.pass(10_000);
    // What is sold from here on is sent, and what became of it is told.
    shop.service.applyDelayMs = 1_000;
    await shop.saved('NEW');
    await shop.passUntil(() => shop.state('NEW') === 'applied');
    await isRepairedAtTheNextStart();
    await shop.passUntil(() => shop.state('R-59') === 'applied');
  });

  it('when an answer, or what is read of an accepted sale, is compared with its history', async () => {
    shop.service.applyDelayMs = 20_000;
    await shop.saved('ACCEPTED');
    await shop.passUntil(() => shop.state('ACCEPTED') === 'accepted');
    await shop.stop();
    damage(shop, 'operation_events', '');
    shop.start();
    // Of another time than the sale: it may be another till's.
    const occurredAt = new Date(shop.clock.now() - 3_600_000).toISOString();
    const accepted = shop.service.recorded.get('ACCEPTED');
    if (accepted !== undefined) shop.service.recorded.set('ACCEPTED', { ...accepted, occurred_at: occurredAt });
    const request = { identifier: { loyalty_id: 'LC-9' }, external_ref: 'TWICE', amount_minor: 12_500 };
    await fetch(`${shop.service.baseUrl}/transactions/earn`, {
      method: 'POST',
      body: JSON.stringify({ ...request, occurred_at: occurredAt }),
    });
    await shop.pass(10_000);
    await shop.saved('TWICE', request);
    await shop.pass(60_000, 1_000);
    await shop.saved('NEW');
    await shop.passUntil(() => shop.state('NEW') === 'applied');
    await isRepairedAtTheNextStart();
  });

  it('when it is read what has to be looked up next', async () => {
    await shop.stop();
    damage(shop, 'watches_due', '');
    shop.start();
    await shop.pass(10_000);
    await shop.saved('NEW');
    await shop.passUntil(() => shop.state('NEW') === 'applied');
    await isRepairedAtTheNextStart();
  });
});
