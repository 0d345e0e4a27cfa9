import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptProfiles } from '../../app/customers/kept-profiles.ts';
import { ProfileSeal } from '../../app/customers/profile-seal.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { profileKeyBytes } from '../../app/machine/secrets.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { newRow, temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openShop } from '../support/open-shop.ts';
import { withoutDate } from '../support/without-date.ts';

const dayMs = 86_400_000;
const random = systemRandom();
const seal = new ProfileSeal(random.bytes(profileKeyBytes), (length) => random.bytes(length));

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let clock: ManualClock;
let failures: unknown[];
/** Null: nobody has told what time it is. */
let provenNowMs: (() => number) | null;
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore(folder.file('sandbox.sqlite'), { random });
  clock = new ManualClock();
  failures = [];
  provenNowMs = () => clock.now();
});
afterEach(() => {
  store.close();
  folder.remove();
});

const open = (of: Store = store) =>
  new KeptProfiles({
    store: of.keptProfiles,
    writer: of.writer,
    seal,
    clock,
    time: () => ({
      toldNowMs: () => clock.now(),
      provenNowMs: () => provenNowMs?.() ?? Number.NEGATIVE_INFINITY,
    }),
    onFailed: (error) => failures.push(error),
  });
const profile = (id: number): CustomerProfile => ({
  customer_id: `cus_${id}`,
  name: `Customer ${id}`,
  phone: null,
  email: null,
  verified: true,
  balances_as_of: '2026-11-20T18:13:00.000Z',
  cards: [],
});
const cardOf = (id: number) => ({ loyalty_id: `LC-${id}` });

/** What another program sees of it. */
function look<Value>(read: (database: BetterSqlite3.Database) => Value, name = 'sandbox.sqlite'): Value {
  const database = new BetterSqlite3(folder.file(name));
  try {
    return read(database);
  } finally {
    database.close();
  }
}
const countIn = (name?: string) =>
  look((database) => database.prepare('SELECT count(*) FROM kept_profiles').pluck().get(), name);

describe('saved customers', () => {
  it('leave the disk after a week, though nobody is seen and the till is never started again', () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    store.writer.flush();
    clock.advance(7 * dayMs);
    store.writer.flush();
    expect(countIn()).toBe(1);
    clock.advance(3_600_000);
    store.writer.flush();
    expect(countIn()).toBe(0);
    kept.close();
    expect(clock.timerCount).toBe(0);
  });

  it.each([0, 128])('are kept over a start with a clock that is behind, with %i looked up meanwhile', (lookedUp) => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    store.writer.flush();
    kept.close();
    clock.jump(-400 * dayMs);
    const again = open();
    for (let id = 2; id < 2 + lookedUp; id += 1) again.keep(cardOf(id), profile(id));
    store.writer.flush();
    clock.jump(400 * dayMs);
    expect(again.find(cardOf(1))?.customer_id).toBe('cus_1');
    again.close();
  });

  it('are kept over a start with a clock that is ahead, until somebody has told the time', () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    store.writer.flush();
    kept.close();
    clock.jump(30 * dayMs);
    provenNowMs = null;
    const again = open();
    clock.advance(2 * 3_600_000);
    store.writer.flush();
    expect(countIn()).toBe(1);
    expect(again.find(cardOf(1))?.customer_id).toBe('cus_1');
    provenNowMs = () => clock.now();
    expect(again.find(cardOf(1))).toBeNull();
    clock.advance(3_600_000);
    store.writer.flush();
    expect(countIn()).toBe(0);
    again.close();
  });

  it('are known to a till that starts without a line and with a clock that is ahead', async () => {
    const shop = await openShop();
    await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
    await shop.pass(1_000);
    await shop.stop();
    await shop.fault('/*', { type: 'offline' });
    shop.setTillClock(30 * dayMs);
    shop.start();
    await shop.pass(5_000);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1001' })).not.toBeNull();
  });

  it('are kept where the clock was set right meanwhile, and the service tells no time', async () => {
    const shop = await openShop();
    shop.meddle = withoutDate;
    shop.setTillClock(-9 * dayMs);
    await shop.stop();
    shop.start();
    await shop.pass(1_000);
    shop.setTillClock(9 * dayMs);
    await shop.passUntil(shop.core.identify({ loyalty_id: 'LC-1001' }));
    await shop.saved('R-1');
    await shop.pass(60_000);
    await shop.stop();
    await shop.fault('/*', { type: 'offline' });
    shop.start();
    await shop.pass(5_000);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1001' })).not.toBeNull();
  });

  it('that cannot be written or read cost no sale, and are told once', async () => {
    const kept = open();
    store.writer.flush();
    look((database) => database.exec('DROP TABLE kept_profile_names; DROP TABLE kept_profiles'));
    kept.keep(cardOf(1), profile(1));
    const sale = store.writer.urgent(() => store.operations.insert(newRow(1)));
    kept.keep(cardOf(2), profile(2));
    store.writer.flush();
    expect(await sale).toBeNull();
    expect(store.operations.operation(1)?.state).toBe('queued');
    expect(kept.find(cardOf(1))).toBeNull();
    await Promise.resolve();
    expect(failures).toHaveLength(1);
  });

  it('of a customer seen again are one, as they are now, under every name they were found by', () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    kept.keep({ external_id: 'user-1' }, { ...profile(1), name: 'Renamed' });
    kept.keep({ phone: '+96550001234' }, { ...profile(1), name: 'Renamed again' });
    store.writer.flush();
    expect(countIn()).toBe(1);
    for (const name of [cardOf(1), { external_id: 'user-1' }, { customer_id: 'cus_1' }]) {
      expect(kept.find(name)?.name).toBe('Renamed again');
    }
  });

  it('of a card that has another owner now are the other owner’s', () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    kept.keep(cardOf(1), profile(2));
    store.writer.flush();
    expect(kept.find(cardOf(1))?.customer_id).toBe('cus_2');
    expect(kept.find({ customer_id: 'cus_1' })?.customer_id).toBe('cus_1');
  });

  it('put into another customer’s row do not open there', () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    kept.keep(cardOf(2), profile(2));
    store.writer.flush();
    look((database) =>
      database.exec(`CREATE TEMP TABLE before AS SELECT * FROM kept_profiles;
        UPDATE kept_profiles SET (nonce, sealed) =
          (SELECT nonce, sealed FROM before WHERE before.customer <> kept_profiles.customer)`),
    );
    expect(kept.find(cardOf(1))).toBeNull();
    expect(kept.find(cardOf(2))).toBeNull();
  });
});

describe('the order to forget', () => {
  it('takes many at once, and every sealed byte of them out of every file', async () => {
    const kept = open();
    const sealed: Buffer[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let id = 0; id < 300; id += 1) kept.keep(cardOf(id), { ...profile(id), phone: 'x'.repeat(round * 300) });
      store.writer.flush();
      sealed.push(
        ...look((database) => database.prepare('SELECT sealed FROM kept_profiles').pluck().all() as Buffer[]),
      );
    }
    expect(await kept.erase()).toEqual({ erased: 300, notReached: [] });
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    const left = sealed.filter((bytes) => files.some((file) => file.includes(bytes.subarray(0, 32))));
    expect(left).toHaveLength(0);
  });

  it('says when another program keeps the log from being emptied, and empties it an hour later', async () => {
    const kept = open();
    kept.keep(cardOf(1), profile(1));
    store.writer.flush();
    const reader = new BetterSqlite3(folder.file('sandbox.sqlite'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM kept_profiles').get();
    expect(await kept.erase()).toEqual({ erased: 1, notReached: ['sandbox.sqlite-wal'] });
    expect(kept.find(cardOf(1))).toBeNull();
    reader.exec('COMMIT');
    reader.close();
    clock.advance(3_600_000);
    expect(statSync(folder.file('sandbox.sqlite-wal')).size).toBe(0);
  });
});
