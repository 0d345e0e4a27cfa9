import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { type Act, answer, type SeenRequest } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.core.identify({ loyalty_id: 'LC-1' });
});
afterEach(() => shop.end());

const past = (id: number, change: object = {}) => ({
  transaction_id: `txn_past_${id}`,
  intent: 'earn',
  status: 'success',
  external_ref: `past-${id}`,
  customer_id: 'cus_1',
  card_id: 'card_1',
  amount_minor: id * 1000,
  currency: 'KWD',
  points: null,
  stamps: null,
  visits: null,
  new_balances: null,
  error: null,
  occurred_at: `2026-11-${String(id).padStart(2, '0')}T10:00:00.000Z`,
  completed_at: null,
  ...change,
});
const page = (data: readonly object[], next: string | null = null): Act => ({
  kind: 'say',
  status: 200,
  body: JSON.stringify({ data, next_cursor: next }),
  headers: { 'content-type': 'application/json' },
});
const onHistory = (act: Act) => {
  shop.service.script = ({ call }: SeenRequest) => (call === 'history' ? act : answer);
};
const amounts = async () =>
  (await shop.core.lastTransactions('cus_1'))?.transactions.map(({ amount_minor }) => amount_minor) ?? null;

describe('what a customer did last', () => {
  it('is asked for five at a time and told newest first, whatever the order of the page', async () => {
    onHistory(page([past(3), past(5), past(4)]));
    expect(await amounts()).toEqual([5000, 4000, 3000]);
    const asked = shop.service.requests.find(({ call }) => call === 'history');
    expect(new URL(asked?.url ?? '', 'http://service').searchParams.get('limit')).toBe('5');
  });

  it('is kept for the time without a line, unreadable in the file, with the time it was told', async () => {
    onHistory(page([past(5)]));
    await shop.core.lastTransactions('cus_1');
    const toldAt = new Date(shop.clock.now()).toISOString();
    await shop.until(() =>
      shop.inspect((file) => file.prepare('SELECT history FROM kept_profiles').pluck().get() !== null),
    );
    const sealed = shop.inspect((file) => file.prepare('SELECT history FROM kept_profiles').pluck().get() as Buffer);
    expect(sealed.toString('latin1')).not.toContain('txn_past');
    await shop.service.stop();
    shop.clock.jump(60_000);
    expect(await shop.core.lastTransactions('cus_1')).toMatchObject({
      source: 'kept',
      as_of: toldAt,
      transactions: [{ transaction_id: 'txn_past_5' }],
    });
  });

  it('stays beside the customer who is seen again, and goes with the one who is forgotten', async () => {
    onHistory(page([past(5)]));
    await shop.core.lastTransactions('cus_1');
    await shop.core.identify({ external_id: 'user-7' });
    await shop.until(() => shop.core.keptProfile({ external_id: 'user-7' }) !== null);
    await shop.service.stop();
    expect(await amounts()).toEqual([5000]);
    await shop.core.eraseKeptProfiles(null);
    expect(await amounts()).toBeNull();
  });

  it('is not believed of another customer, and what was known stays', async () => {
    onHistory(page([past(5)]));
    await amounts();
    onHistory(page([past(6), past(7, { customer_id: 'cus_2' })]));
    expect(await shop.core.lastTransactions('cus_1')).toMatchObject({ source: 'kept' });
    expect(await amounts()).toEqual([5000]);
  });

  it('leaves out what names no customer: it may be anybody’s', async () => {
    onHistory(page([past(6, { customer_id: null }), past(5)]));
    expect(await amounts()).toEqual([5000]);
    onHistory(page([past(7, { customer_id: null })]));
    expect(await shop.core.lastTransactions('cus_1')).toMatchObject({ source: 'kept' });
  });

  it('is not known from a page that begins with the oldest of many', async () => {
    onHistory(page([past(1), past(2)], 'more'));
    expect(await amounts()).toBeNull();
    onHistory(page([past(1), past(2)]));
    expect(await amounts()).toEqual([2000, 1000]);
  });

  it('that cannot be told stops no sale and takes no line', async () => {
    onHistory({ kind: 'say', status: 500, body: 'broken' });
    expect(await amounts()).toBeNull();
    onHistory({ kind: 'lose_request' });
    expect(await amounts()).toBeNull();
    expect(shop.core.status().connection.state).toBe('online');
    expect(await shop.saveEarn('R-1')).toMatchObject({ kind: 'saved' });
  });

  it('opens in no other customer’s row, and not in the place of a profile', async () => {
    onHistory(page([past(5)]));
    await amounts();
    await shop.until(() =>
      shop.inspect((file) => file.prepare('SELECT history FROM kept_profiles').pluck().get() !== null),
    );
    await shop.stop();
    await shop.service.stop();
    const database = new BetterSqlite3(shop.databasePath);
    database.exec('UPDATE kept_profiles SET history = CAST(nonce || sealed AS BLOB)');
    database.close();
    shop.start();
    expect(await amounts()).toBeNull();
  });
});

describe('what this till took for a customer', () => {
  it('is found by any of their names and cards, newest first, and nobody else’s with it', async () => {
    await shop.service.stop();
    await shop.saveEarn('A', { identifier: { loyalty_id: 'LC-1' } });
    await shop.saveEarn('B', { identifier: { customer_id: 'cus_1' }, card_id: 'card_1' });
    await shop.saveEarn('C', { identifier: { loyalty_id: 'LC-2' } });
    await shop.saveEarn('D', { identifier: { phone: '+96550001234' }, card_id: 'card_1' });
    const theirs = { identifiers: [{ loyalty_id: 'LC-1' }, { customer_id: 'cus_1' }], cardIds: ['card_1'] };
    const found = (limit: number) =>
      shop.core.operationsOfCustomer(theirs, limit).map(({ externalRef }) => externalRef);
    expect(found(9)).toEqual(['D', 'B', 'A']);
    expect(found(2)).toEqual(['D', 'B']);
    expect(shop.core.operationsOfCustomer({ identifiers: [{ loyalty_id: 'LC-9' }], cardIds: [] }, 9)).toEqual([]);
  });
});
