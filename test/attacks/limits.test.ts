import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databasePath } from '../../app/machine/data-files.ts';
import { correctSale } from '../../app/till/attention.ts';
import { reserve } from '../../app/till/holds.ts';
import { takeEarn } from '../../app/till/operations.ts';
import { takeRedemption } from '../../app/till/writes.ts';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, openShop } from '../support/open-shop.ts';

const identifier = { loyalty_id: 'LC-1001' };
const pin = '4711';
let pressCount = 0;
const press = () => ({
  operation_id: `00000000-0000-4000-a000-${String(++pressCount).padStart(12, '0')}`,
  identifier,
  customer_name: null,
});
/** A PIN is looked at by the machine's own time: both go on side by side. */
async function settled<Answer>(shop: CounterShop, asking: Promise<Answer>): Promise<Answer> {
  let isOver = false;
  const over = asking.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await shop.pass(50);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return over;
}
const passedAt = (shop: CounterShop) => shop.audited.filter(({ event }) => event === 'limit_passed');
const earnOf = (shop: CounterShop, value: object) =>
  settled(shop, takeEarn(shop.core, { ...press(), repeat: 'accepted', large: 'ask', ...value }));
const historyOf = (shop: CounterShop, reference: string) => {
  const [operation] = shop.core.operationsByReference(reference);
  return operation === undefined ? [] : shop.core.history(operation.rowId);
};

describe('a POS program', () => {
  it.each([
    [{ points: 1e12 }, 'max_points', 1_000_000],
    [{ stamps: 1_001 }, 'max_stamps', 1_000],
    [{ visits: 1_001 }, 'max_visits', 1_000],
    [{ amount_minor: 100_000_001 }, 'max_amount_minor', 100_000_000],
  ])('mints nothing above a limit: %j', async (value, limit, most) => {
    const { shop, bridge } = await openBridgedShop();
    const earn = { identifier, external_ref: 'R-1', ...value };
    const answer = await bridge.call('POST', '/v1/transactions/earn', earn);
    expect(answer.status).toBe(422);
    expect(answer.json.error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    expect(answer.json.error.details).toMatchObject([{ problem: 'above_limit', limit, value: most }]);
    await shop.pass(3_000);
    expect(await shop.held('R-1')).toEqual([]);
    const spent = await bridge.call('POST', '/v1/transactions/redeem', earn);
    expect(spent.json.error.details).toMatchObject([{ problem: 'above_limit', limit }]);
  });

  it('takes no more in small parts within an hour, nor after a restart, and a repeat is no second sale', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100, max_rewards_per_hour: 2 } };
    shop.start();
    await shop.pass(1_000);
    for (let index = 0; index < 10; index += 1) await shop.saved(`R-${index}`, { identifier, points: 10 });
    const above = { kind: 'above_limit', limit: { name: 'max_points_per_hour', value: 100 } };
    expect(await shop.saveEarn('R-10', { identifier, points: 0.001 })).toMatchObject(above);
    expect(await shop.saveEarn('R-9', { identifier, points: 10 })).toMatchObject({ kind: 'saved', duplicate: true });
    await shop.stop();
    shop.start();
    expect(await shop.saveEarn('R-10', { identifier, points: 1 })).toMatchObject(above);
    await shop.pass(61 * 60_000, 60_000);
    expect(await shop.saveEarn('R-10', { identifier, points: 1 })).toMatchObject({ kind: 'saved' });
  });

  it.each([
    ['reward', { reward: true }],
    ['coupon_code', { coupon_code: 'CPN-1' }],
  ])(
    'is told the field that it has sent, where an hour brings no more rewards and coupons: %s',
    async (field, value) => {
      const shop = await openShop();
      await shop.stop();
      shop.settings = { limits: { max_rewards_per_hour: 1 } };
      shop.start();
      await shop.pass(1_000);
      const bridge = await serveCore(shop.core);
      onTestFinished(() => bridge.close());
      const redeem = (external_ref: string) =>
        shop.passUntil(bridge.call('POST', '/v1/transactions/redeem', { identifier, external_ref, ...value }));
      await redeem('R-1');
      const answer = await redeem('R-2');
      expect(answer.json.error.details).toMatchObject([
        { field, problem: 'above_limit', limit: 'max_rewards_per_hour' },
      ]);
    },
  );

  it('does not count a day that a wrong clock has dated ahead as the hour before a restart', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100 } };
    shop.setTillClock(30 * 24 * 3_600_000);
    shop.start();
    await shop.pass(1_000);
    for (let index = 0; index < 10; index += 1) await shop.saved(`R-${index}`, { identifier, points: 10 });
    await shop.pass(61 * 60_000, 60_000);
    await shop.saved('R-10', { identifier, points: 90 });
    await shop.stop();
    shop.setTillClock(-30 * 24 * 3_600_000);
    shop.start();
    expect(await shop.saveEarn('R-11', { identifier, points: 11 })).toMatchObject({ kind: 'above_limit' });
    expect(await shop.saveEarn('R-11', { identifier, points: 10 })).toMatchObject({ kind: 'saved' });
  });

  it('gets nothing back of an hour by a clock that is set back before a restart, nor by one more restart', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100 } };
    shop.start();
    await shop.pass(1_000);
    for (let index = 0; index < 9; index += 1) await shop.saved(`R-${index}`, { identifier, points: 10 });
    await shop.stop();
    shop.setTillClock(-61 * 60_000);
    shop.start();
    expect(await shop.saveEarn('R-9', { identifier, points: 11 })).toMatchObject({ kind: 'above_limit' });
    await shop.saved('R-9', { identifier, points: 10 });
    await shop.stop();
    shop.start();
    expect(await shop.saveEarn('R-10', { identifier, points: 1 })).toMatchObject({ kind: 'above_limit' });
    await shop.pass(61 * 60_000, 60_000);
    expect(await shop.saveEarn('R-10', { identifier, points: 1 })).toMatchObject({ kind: 'saved' });
  });

  it('takes nothing more in an hour of which somebody has written more into the file than can be added up', async () => {
    const shop = await openShop();
    for (let index = 0; index < 3; index += 1) await shop.saved(`R-${index}`, { identifier, amount_minor: 10 });
    await shop.stop();
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.exec('UPDATE operations SET amount_minor = 9223372036854775807');
    database.close();
    shop.start();
    for (const readBefore of shop.core.firstUses) readBefore();
    expect(await shop.saveEarn('R-10', { identifier, amount_minor: 1 })).toMatchObject({
      kind: 'above_limit',
      limit: { name: 'max_amount_per_hour_minor' },
    });
  });
});

describe('codes to one phone', () => {
  it('are not asked for again and again under new references, however the number is written', async () => {
    const { shop, bridge } = await openBridgedShop();
    const enroll = (external_ref: string, phone: string) =>
      shop.passUntil(bridge.call('POST', '/v1/customers/enroll', { external_ref, phone, name: 'Noura' }));
    const written = ['55519876', '+965 5551 9876', '0096555519876', '5551-9876', '(965) 55519876'];
    for (const [index, phone] of written.entries()) expect((await enroll(`E-${index}`, phone)).status).toBe(202);
    const more = await enroll('E-9', '٥٥٥١٩٨٧٦');
    expect(more.status).toBe(422);
    expect(more.json.error.details).toMatchObject([{ field: 'phone', limit: 'max_enrollments_per_phone_per_hour' }]);
    for (const extension of [' ext 1', ';ext=77', ' x9', '#5', ' ext. ٣']) {
      expect((await enroll('E-9', `55519876${extension}`)).status, extension).toBe(422);
    }
    expect((await enroll('E-0', '55519876')).status).toBe(202);
    expect((await enroll('F-1', '55511111')).status).toBe(202);
    await shop.pass(61 * 60_000, 60_000);
    expect((await enroll('E-9', '55519876')).status).toBe(202);
  });

  it('are counted only for what was sent', async () => {
    const { shop, bridge } = await openBridgedShop();
    const enroll = async (external_ref: string) => {
      const body = { external_ref, phone: '55519876', name: 'Noura' };
      const { status, json } = await shop.passUntil(bridge.call('POST', '/v1/customers/enroll', body));
      return { status, details: json.error?.details };
    };
    for (let index = 0; index < 3; index += 1) {
      await shop.fault('/customers/enroll', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 1 }, 1);
      expect(await enroll(`E-${index}`)).toMatchObject({ status: 429 });
      await shop.pass(2_000);
    }
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.exec("CREATE TRIGGER full BEFORE INSERT ON operations BEGIN SELECT RAISE(ABORT, 'full'); END");
    for (let index = 3; index < 6; index += 1) {
      expect(await enroll(`E-${index}`)).toEqual({ status: 500, details: ['not_saved'] });
    }
    database.exec('DROP TRIGGER full');
    database.close();
    expect(shop.errors.splice(0)).not.toEqual([]);
    for (let index = 0; index < 5; index += 1) expect((await enroll(`S-${index}`)).status).toBe(202);
    // What is not sent under a number gives nothing back of what was sent under it.
    await shop.fault('/customers/enroll', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 1 }, 1);
    expect((await enroll('S-0')).status).toBe(429);
    await shop.pass(2_000);
    expect((await enroll('S-9')).status).toBe(422);
  });
});

describe('a cashier', () => {
  it('is asked by the agent, not by the page alone, to look twice at a large amount', async () => {
    const shop = await openShop();
    const large = { amount_minor: 1_000_001, receipt_number: '1' };
    expect(await earnOf(shop, large)).toMatchObject({ ok: false, error: { code: 'looks_large' } });
    expect(await earnOf(shop, { ...large, large: 'accepted' })).toMatchObject({ ok: true });
  });

  it('passes a limit with a manager alone, whose name stands in the history', async () => {
    const shop = await openShop();
    const points = { points: 1_000_001, receipt_number: '2' };
    expect(await earnOf(shop, points)).toMatchObject({ error: { code: 'above_limit', field: 'points' } });
    await shop.core.people.addManager('Noura', pin);
    expect(await earnOf(shop, points)).toMatchObject({ error: { code: 'pin_needed' } });
    expect(await earnOf(shop, { ...points, pin: '9999' })).toMatchObject({ error: { code: 'pin_wrong' } });
    const taken = await earnOf(shop, { ...points, pin });
    if (!taken.ok) throw new Error(taken.error.code);
    const told = historyOf(shop, taken.value.operation.external_ref);
    expect(JSON.stringify(told)).toContain('above limits.max_points (1000000)');
    expect(JSON.stringify(told)).toContain('Noura');
    expect(passedAt(shop)).toEqual([
      { event: 'limit_passed', limit: 'max_points', operation_id: taken.value.operation.operation_id, by: 'Noura' },
    ]);
  });

  it('holds more than a limit for an order with a manager alone, whose name stands in the history', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points: 30 } };
    shop.start();
    await shop.pass(1_000);
    const { operation_id } = press();
    const hold = (more: object) =>
      settled(shop, reserve(shop.core, { ...press(), operation_id, points: 40, ttl_minutes: 15, ...more }));
    expect(await hold({})).toMatchObject({ error: { code: 'above_limit', field: 'points' } });
    await shop.core.people.addManager('Noura', pin);
    expect(await hold({})).toMatchObject({ error: { code: 'pin_needed' } });
    expect(await hold({ pin: '9999' })).toMatchObject({ error: { code: 'pin_wrong' } });
    expect(await hold({ pin })).toMatchObject({ ok: true, value: { holds: [{ points: 40, state: 'reserved' }] } });
    expect(passedAt(shop)).toMatchObject([{ limit: 'max_points', operation_id, by: 'Noura' }]);
    const row = shop.core.operationById(operation_id);
    expect(JSON.stringify(row === null ? null : shop.core.history(row.rowId))).toContain('Noura');
  });

  it('does not lose its hour to redemptions that the service refuses, after a restart neither; rewards count', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100, max_rewards_per_hour: 1 } };
    shop.start();
    await shop.pass(1_000);
    const redeem = (value: object) => settled(shop, takeRedemption(shop.core, { ...press(), ...value }));
    const refusal = { type: 'error', status: 422, code: 'INSUFFICIENT_BALANCE' };
    for (let time = 0; time < 4; time += 1) {
      await shop.fault('/transactions/redeem', refusal, 1);
      expect(await redeem({ points: 60 })).toMatchObject({ error: { code: 'refused' } });
    }
    await shop.stop();
    shop.start();
    await shop.pass(1_000);
    expect(await redeem({ points: 60 })).toMatchObject({ ok: true });
    expect(await redeem({ points: 60 })).toMatchObject({ error: { code: 'above_limit' } });
    await shop.fault('/transactions/redeem', { ...refusal, code: 'CARD_NOT_ELIGIBLE' }, 1);
    expect(await redeem({ reward: true })).toMatchObject({ error: { code: 'refused' } });
    expect(await redeem({ reward: true })).toMatchObject({ error: { code: 'above_limit' } });
  });

  it('counts a cart once, however often a POS program asks for it to be held', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100 } };
    shop.start();
    await shop.pass(1_000);
    const bridge = await serveCore(shop.core);
    onTestFinished(() => bridge.close());
    const hold = (cart: string) =>
      shop.passUntil(bridge.call('POST', '/v1/redemptions/reserve', { identifier, external_ref: cart, points: 60 }));
    await shop.fault('/redemptions/reserve', { type: 'drop_response' }, 1);
    expect((await hold('CART-1')).status).toBe(504);
    for (let time = 0; time < 3; time += 1) expect((await hold('CART-1')).status).toBe(200);
    expect(await hold('CART-2')).toMatchObject({
      status: 422,
      json: { error: { details: [{ problem: 'above_limit' }] } },
    });
  });

  it('gives so many rewards in an hour, and more with a manager', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_rewards_per_hour: 1 } };
    shop.start();
    await shop.pass(1_000);
    await shop.core.people.addManager('Noura', pin);
    const claim = (more: object) => settled(shop, takeRedemption(shop.core, { ...press(), reward: true, ...more }));
    // Whether the card has one is the service's affair: the first is counted, the next is not even asked for.
    const first = await claim({});
    expect(first.ok || first.error.code === 'refused').toBe(true);
    expect(await claim({})).toMatchObject({ error: { code: 'pin_needed' } });
    const allowed = await claim({ pin });
    expect(passedAt(shop)).toMatchObject([{ limit: 'max_rewards_per_hour', by: 'Noura' }]);
    expect(allowed.ok || allowed.error.code === 'refused').toBe(true);
  });

  it('corrects no sale to another customer’s card, nor above a limit', async () => {
    const shop = await openShop();
    const { operationId } = await shop.saved('R-1', { identifier: { external_id: 'crm-1009' }, amount_minor: 2_000 });
    await shop.pass(2_000);
    const others = (await shop.call('POST', '/v1/customers/identify', { loyalty_id: 'LC-1001' })).cards[0].card_id;
    const correct = (correction: object) =>
      settled(shop, correctSale(shop.core, { operation_id: operationId, reason: 'typed wrong', ...correction }));
    expect(await correct({ card_id: others })).toMatchObject({ error: { code: 'invalid', field: 'card_id' } });
    expect(await correct({ points: 1e9 })).toMatchObject({ error: { code: 'above_limit', field: 'points' } });
    await shop.core.people.addManager('Noura', pin);
    expect(await correct({ card_id: others })).toMatchObject({ error: { code: 'pin_needed' } });
    expect(await correct({ amount_minor: 100_000_001 })).toMatchObject({ error: { code: 'pin_needed' } });
    expect(shop.core.operationById(operationId)?.state).toBe('refused');
    expect(await correct({ amount_minor: 100_000_001, pin })).toMatchObject({ ok: true });
    expect(JSON.stringify(historyOf(shop, 'R-1'))).toContain('Noura');
    expect(passedAt(shop)).toEqual([
      { event: 'limit_passed', limit: 'max_amount_minor', operation_id: operationId, by: 'Noura' },
    ]);
  });

  it('counts a correction within the hour by what it adds, and one that was not done not at all', async () => {
    const shop = await openShop();
    await shop.stop();
    shop.settings = { limits: { max_points_per_hour: 100 } };
    shop.start();
    await shop.pass(1_000);
    const refused = async (ref: string) => {
      await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
      const { operationId } = await shop.saved(ref, { identifier, points: 10 });
      await shop.pass(2_000);
      expect(shop.core.operationById(operationId)?.state).toBe('refused');
      return (more: object) =>
        settled(shop, correctSale(shop.core, { operation_id: operationId, reason: 'typed wrong', ...more }));
    };
    const [one, other] = [await refused('R-1'), await refused('R-2')];
    const above = { error: { code: 'above_limit', field: 'points', details: [100, 'max_points_per_hour'] } };
    // 20 are counted already.
    expect(await one({ points: 91 })).toMatchObject(above);
    expect(await one({ points: 60 })).toMatchObject({ ok: true });
    // It is on its way by now: what was not done takes nothing.
    expect(await one({ points: 70 })).toMatchObject({ error: { code: 'not_now' } });
    expect(await shop.saveEarn('R-3', { identifier, points: 30 })).toMatchObject({ kind: 'saved' });
    expect(await other({ points: 11 })).toMatchObject(above);
    await shop.core.people.addManager('Noura', pin);
    expect(await other({ points: 11 })).toMatchObject({ error: { code: 'pin_needed' } });
    expect(await other({ points: 11, pin })).toMatchObject({ ok: true });
    expect(passedAt(shop)).toMatchObject([{ limit: 'max_points_per_hour', by: 'Noura' }]);
    expect(await shop.saveEarn('R-4', { identifier, points: 1 })).toMatchObject({ kind: 'above_limit' });
  });
});
