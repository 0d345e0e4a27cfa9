import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';
import { withoutDate } from '../support/without-date.ts';

const dayMs = 86_400_000;
const waits = { waitMs: 120_000 };
const decider = { person: 'Mona', reason: 'asked by the shop' };

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const only = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const bodyOf = (operation: Operation) => shop.core.sentRequest(operation.rowId)?.body;

const ofFatima = { customerName: 'Fatima', idempotencyKey: 'key-of-fatima' };
const save = (ref: string, request: object = {}) => shop.saveEarn(ref, { points: 10, ...request }, ofFatima);

const earn = (ref: string, request: object = {}) => shop.saved(ref, { points: 10, ...request }, ofFatima);

const undo = (operation: Operation) =>
  shop.core.reverse(operation.rowId, {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  });

/** So many days later, after the till was started again. */
async function later(days: number): Promise<void> {
  await shop.stop();
  shop.clock.jump(days * dayMs);
  shop.start();
  await shop.pass(75_000, 1_000);
}

test('a date that is set ahead erases nobody while the service tells the time', async () => {
  await earn('R-1');
  await shop.pass(5_000);
  shop.setTillClock(31 * dayMs);
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).not.toBeNull();
  shop.clock.jump(31 * dayMs);
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).toBeNull();
});

test('a date that is set ahead without a line erases nobody in that run', async () => {
  await earn('R-1');
  await shop.pass(5_000);
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(60_000, 1_000);
  shop.setTillClock(31 * dayMs);
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).not.toBeNull();
});

test('a date that was set ahead before a start erases nobody: without a line, nor when it is back', async () => {
  await earn('R-1');
  await shop.pass(5_000);
  await shop.stop();
  await shop.fault('/*', { type: 'offline' });
  shop.setTillClock(31 * dayMs);
  shop.start();
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).not.toBeNull();
  await shop.mend();
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).not.toBeNull();
});

// What the till's own clock has written of it says 40 days ago; the service has told when it was completed.
test('a sale that was settled while the date was behind is kept as long as any other', async () => {
  shop.setTillClock(-40 * dayMs);
  await earn('R-1');
  await shop.pass(5_000);
  shop.setTillClock(40 * dayMs);
  await shop.pass(2 * 3_600_000, 10_000);
  expect(only('R-1').identifier).not.toBeNull();
  await later(31);
  expect(only('R-1').identifier).toBeNull();
});

describe('where the answers have no Date', () => {
  beforeEach(() => {
    shop.meddle = withoutDate;
  });

  test('customers are erased in time by what the service has told of their sales', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    await later(31);
    await shop.saved('R-2');
    await shop.pass(2 * 3_600_000, 10_000);
    expect([only('R-1').identifier, only('R-2').identifier]).toEqual([null, expect.anything()]);
  });

  test('a date that was set ahead before a start erases nobody', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    await shop.stop();
    shop.setTillClock(31 * dayMs);
    shop.start();
    await shop.pass(2 * 3_600_000, 10_000);
    expect(only('R-1').identifier).not.toBeNull();
  });
});

describe('an operation that was erased', () => {
  test('has no customer, request or answer, and keeps values, references and totals', async () => {
    await earn('R-1', { card_id: await pointsCard(), metadata: { note: 'Fatima' } });
    await shop.pass(5_000);
    await shop.core.perform(shop.redemption('R-2', { points: 40 }), waits);
    const [before, spent] = [only('R-1'), only('R-2', 'redeem')];
    await later(31);
    expect(shop.audited).toEqual([{ event: 'erased', what: 'retention', count: 2, by: null }]);
    expect(only('R-1')).toEqual({
      ...before,
      identifier: null,
      customerName: null,
      cardId: null,
      serviceCustomerId: null,
      serviceCardId: null,
      newBalances: null,
    });
    expect(only('R-2', 'redeem')).toMatchObject({
      identifier: null,
      customerName: null,
      answer: null,
      points: spent.points,
      newBalances: null,
      serviceTransactionId: spent.serviceTransactionId,
    });
    expect(bodyOf(before)).toBeNull();
    expect(shop.core.sentRequest(before.rowId)?.idempotencyKey).toBeNull();
    expect(shop.core.history(before.rowId).map(({ to }) => to)).toEqual(['queued', 'sending', 'accepted', 'applied']);
  });

  test('keeps of an error what it was, and none of its words', async () => {
    await earn('R-1', { identifier: { phone: '+96599999999' } });
    await shop.pass(5_000);
    await shop.core.writeOff(only('R-1').operationId, decider);
    expect(only('R-1').error?.message).toContain('customer');
    await later(31);
    expect(only('R-1')).toMatchObject({ state: 'written_off', error: { code: 'CUSTOMER_NOT_FOUND' } });
    expect(only('R-1').error?.message).toBe('Erased after the retention time.');
    expect(only('R-1').error).not.toHaveProperty('details');
  });

  test('is no other sale’s twin: its reference stays taken, and whoever asks is told so', async () => {
    const card_id = await pointsCard();
    await earn('R-1', { card_id });
    await shop.pass(5_000);
    await later(31);
    expect(only('R-1').identifier).toBeNull();
    expect(await save('R-1', { card_id })).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['erased', 'occurred_at'],
      firstBusinessDate: '2026-11-20',
    });
    expect(await save('R-1', { card_id, points: 11 })).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['erased', 'points', 'occurred_at'],
    });
  });

  test('is no other redemption’s twin either', async () => {
    const redeem = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 40 };
    await shop.core.perform(shop.redemption('R-1', { points: 40 }), waits);
    await later(31);
    const bridge = await serveCore(shop.core);
    const again = await bridge.call('POST', '/v1/transactions/redeem', redeem);
    expect(again.status).toBe(409);
    expect(again.json.error.details).toEqual(['erased', 'business_date', { first_business_date: '2026-11-20' }]);
    expect(bridge.faults).toEqual([]);
    await bridge.close();
    expect(await shop.points()).toBe(205.5);
  });

  test('is no other enrollment’s twin: nobody is enrolled by the code of another’s', async () => {
    const enroll = async (phone: string, externalRef = 'E-1') => {
      const bridge = await serveCore(shop.core);
      const answer = await bridge.call('POST', '/v1/customers/enroll', { external_ref: externalRef, phone });
      await bridge.close();
      return answer;
    };
    expect((await enroll('+96550010010')).status).toBe(202);
    await later(31);
    const conflict = { status: 409, json: { error: { code: 'DUPLICATE_TRANSACTION', details: ['erased'] } } };
    expect(await enroll('+96550010022')).toMatchObject(conflict);
    expect((await enroll('+96550010022', 'E')).status).toBe(202);
  });

  test('can be taken back', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    await later(31);
    expect(await undo(operation)).toMatchObject({ kind: 'saved', duplicate: false });
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('is taken back though an earlier reversal of it came to nothing and was erased', async () => {
    await shop.call('PATCH', '/_sandbox/settings', { offline_window_hours: 1_000 });
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const operation = await earn('R-1');
    await undo(operation);
    await shop.pass(10_000);
    expect([only('R-1').state, only('reverse-earn-R-1', 'reverse').state]).toEqual(['cancelled', 'cancelled']);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await shop.saved('R-1', { points: 20 }, { customerName: 'Fatima' });
    await later(25);
    await shop.mend();
    await shop.pass(60_000);
    await later(6);
    expect(bodyOf(only('reverse-earn-R-1', 'reverse'))).toBeNull();
    expect(only('R-1')).toMatchObject({ state: 'applied', customerName: 'Fatima' });
    expect(await undo(operation)).toMatchObject({ kind: 'saved' });
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('is not sent again: what would be sent is gone', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    const operation = await earn('R-1');
    await undo(operation);
    await shop.mend();
    await later(31);
    expect(only('R-1')).toMatchObject({ state: 'cancelled', identifier: null });
    expect(await shop.core.resend(operation.operationId, decider)).toMatchObject({ kind: 'not_now' });
    await shop.pass(10_000);
    expect(only('R-1').state).toBe('cancelled');
  });
});

describe('the retention time', () => {
  test('leaves alone what waits for the line or for a person, however old', async () => {
    await earn('REFUSED', { identifier: { phone: '+96599999999' } });
    await shop.pass(5_000);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('QUEUED');
    await later(400);
    expect(only('REFUSED')).toMatchObject({ state: 'refused', customerName: 'Fatima' });
    expect(only('QUEUED')).toMatchObject({ state: 'queued', customerName: 'Fatima' });
    expect(bodyOf(only('REFUSED'))).toContain('96599999999');
  });

  test('is looked at every hour, and what was erased is in no file', async () => {
    await earn('R-1', { metadata: { note: 'written-by-hand' } });
    await shop.pass(5_000);
    await shop.core.identify({ loyalty_id: 'LC-1001' });
    await shop.pass(60_000, 1_000);
    shop.clock.jump(31 * dayMs);
    await shop.pass(3_540_000, 30_000);
    expect(only('R-1').identifier).not.toBeNull();
    await shop.pass(90_000, 1_000);
    expect(only('R-1').identifier).toBeNull();
    const files = readdirSync(shop.dataDir).filter((name) => name.startsWith('sandbox.sqlite'));
    expect(files).toContain('sandbox.sqlite-wal');
    for (const name of files) {
      const text = readFileSync(join(shop.dataDir, name), 'latin1');
      for (const secret of ['LC-1001', 'Fatima', 'key-of-fatima', 'written-by-hand']) {
        expect(`${name} ${text.includes(secret)}`).toBe(`${name} false`);
      }
    }
  });
});

/** A card of LC-1001 that earns points. */
async function pointsCard(): Promise<string> {
  const { cards } = await shop.call('POST', '/v1/customers/identify', { loyalty_id: 'LC-1001' });
  return cards[0].card_id;
}
