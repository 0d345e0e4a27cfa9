import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { hashPin } from '../../app/people/pin-hash.ts';
import { asManager } from '../../app/till/manager-pin.ts';
import { succeeded } from '../../app/till/replies.ts';
import { Shop } from '../support/core-shop.ts';

// Whoever can write to the database of a stopped till, and has not its secrets.

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

const salt = (length: number) => Buffer.alloc(length, 5);
const people = () => shop.core.people;
const noticed = () => shop.core.status().notices.filter(({ code }) => code === 'people_changed');
const toldOf = (event: AuditEvent['event']) => shop.audited.filter((told) => told.event === event);
const hasRight = async (pin: string) => (await people().checkPin(pin)).kind === 'right';

function change(write: (database: BetterSqlite3.Database) => unknown, path = shop.databasePath): void {
  const database = new BetterSqlite3(path);
  write(database);
  database.close();
}

async function restartWith(write: (database: BetterSqlite3.Database) => unknown): Promise<void> {
  await shop.stop();
  change(write);
  shop.start();
}

async function writeManager(database: BetterSqlite3.Database, name: string, pin: string): Promise<void> {
  const { salt: pinSalt, hash, cost } = await hashPin(pin, salt);
  database
    .prepare(`INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', ?, ?, ?, ?, 0)`)
    .run(name, pinSalt, hash, cost);
}

describe('a manager who was written into the database of a stopped till', () => {
  it('is not believed; status and the audit log name them', async () => {
    await people().addManager('Noura', '4711');
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    await writeManager(database, 'Mallory', '666999');
    database.close();
    shop.start();
    expect(await people().checkPin('666999')).toMatchObject({ kind: 'wrong' });
    expect(await people().checkPin('4711')).toEqual({ kind: 'right', name: 'Noura' });
    expect(
      people()
        .list()
        .map(({ name }) => name),
    ).toEqual(['Noura']);
    const told = { changed: ['Mallory'], missing: [], is_list_whole: true };
    expect(noticed()).toEqual([{ code: 'people_changed', ...told }]);
    shop.core.status();
    expect(toldOf('people_changed')).toEqual([{ event: 'people_changed', ...told }]);
  });

  it('is none who is asked for where there were no managers', async () => {
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    await writeManager(database, 'Mallory', '666999');
    database.close();
    shop.start();
    expect(people().hasManagers).toBe(false);
    expect(await people().checkPin('666999')).toEqual({ kind: 'no_managers' });
  });

  it('goes with a command of store IT, and may be added by one', async () => {
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    await writeManager(database, 'Mallory', '666999');
    await writeManager(database, 'Omar', '777111');
    database.close();
    shop.start();
    expect(await people().remove('Mallory', 'store IT')).toBe(true);
    expect(await people().addManager('Omar', '081500', 'store IT')).toMatchObject({ kind: 'added' });
    expect(noticed()).toEqual([]);
    expect([await hasRight('777111'), await hasRight('081500')]).toEqual([false, true]);
  });
});

describe('a person whose row was changed in the database of a stopped till', () => {
  it.each([
    ['the name', `name = 'Mallory'`, 'Mallory'],
    ['the work factor of the PIN', `pin_cost = pin_cost * 2`, 'Noura'],
    ['the salt', `pin_salt = zeroblob(16)`, 'Noura'],
    ['when they were added', `made_at = 1`, 'Noura'],
    [
      'the role',
      `role = 'cashier', pin_salt = NULL, pin_hash = NULL, pin_cost = NULL, badge = x'00', employee_ref = 'e'`,
      'Noura',
    ],
  ])('is not believed: %s', async (_, set, name) => {
    await people().addManager('Noura', '4711');
    await restartWith((database) => database.exec(`UPDATE people SET ${set}`));
    expect(await people().checkPin('4711')).toEqual({ kind: 'nobody_believed' });
    expect(people().list()).toEqual([]);
    expect(noticed()).toMatchObject([{ changed: [name] }]);
  });

  it('has the PIN that was added here, or none', async () => {
    await people().addManager('Noura', '4711');
    const pin = await hashPin('666999', salt);
    await restartWith((database) =>
      database.prepare(`UPDATE people SET pin_salt = ?, pin_hash = ?, pin_cost = ?`).run(pin.salt, pin.hash, pin.cost),
    );
    expect(await people().checkPin('666999')).toEqual({ kind: 'nobody_believed' });
    // What a manager would confirm is not done, and the answer says why.
    const asked = await asManager(shop.core, '666999', async (name) => succeeded({ name }));
    expect(asked).toMatchObject({ ok: false, error: { code: 'people_changed' } });
    expect(await people().addManager('Noura', '4711')).toMatchObject({ kind: 'added' });
    expect(await people().checkPin('4711')).toEqual({ kind: 'right', name: 'Noura' });
    expect(noticed()).toEqual([]);
  });

  it('does not sell with another one’s badge or reference', async () => {
    await people().addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1' });
    await people().addCashier({ name: 'Dina', employeeRef: 'emp-8', badge: 'B-2' });
    await restartWith((database) => database.exec(`UPDATE people SET employee_ref = 'emp-8' WHERE name = 'Sami'`));
    expect(people().checkBadge('B-1')).toEqual({ kind: 'unknown' });
    expect(people().checkBadge('B-2')).toMatchObject({ kind: 'known' });
    expect(people().hasCashiers).toBe(true);
    expect(noticed()).toMatchObject([{ changed: ['Sami'], missing: [] }]);
  });
});

describe('managers who were taken out of the database of a stopped till', () => {
  it('are still asked for, and named', async () => {
    await people().addManager('Noura', '4711');
    await people().addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1' });
    await restartWith((database) => database.exec('DELETE FROM people'));
    expect([people().hasManagers, people().hasCashiers]).toEqual([true, true]);
    expect(await people().checkPin('666999')).toEqual({ kind: 'nobody_believed' });
    expect(noticed()).toMatchObject([{ changed: [], missing: ['Noura', 'Sami'] }]);
  });

  it('are asked for without the roll, too, and nobody is believed then', async () => {
    await people().addManager('Noura', '4711');
    await restartWith((database) => database.exec(`DELETE FROM meta WHERE key = 'people_roll'`));
    expect(await people().checkPin('4711')).toEqual({ kind: 'nobody_believed' });
    expect(noticed()).toMatchObject([{ changed: ['Noura'], is_list_whole: false }]);
    await people().addManager('Noura', '4711');
    expect(await hasRight('4711')).toBe(true);
  });

  it('do not come back with the list of an earlier day', async () => {
    await people().addManager('Noura', '4711');
    await people().addManager('Mallory', '666999');
    const database = new BetterSqlite3(shop.databasePath);
    const rows = database.prepare('SELECT * FROM people').all();
    const roll = database.prepare(`SELECT value FROM meta WHERE key = 'people_roll'`).pluck().get();
    database.close();
    expect(await people().remove('Mallory')).toBe(true);
    await restartWith((put) => {
      put.exec('DELETE FROM people');
      for (const row of rows) {
        put
          .prepare(
            `INSERT INTO people VALUES (@person_id, @role, @name, @employee_ref, @pin_salt, @pin_hash, @pin_cost, @badge, @made_at)`,
          )
          .run(row);
      }
      put.prepare(`UPDATE meta SET value = ? WHERE key = 'people_roll'`).run(roll);
    });
    expect(await people().checkPin('666999')).toEqual({ kind: 'nobody_believed' });
    expect(noticed()).toMatchObject([{ is_list_whole: false }]);
  });

  it('do not come back alone, though their seal was this till’s', async () => {
    await people().addManager('Noura', '4711');
    await people().addManager('Mallory', '666999');
    const database = new BetterSqlite3(shop.databasePath);
    const row = database.prepare(`SELECT * FROM people WHERE name = 'Mallory'`).get();
    database.close();
    await people().remove('Mallory');
    await restartWith((put) =>
      put
        .prepare(
          `INSERT INTO people VALUES (@person_id, @role, @name, @employee_ref, @pin_salt, @pin_hash, @pin_cost, @badge, @made_at)`,
        )
        .run(row),
    );
    expect([await hasRight('666999'), await hasRight('4711')]).toEqual([false, true]);
  });

  it('of the other mode who answer for the till are looked at in the same way', async () => {
    const path = join(shop.dataDir, 'production.sqlite');
    await people().addManager('Noura', '4711');
    await shop.stop();
    const database = new BetterSqlite3(path);
    database.exec(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`);
    database.exec(`CREATE TABLE people (person_id INTEGER PRIMARY KEY, role TEXT, name TEXT, employee_ref TEXT,
      pin_salt BLOB, pin_hash BLOB, pin_cost INTEGER, badge BLOB, made_at INTEGER)`);
    await writeManager(database, 'Mallory', '666999');
    database.close();
    shop.start();
    expect(await people().checkTillPin('666999')).toMatchObject({ kind: 'wrong' });
    expect(await people().checkTillPin('4711')).toEqual({ kind: 'right', name: 'Noura' });
  });
});

describe('the count of wrong PINs', () => {
  const tryWrong = async (times: number) => {
    for (let time = 0; time < times; time += 1) await people().checkPin('0000');
  };

  it('is not taken back in the database: changed, it locks', async () => {
    await people().addManager('Noura', '4711');
    await tryWrong(3);
    await restartWith((database) => database.exec('UPDATE pin_failures SET count = 0'));
    expect(await people().checkPin('4711')).toMatchObject({ kind: 'locked' });
    shop.clock.advance(900_000);
    expect(await people().checkPin('4711')).toMatchObject({ kind: 'right' });
    expect(await people().checkPin('0000')).toEqual({ kind: 'wrong', attemptsLeft: 4 });
  });

  it('is not taken back by deleting its line', async () => {
    await people().addManager('Noura', '4711');
    await tryWrong(4);
    await restartWith((database) => database.exec('DELETE FROM pin_failures'));
    expect(await people().checkPin('4711')).toMatchObject({ kind: 'locked' });
  });

  it('is not taken back while the till runs, with a seal that was right once', async () => {
    await people().addManager('Noura', '4711');
    await people().checkPin('4711');
    const database = new BetterSqlite3(shop.databasePath);
    const seal = database.prepare(`SELECT value FROM meta WHERE key = 'pin_failures_seal'`).pluck().get();
    database.close();
    for (let time = 0; time < 4; time += 1) {
      await people().checkPin('0000');
      change((put) => {
        put.exec('UPDATE pin_failures SET count = 0');
        put.prepare(`UPDATE meta SET value = ? WHERE key = 'pin_failures_seal'`).run(seal);
      });
    }
    expect(await people().checkPin('0000')).toMatchObject({ kind: 'locked' });
  });
});

describe('people from before there were seals', () => {
  it('are believed once, at the first start, and the audit log names them', async () => {
    await people().addManager('Noura', '4711');
    await restartWith((database) => database.exec(`DELETE FROM meta WHERE key LIKE 'p%seal' OR key = 'people_roll'`));
    await shop.stop();
    shop.peopleVersion = null;
    shop.start();
    expect(await hasRight('4711')).toBe(true);
    expect(toldOf('people_sealed')).toEqual([{ event: 'people_sealed', mode: 'sandbox', names: ['Noura'] }]);
    await restartWith((database) => database.exec(`UPDATE people SET made_at = 1`));
    expect(await hasRight('4711')).toBe(false);
  });
});
