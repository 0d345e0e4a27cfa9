import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashPin } from '../../app/people/pin-hash.ts';
import { Shop } from '../support/core-shop.ts';

// Whoever can write to the database of a stopped till. What stands here is what docs/security.md does not promise: people
// have no seal as sales have. A change of this behaviour is a change of that page.

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

const salt = (length: number) => Buffer.alloc(length, 5);

async function restartWith(change: (database: BetterSqlite3.Database) => void): Promise<void> {
  await shop.stop();
  const database = new BetterSqlite3(shop.databasePath);
  change(database);
  database.close();
  shop.start();
}

describe('a manager who was written into the database of a stopped till', () => {
  it('is believed; the audit log has a PIN of theirs and nobody who added them', async () => {
    const pin = await hashPin('666999', salt);
    await restartWith((database) =>
      database
        .prepare(
          `INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', 'Mallory', ?, ?, ?, 0)`,
        )
        .run(pin.salt, pin.hash, pin.cost),
    );
    expect(await shop.core.people.checkPin('666999')).toEqual({ kind: 'right', name: 'Mallory' });
    const told = shop.audited.filter((entry) => 'person' in entry);
    expect(told).toEqual([{ event: 'pin_right', person: 'Mallory' }]);
  });

  it('with a PIN of their own in another one’s row is taken for that one', async () => {
    await shop.core.people.addManager('Noura', '4711');
    const pin = await hashPin('666999', salt);
    await restartWith((database) =>
      database
        .prepare(`UPDATE people SET pin_salt = ?, pin_hash = ?, pin_cost = ? WHERE name = 'Noura'`)
        .run(pin.salt, pin.hash, pin.cost),
    );
    expect(await shop.core.people.checkPin('666999')).toEqual({ kind: 'right', name: 'Noura' });
    expect(await shop.core.people.checkPin('4711')).toMatchObject({ kind: 'wrong' });
  });

  it('is not needed where the managers were taken out: then nobody is asked', async () => {
    await shop.core.people.addManager('Noura', '4711');
    await restartWith((database) => database.exec('DELETE FROM people'));
    expect(shop.core.people.hasManagers).toBe(false);
    expect(await shop.core.people.checkPin('666999')).toEqual({ kind: 'no_managers' });
  });
});
