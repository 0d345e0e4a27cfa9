import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptProfiles } from '../../app/customers/kept-profiles.ts';
import { ProfileSeal } from '../../app/customers/profile-seal.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { profileKeyBytes } from '../../app/machine/secrets.ts';
import { openStore } from '../../app/store/store.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { Shop } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answer, refusal } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

describe('a customer who was seen', () => {
  it('is known offline by card, customer_id and external_id, never by phone or e-mail', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.core.identify({ external_id: 'user-7' });
    await shop.core.identify({ phone: '+96550001234' });
    await shop.core.identify({ email: 'sara@example.com' });
    await shop.quiet();
    await shop.service.stop();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toMatchObject({ customer_id: 'cus_1', name: 'Sara' });
    expect(shop.core.keptProfile({ external_id: 'user-7' })).toMatchObject({ customer_id: 'cus_1' });
    expect(shop.core.keptProfile({ customer_id: 'cus_1' })).toMatchObject({ customer_id: 'cus_1' });
    expect(shop.core.keptProfile({ phone: '+96550001234' })).toBeNull();
    expect(shop.core.keptProfile({ email: 'sara@example.com' })).toBeNull();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-2' })).toBeNull();
    expect(shop.core.keptProfile({ external_id: 'LC-1' })).toBeNull();
  });

  it('is forgotten after seven days, by the service’s time', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.quiet();
    const isKnownAfter = async (passedMs: number) => {
      shop.clock.jump(passedMs);
      await shop.core.readTransactionsByReference('R-1');
      return shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null;
    };
    expect(await isKnownAfter(7 * 86_400_000 - 5_000)).toBe(true);
    expect(await isKnownAfter(10_000)).toBe(false);
  });

  it('is not known when the service refused', async () => {
    shop.service.script = () => refusal(404, 'CUSTOMER_NOT_FOUND');
    expect(await shop.core.identify({ loyalty_id: 'LC-1' })).toMatchObject({ kind: 'refused' });
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
  });

  it('is still known after a restart, and nothing in the files tells who it is', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.core.identify({ phone: '+96550001234' });
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
    const inFiles = () =>
      readdirSync(shop.dataDir)
        .map((name) => readFileSync(join(shop.dataDir, name), 'latin1'))
        .join('\n');
    for (const secret of ['LC-1', 'Sara', '96550001234', 'sara@', 'cus_1']) expect(inFiles()).not.toContain(secret);
    await shop.stop();
    await shop.service.stop();
    shop.start();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toMatchObject({ name: 'Sara' });
    for (const secret of ['LC-1', 'Sara', '96550001234', 'sara@', 'cus_1']) expect(inFiles()).not.toContain(secret);
  });

  it('is a stranger with another key, and is removed', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
    await shop.stop();
    // Names are hashed under the key too: with another one there is nothing to find.
    shop.start({ profileKey: Buffer.alloc(32, 8) });
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
    await shop.until(() => shop.inspect((file) => countOf(file, 'kept_profiles')) === 0);
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
  });

  it('whose saved customer is damaged is not known, and the till goes on', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    database.exec('UPDATE kept_profiles SET sealed = zeroblob(length(sealed))');
    database.close();
    shop.start();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
    await shop.until(() => shop.inspect((file) => countOf(file, 'kept_profiles')) === 0);
  });

  it('is forgotten with all others by one command, in the files too', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.core.identify({ external_id: 'user-7' });
    await shop.until(() => shop.core.keptProfile({ external_id: 'user-7' }) !== null);
    const sealed = shop.inspect((file) => file.prepare('SELECT sealed FROM kept_profiles').pluck().get() as Buffer);
    // The other mode's, which this agent has not open.
    const other = openStore(join(shop.dataDir, 'production.sqlite'), { random: systemRandom() });
    const theirs = { customer: Buffer.alloc(32), nonce: Buffer.alloc(12), sealed: Buffer.from('THEIRS'), seenAtMs: 1 };
    await other.writer.urgent(() => other.keptProfiles.put(theirs, []));
    other.close();
    expect(await shop.core.eraseKeptProfiles('store IT (ahmad)')).toEqual({ erased: 2, notReached: [] });
    expect(shop.audited).toEqual([{ event: 'erased', what: 'kept_profiles', count: 2, by: 'store IT (ahmad)' }]);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
    expect(shop.inspect((file) => countOf(file, 'kept_profile_names'))).toBe(0);
    for (const name of readdirSync(shop.dataDir)) {
      const bytes = readFileSync(join(shop.dataDir, name));
      expect(bytes.includes(sealed.subarray(0, 24)) || bytes.includes('THEIRS')).toBe(false);
    }
  });

  it('seen by a clock that was far ahead is not kept for ever', async () => {
    shop.clock.jump(400 * 86_400_000);
    await shop.core.identify({ loyalty_id: 'LC-1' });
    await shop.until(() => shop.core.keptProfile({ loyalty_id: 'LC-1' }) !== null);
    shop.clock.jump(-400 * 86_400_000);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
    await shop.stop();
    shop.start();
    await shop.pass(3_600_000, 60_000);
    expect(shop.inspect((file) => countOf(file, 'kept_profiles'))).toBe(0);
  });

  it('is one of five thousand at most: the one seen longest ago goes first', async () => {
    const folder = temporaryFolder();
    const store = openStore(folder.file('till.sqlite'), { random: systemRandom() });
    const clock = new ManualClock();
    const random = systemRandom();
    const kept = new KeptProfiles({
      store: store.keptProfiles,
      writer: store.writer,
      seal: new ProfileSeal(random.bytes(profileKeyBytes), (length) => random.bytes(length)),
      clock,
      time: () => ({ toldNowMs: () => clock.now(), provenNowMs: () => clock.now() }),
      onFailed: (error) => expect(error).toBeUndefined(),
    });
    const profile = (id: number): CustomerProfile => ({
      customer_id: `cus_${id}`,
      name: null,
      phone: null,
      email: null,
      verified: false,
      balances_as_of: '2026-11-20T18:13:00.000Z',
      cards: [],
    });
    for (let id = 0; id < 5_056; id += 1) {
      clock.advance(1);
      kept.keep({ customer_id: `cus_${id}` }, profile(id));
    }
    store.writer.flush();
    expect(kept.find({ customer_id: 'cus_55' })).toBeNull();
    expect(kept.find({ customer_id: 'cus_56' })).not.toBeNull();
    expect(kept.find({ customer_id: 'cus_5055' })).not.toBeNull();
    store.close();
    folder.remove();
  });
});

const countOf = (database: Database, table: string) =>
  database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

describe('customers of operations that are long over', () => {
  it('are erased after the retention time, and the totals stay', async () => {
    await shop.saved('OLD', { identifier: { loyalty_id: 'LC-SECRET' } });
    await shop.passUntil(() => shop.state('OLD') === 'applied');
    shop.service.script = ({ externalRef }) => (externalRef === 'WAITS' ? refusal(422, 'CARD_NOT_ELIGIBLE') : answer);
    await shop.saved('WAITS', { identifier: { loyalty_id: 'LC-SECRET-2' } });
    await shop.passUntil(() => shop.state('WAITS') === 'refused');
    shop.clock.jump(29 * 86_400_000);
    await shop.pass(70_000, 5_000);
    expect(shop.operation('OLD').identifier).not.toBeNull();
    shop.clock.jump(2 * 86_400_000);
    await shop.passUntil(() => shop.operation('OLD').identifier === null, { limitMs: 7 * 3_600_000 });
    expect(shop.operation('OLD')).toMatchObject({ state: 'applied', amountMinor: 12_500, serviceCustomerId: null });
    expect(shop.operation('WAITS').identifier).not.toBeNull();
    const files = readdirSync(shop.dataDir).filter((name) => name.startsWith('sandbox.sqlite'));
    await shop.stop();
    for (const name of files) {
      const path = join(shop.dataDir, name);
      if (existsSync(path)) expect(readFileSync(path, 'latin1')).not.toMatch(/LC-SECRET(?!-2)/);
    }
    shop.start();
    // The reference stays taken.
    expect(await shop.saveEarn('OLD', { identifier: { loyalty_id: 'LC-OTHER' } })).toMatchObject({
      kind: 'reference_taken',
    });
  });
});
