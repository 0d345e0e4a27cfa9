import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { Shop } from '../support/core-shop.ts';

describe('a page that can no longer be read, in a file too large to be checked whole at the start', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  let shop: Shop;
  afterEach(async () => {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    await shop.end();
  });

  it('ends no agent: it is told, and sales are still taken', async () => {
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    shop = new Shop();
    await shop.service.start();
    await shop.service.stop();
    shop.start();
    const metadata = { filler: randomBytes(5_000).toString('hex') };
    for (let index = 0; index < 800; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, part) => shop.saved(`R-${index + part}`, { metadata })));
    }
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    database.pragma('wal_checkpoint(TRUNCATE)');
    const root = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'operations_queued'`).pluck().get();
    database.close();
    expect(statSync(shop.databasePath).size).toBeGreaterThan(8 * 1024 * 1024);
    const file = openSync(shop.databasePath, 'r+');
    writeSync(file, Buffer.alloc(newPageBytes, 0xee), 0, newPageBytes, (Number(root) - 1) * newPageBytes);
    closeSync(file);
    await shop.service.start();
    shop.start();
    await shop.pass(30_000, 2_000);
    expect(unhandled).toEqual([]);
    expect(shop.errors.join('\n')).toMatch(/malformed|corrupt/i);
    // The index of what waits is broken: whether this one can be kept, the answer tells.
    expect(['saved', 'not_saved']).toContain((await shop.saveEarn('NEW')).kind);

    // It says so, and the next start looks at the whole file, puts it aside and goes on with everything.
    expect(shop.core.status().notices).toContainEqual({ code: 'database_damaged' });
    await shop.stop();
    shop.start();
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    const [notice] = shop.core.status().notices;
    expect(notice).toMatchObject({ code: 'database_recovered', unreadable: 0 });
    expect(shop.errors.join('\n')).toMatch(/was replaced/);
    for (let index = 0; index < 800; index += 1) expect(shop.state(`R-${index}`)).toBe('applied');
    expect(shop.service.recorded.size).toBeGreaterThanOrEqual(800);
  });
});
