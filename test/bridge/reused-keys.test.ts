import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const send = (intent: 'earn' | 'redeem', key: string | null, ref: string) =>
  bridge.call(
    'POST',
    `/v1/transactions/${intent}`,
    { identifier: { loyalty_id: 'LC-1001' }, external_ref: ref, points: 10 },
    key === null ? {} : { 'idempotency-key': key },
  );
const reused = { code: 'DUPLICATE_TRANSACTION', details: ['idempotency_key_reused'] };

async function earned(key: string | null, ref: string) {
  const reply = await send('earn', key, ref);
  await shop.pass(5_000);
  return reply;
}
const recorded = (ref: string) => bridge.call('GET', `/v1/transactions?external_ref=${ref}`);

describe('an Idempotency-Key that a request under another reference has used', () => {
  test('at a redemption is 409 at once, and another key takes its reference', async () => {
    expect((await send('redeem', 'K-1', 'S-1')).status).toBe(200);
    const again = await send('redeem', 'K-1', 'S-2');
    expect(again.status).toBe(409);
    expect(again.json.error).toMatchObject(reused);
    expect((await send('redeem', 'K-2', 'S-2')).status).toBe(200);
  });

  test('at an earn is told by its transaction, and stays so for the same key', async () => {
    expect((await earned('K-1', 'R-1')).status).toBe(202);
    expect((await earned('K-1', 'R-2')).status).toBe(202);
    const again = await earned('K-1', 'R-2');
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({ status: 'failed', duplicate: true, error: reused });
    expect((await recorded('R-2')).json.data).toEqual([
      expect.objectContaining({ status: 'failed', error: expect.objectContaining(reused) }),
    ]);
  });

  test.each([
    ['another key', 'K-2'],
    ['no key', null],
  ])('at an earn is corrected by %s: it counts once', async (_, key) => {
    await earned('K-1', 'R-1');
    await earned('K-1', 'R-2');
    const corrected = await earned(key, 'R-2');
    expect(corrected.status).toBe(202);
    expect(corrected.json.duplicate).toBe(false);
    expect((await recorded('R-2')).json.data).toEqual([expect.objectContaining({ status: 'success', points: 10 })]);
    const repeated = await earned('K-3', 'R-2');
    expect(repeated.status).toBe(200);
    expect(repeated.json).toMatchObject({ status: 'success', duplicate: true });
  });

  test('at an earn is corrected by a manager, too: sent as new it goes without the key', async () => {
    await earned('K-1', 'R-1');
    await earned('K-1', 'R-2');
    const { operationId } = shop.operation('R-2');
    await shop.passUntil(shop.core.replace(operationId, { reason: 'sent as new', person: null }));
    await shop.pass(5_000);
    expect((await recorded('R-2')).json.data).toEqual([expect.objectContaining({ status: 'success', points: 10 })]);
  });
});
