import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notSaved } from '../../app/operations/requests/not-saved.ts';
import type { Notice } from '../../shared/till/views.ts';
import { Shop } from '../support/core-shop.ts';

let shop: Shop;
let holder: Database;
beforeEach(async () => {
  shop = await Shop.open();
  holder = new BetterSqlite3(shop.databasePath);
});
afterEach(async () => {
  if (holder.inTransaction) holder.exec('ROLLBACK');
  holder.close();
  await shop.end();
});

const notSaving = (): readonly Notice[] => shop.core.status().notices.filter(({ code }) => code === 'not_saving');

describe('a sale that is refused', () => {
  it('by a fault of the program is not taken for one of the disk', () => {
    expect(notSaved(new TypeError('no such thing'))).toMatchObject({ message: 'no such thing', isFault: true });
    const unwritable = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'write' });
    expect(notSaved(new Error('The log', { cause: unwritable }))).toEqual({ kind: 'not_saved', message: 'The log' });
  });

  it('is told, whatever the database says', async () => {
    await shop.saved('BEFORE');
    holder.exec("CREATE TRIGGER stranger BEFORE INSERT ON operations BEGIN SELECT RAISE(ABORT, 'not with me'); END");
    expect(await shop.saveEarn('REFUSED')).toMatchObject({ kind: 'not_saved' });
    expect(notSaving()).toMatchObject([{ code: 'not_saving', why: 'disk_refuses', reason: 'not with me' }]);
  });
});

describe('a database that another program has locked', () => {
  it('is told with its reason from the first refused sale on, for as long as it lasts', async () => {
    await shop.saved('BEFORE');
    expect(notSaving()).toEqual([]);
    holder.exec('BEGIN IMMEDIATE');
    const since = new Date(shop.clock.now()).toISOString();
    expect(await shop.saveEarn('REFUSED')).toMatchObject({ kind: 'not_saved' });
    const told = [{ code: 'not_saving', why: 'locked', since, reason: 'database is locked' }];
    expect(notSaving()).toEqual(told);
    await shop.pass(6_000, 6_000);
    expect(notSaving()).toEqual(told);
  });

  it('is told no more once it is free, though nobody sells', async () => {
    await shop.passUntil(() => shop.core.status().connection.state === 'online');
    holder.exec('BEGIN IMMEDIATE');
    await shop.saveEarn('REFUSED');
    holder.exec('ROLLBACK');
    let changes = 0;
    const end = shop.core.onChange(() => {
      changes += 1;
    });
    await shop.pass(6_000, 6_000);
    expect(notSaving()).toEqual([]);
    expect(changes).toBeGreaterThan(0);
    end();
    expect(await shop.saveEarn('REFUSED')).toMatchObject({ kind: 'saved', duplicate: false });
  });

  it('is told no more with the next sale that is saved', async () => {
    holder.exec('BEGIN IMMEDIATE');
    await shop.saveEarn('REFUSED');
    holder.exec('ROLLBACK');
    await shop.saved('AFTER');
    expect(notSaving()).toEqual([]);
  });

  it('is not told of a change that is refused for what is in it', async () => {
    await shop.saved('R-1');
    expect(await shop.saveEarn('R-1', { amount_minor: 1 })).toMatchObject({ kind: 'reference_taken' });
    expect(notSaving()).toEqual([]);
  });
});
