import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import { CounterShop } from '../support/counter-shop.ts';

// A till of many on one key: what it calls R-1 is its own.
let shop: CounterShop;
let bridge: Awaited<ReturnType<typeof serveCore>>;
beforeEach(async () => {
  shop = new CounterShop();
  await restart('S7-');
});
afterEach(async () => {
  expect(bridge.faults).toEqual([]);
  expect(shop.errors).toEqual([]);
  await bridge.close();
  await shop.end();
});

/** The agent starts again, with this `reference_prefix`. */
async function restart(reference_prefix: string | null): Promise<void> {
  await bridge?.close();
  await shop.stop();
  shop.settings = { reference_prefix };
  shop.start();
  await shop.pass(1_000);
  bridge = await serveCore(shop.core);
}

const identifier = { loyalty_id: 'LC-1001' };
const asPrefixed = { authorization: 'Bearer tb_local_prefixed' };
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  shop.passUntil(bridge.call('POST', `/v1${path}`, body, headers));
const get = (path: string) => shop.passUntil(bridge.call('GET', `/v1${path}`));
const earn = { identifier, external_ref: 'R-1', points: 5 };

/** @param time of a day in UTC @returns how long it is until then, in milliseconds */
function untilTimeOfDay(time: string): number {
  const nowMs = shop.clock.now();
  const sameDayMs = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T${time}`);
  return sameDayMs > nowMs ? sameDayMs - nowMs : sameDayMs - nowMs + 24 * 3_600_000;
}

describe('the till’s prefix', () => {
  test('stands before the references of the first program, of the others and of the screen, and in no answer', async () => {
    await post('/transactions/earn', earn);
    await post('/transactions/earn', earn, asPrefixed);
    const screen = await shop.core.saveEarn({
      origin: 'till',
      operationId: shop.newId(),
      request: { identifier, points: 5 },
      customerName: null,
      receiptNumber: '17',
      idempotencyKey: null,
    });
    await shop.pass(5_000);
    expect(await shop.held('S7-R-1')).toHaveLength(1);
    expect(await shop.held('S7-B-R-1')).toHaveLength(1);
    expect(await shop.held('R-1')).toEqual([]);
    expect(screen.kind === 'saved' && screen.operation.externalRef).toMatch(/^S7-main-till1-.*-17$/);
    expect(shop.core.newReference(null)).toMatch(/^S7-main-/);
    const read = await get('/transactions?external_ref=R-1');
    expect(read.json.data).toMatchObject([{ external_ref: 'R-1', status: 'success' }]);
    expect(JSON.stringify(read.json)).not.toContain('S7-');
  });

  test('leaves a reference of another shop alone', async () => {
    await shop.call('POST', '/v1/transactions/earn', { ...earn, points: 9 });
    await post('/transactions/earn', earn);
    await shop.pass(5_000);
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([{ points: 5, status: 'success' }]);
  });
});

describe.each([
  ['from none to one', null, 'S7-'],
  ['from one to another', 'S7-', 'S8-'],
  ['from one to none', 'S7-', null],
])('a prefix that is changed %s', (_, before, after) => {
  beforeEach(() => restart(before));
  const [old, fresh] = [before ?? '', after ?? ''];

  test('makes no second sale of one that is resent', async () => {
    const first = await post('/transactions/earn', earn);
    const redeem = { identifier, external_ref: 'R-2', points: 3 };
    await post('/transactions/redeem', redeem);
    await shop.pass(5_000);
    await restart(after);
    const again = await post('/transactions/earn', earn);
    expect(again.json).toMatchObject({ transaction_id: first.json.transaction_id, duplicate: true });
    expect((await post('/transactions/redeem', redeem)).json).toMatchObject({ duplicate: true, external_ref: 'R-2' });
    await shop.pass(5_000);
    expect(await shop.points()).toBe(247.5);
    expect((await post('/transactions/earn', { ...earn, points: 6 })).status).toBe(409);
  });

  test('makes no second sale of one that is resent a minute later, on the next business day', async () => {
    // Five in the morning in Kuwait, when the shop's day begins.
    await shop.pass(untilTimeOfDay('01:59:30Z'), 60_000);
    const first = await post('/transactions/earn', earn);
    await restart(after);
    await shop.pass(60_000);
    const again = await post('/transactions/earn', earn);
    expect(again.json).toMatchObject({ transaction_id: first.json.transaction_id, duplicate: true });
  });

  test.each([-24, 24])(
    'makes no second sale of one that is resent an hour later by a clock that is %i hours off',
    async (hours) => {
      shop.setTillClock(hours * 3_600_000);
      await shop.pass(60_000, 1_000);
      const first = await post('/transactions/earn', earn);
      await shop.pass(5_000);
      await restart(after);
      await shop.pass(3_600_000, 30_000);
      const again = await post('/transactions/earn', earn);
      expect(again.json).toMatchObject({ transaction_id: first.json.transaction_id, duplicate: true });
      expect(await shop.points()).toBe(250.5);
    },
  );

  test('keeps a sale within reach of reads and reversals', async () => {
    const first = await post('/transactions/earn', earn);
    await shop.pass(5_000);
    await restart(after);
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([{ external_ref: 'R-1' }]);
    const { receipt } = (await get('/agent/receipt?external_ref=R-1&locale=en')).json;
    expect(receipt.lines.join()).toMatch(/,Receipt: \u2066?R-1\u2069?,/);
    const undone = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
    expect(undone).toMatchObject({ status: 202, json: { reverses_transaction_id: first.json.transaction_id } });
    await shop.pass(10_000);
    expect(await shop.points()).toBe(245.5);
  });

  test('leaves the same number of another day to a sale that is handed over, and the cashier reads it without a prefix', async () => {
    await post('/transactions/earn', earn);
    await shop.pass(5_000);
    await restart(after);
    const handed = () => post('/agent/screen/sale', { amount_minor: 12500, external_ref: 'R-1' });
    expect((await handed()).status).toBe(409);
    await shop.pass(24 * 3_600_000, 600_000);
    expect((await handed()).status).toBe(200);
    expect(shop.core.screenSale.current).toMatchObject({ externalRef: `${fresh}R-1`, receiptNumber: 'R-1' });
  });

  test('tells the cashier the number of a refused sale that is handed over, without the prefix of then', async () => {
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    await post('/transactions/earn', earn);
    await shop.pass(2_000);
    await restart(after);
    expect((await post('/agent/screen/sale', { amount_minor: 12500, external_ref: 'R-1' })).status).toBe(200);
    expect(shop.core.screenSale.current).toMatchObject({ externalRef: `${old}R-1`, receiptNumber: 'R-1' });
  });

  test.each([
    ['a sale', false],
    ['a paid order', true],
  ])(
    'leaves the same number of another day, that of %s, to an order that is paid with a hold',
    async (_, isPaidBefore) => {
      const pay = async () => {
        const held = await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 3 });
        return post(`/redemptions/${held.json.reservation_id}/commit`, { external_ref: 'R-1' });
      };
      await post('/transactions/earn', earn);
      if (isPaidBefore) await pay();
      await shop.pass(5_000);
      await restart(after);
      await shop.pass(24 * 3_600_000, 600_000);
      expect((await pay()).status).toBe(200);
      expect(await post('/transactions/earn', earn)).toMatchObject({ status: 202, json: { duplicate: false } });
      await shop.pass(5_000);
      expect(shop.core.operationsByReference(`${fresh}R-1`).map(({ intent }) => intent)).toEqual(['commit', 'earn']);
    },
  );

  test('leaves the same number of another day to another sale', async () => {
    await post('/transactions/earn', earn);
    await shop.pass(5_000);
    await restart(after);
    await shop.pass(24 * 3_600_000, 600_000);
    expect((await post('/transactions/earn', earn)).json).toMatchObject({ duplicate: false });
    await shop.pass(5_000);
    expect(await shop.held(`${fresh}R-1`)).toHaveLength(1);
    expect(await shop.held(`${old}R-1`)).toHaveLength(1);
    expect(await shop.points()).toBe(255.5);
  });
});
