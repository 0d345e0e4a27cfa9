import { beforeEach, expect, test } from 'vitest';
import { callService } from '../support/call-service.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

// Another key may be another store's, whose books have their own R-1. What they do not show is not missing.

const minuteMs = 60_000;
const pointsAtFirst = 245.5;

let shop: CounterShop;
let otherKey: string;
beforeEach(async () => {
  shop = await openShop();
  otherKey = (await shop.call('POST', '/_sandbox/keys', { source: 'another' })).key;
});

const elsewhere = (method: string, path: string, body?: object) =>
  callService({ handle: (request) => shop.service.handle(request), apiKey: otherKey }, { method, path, body });
const heldElsewhere = async () => (await elsewhere('GET', '/v1/transactions?external_ref=R-1')).data;
const earnBody = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 10 };

async function compare({ resend }: { readonly resend: boolean }) {
  const range = { sinceMs: 0, untilMs: shop.clock.now() + 1, afterRowId: 0, resend };
  const part = await shop.passUntil(shop.core.verify(range));
  if (part.kind === 'out_of_reach') return expect.fail();
  const { checked, ofAnotherKey, differences } = part;
  return { checked, ofAnotherKey, found: differences.map(({ difference, resent }) => ({ difference, resent })) };
}

async function restart(key?: string): Promise<void> {
  await shop.stop();
  shop.start(key);
  await shop.pass(1_000);
}

/** A POS reverses here, by its reference, what another till of this shop has sold. */
async function reversedByReference(): Promise<void> {
  await shop.call('POST', '/v1/transactions/earn', earnBody);
  await shop.pass(5_000);
  const reversal = {
    intent: 'reverse',
    path: '/transactions/reverse',
    body: { external_ref: 'R-1', intent: 'earn', reversal_ref: 'V' },
    identifier: null,
  } as const;
  await shop.passUntil(shop.core.perform(shop.redemption('V', {}, reversal), { waitMs: 2_000 }));
  await shop.pass(10_000);
  expect(shop.operation('V', 'reverse')).toMatchObject({ state: 'applied', reversesRowId: null });
}

test('no sale is missing there, nor sent again: it goes on to stand under the first key', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  const before = shop.operation('R-1');
  await restart(otherKey);
  const nothing = { checked: 0, ofAnotherKey: 1, found: [] };
  expect(await compare({ resend: false })).toEqual(nothing);
  expect(await compare({ resend: true })).toEqual(nothing);
  await shop.pass(5 * minuteMs, 5_000);
  expect(shop.operation('R-1')).toEqual(before);
  expect(await heldElsewhere()).toEqual([]);
});

test('another store’s sale under the number is not called another request of this till’s', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  await elsewhere('POST', '/v1/transactions/earn', { ...earnBody, points: 99 });
  await shop.pass(5_000);
  await restart(otherKey);
  expect(await compare({ resend: false })).toEqual({ checked: 0, ofAnotherKey: 1, found: [] });
});

test('a reversal of another till’s sale reverses no other store’s', async () => {
  await reversedByReference();
  await elsewhere('POST', '/v1/transactions/earn', earnBody);
  await shop.pass(5_000);
  await restart(otherKey);
  expect(await compare({ resend: true })).toEqual({ checked: 0, ofAnotherKey: 1, found: [] });
  await shop.pass(2 * minuteMs, 1_000);
  expect(shop.operation('V', 'reverse').state).toBe('applied');
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test('a reversal that was to be sent again before the key was changed reverses no other store’s', async () => {
  await reversedByReference();
  await shop.loseBooks();
  otherKey = (await shop.call('POST', '/_sandbox/keys', { source: 'another' })).key;
  await elsewhere('POST', '/v1/transactions/earn', earnBody);
  await shop.pass(5_000);
  await shop.fault('/transactions/reverse', { type: 'offline' });
  expect(await compare({ resend: true })).toMatchObject({ found: [{ difference: 'missing', resent: true }] });
  await shop.stop();
  await shop.mend();
  shop.start(otherKey);
  await shop.pass(2 * minuteMs, 1_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test('a reversal of another till’s sale that is missing under its own key is sent again', async () => {
  await reversedByReference();
  await shop.loseBooks();
  await shop.call('POST', '/v1/transactions/earn', earnBody);
  await shop.pass(5_000);
  expect(await compare({ resend: true })).toMatchObject({ found: [{ difference: 'missing', resent: true }] });
  await shop.pass(minuteMs, 1_000);
  expect(shop.operation('V', 'reverse').state).toBe('applied');
  expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
});

test('another store’s sale with the same number and values is not reversed for one that was taken back at another till', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  await shop.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'earn', reversal_ref: 'X' });
  await elsewhere('POST', '/v1/transactions/earn', earnBody);
  await shop.pass(5_000);
  const undo = {
    origin: 'till',
    operationId: shop.newId(),
    reversalRef: null,
    reason: null,
    idempotencyKey: null,
  } as const;
  await shop.core.reverse(shop.operation('R-1').rowId, undo);
  await shop.pass(5_000);
  expect(shop.operation('R-1').state).toBe('reversed');
  await restart(otherKey);
  expect(await compare({ resend: true })).toEqual({ checked: 0, ofAnotherKey: 1, found: [] });
  await shop.pass(2 * minuteMs, 1_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test('a new key of the same partner, which shows the sale, compares it', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  await restart((await shop.call('POST', '/_sandbox/keys', {})).key);
  expect(await compare({ resend: false })).toEqual({ checked: 1, ofAnotherKey: 0, found: [] });
  await shop.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'earn', reversal_ref: 'X' });
  await shop.pass(5_000);
  expect(await compare({ resend: false })).toMatchObject({ found: [{ difference: 'reversed_there' }] });
});

test('what is missing under the first key is sent again when that key is back', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  await shop.loseBooks();
  otherKey = (await shop.call('POST', '/_sandbox/keys', { source: 'another' })).key;
  await restart(otherKey);
  expect(await compare({ resend: true })).toEqual({ checked: 0, ofAnotherKey: 1, found: [] });
  await restart();
  expect(await compare({ resend: true })).toMatchObject({ found: [{ difference: 'missing', resent: true }] });
  await shop.pass(minuteMs, 1_000);
  expect(shop.operation('R-1').state).toBe('applied');
  expect(await shop.points()).toBe(pointsAtFirst + 10);
});
