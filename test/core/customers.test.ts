import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptProfiles } from '../../app/customers/kept-profiles.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { Shop } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/scripted-service.ts';

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
    await shop.service.stop();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toMatchObject({ customer_id: 'cus_1', name: 'Sara' });
    expect(shop.core.keptProfile({ external_id: 'user-7' })).toMatchObject({ customer_id: 'cus_1' });
    expect(shop.core.keptProfile({ customer_id: 'cus_1' })).toMatchObject({ customer_id: 'cus_1' });
    expect(shop.core.keptProfile({ phone: '+96550001234' })).toBeNull();
    expect(shop.core.keptProfile({ email: 'sara@example.com' })).toBeNull();
    expect(shop.core.keptProfile({ loyalty_id: 'LC-2' })).toBeNull();
    expect(shop.core.keptProfile({ external_id: 'LC-1' })).toBeNull();
  });

  it('is forgotten after seven days', async () => {
    await shop.core.identify({ loyalty_id: 'LC-1' });
    shop.clock.jump(7 * 86_400_000);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).not.toBeNull();
    shop.clock.jump(1);
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
  });

  it('is not known when the service refused', async () => {
    shop.service.script = () => refusal(404, 'CUSTOMER_NOT_FOUND');
    expect(await shop.core.identify({ loyalty_id: 'LC-1' })).toMatchObject({ kind: 'refused' });
    expect(shop.core.keptProfile({ loyalty_id: 'LC-1' })).toBeNull();
  });

  it('is one of two thousand at most: the one seen longest ago goes first', () => {
    const kept = new KeptProfiles(new ManualClock());
    const profile = (id: number): CustomerProfile => ({
      customer_id: `cus_${id}`,
      name: null,
      phone: null,
      email: null,
      verified: false,
      balances_as_of: '2026-11-20T18:13:00.000Z',
      cards: [],
    });
    for (let id = 0; id < 2_000; id += 1) kept.keep({ customer_id: `cus_${id}` }, profile(id));
    kept.keep({ customer_id: 'cus_0' }, profile(0));
    kept.keep({ customer_id: 'cus_new' }, { ...profile(0), customer_id: 'cus_new' });
    expect(kept.find({ customer_id: 'cus_0' })).not.toBeNull();
    expect(kept.find({ customer_id: 'cus_1' })).toBeNull();
    expect(kept.find({ customer_id: 'cus_2' })).not.toBeNull();
    expect(kept.find({ customer_id: 'cus_new' })).not.toBeNull();
  });
});

describe('looking up', () => {
  it('an operation works by its own id, by the agent’s and by the service’s', async () => {
    const saved = await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const operation = shop.operation('R-1');
    expect(shop.core.operationById(saved.operationId)).toEqual(operation);
    expect(shop.core.operationByTransactionId(saved.transactionId)).toEqual(operation);
    expect(shop.core.operationByTransactionId('txn_000001')).toEqual(operation);
    expect(shop.core.operationByTransactionId('txn_999999')).toBeNull();
    expect(shop.core.operationsByReference('R-2')).toEqual([]);
  });

  it('a transaction, a reference and a history go to the service', async () => {
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    expect(await shop.core.readTransaction('txn_000001')).toMatchObject({
      kind: 'done',
      answer: { external_ref: 'R-1' },
    });
    expect(await shop.core.readTransaction('txn_nobody')).toMatchObject({
      kind: 'refused',
      facts: { httpStatus: 404 },
    });
    expect(await shop.core.readTransactionsByReference('R-1')).toMatchObject({
      answer: { data: [{ external_ref: 'R-1' }] },
    });
    expect(await shop.core.readHistory('cus_1', { limit: 5 })).toMatchObject({
      answer: { data: [], next_cursor: null },
    });
    expect(shop.service.requests.at(-1)?.url).toBe('/v1/customers/cus_1/transactions?limit=5');
    await shop.service.stop();
    // The kept connection's end arrives.
    await shop.quiet();
    expect(await shop.core.readTransaction('txn_000001')).toMatchObject({
      kind: 'unknown',
      cause: 'offline',
      recorded: 'no',
    });
  });
});
