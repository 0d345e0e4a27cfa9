import { beforeEach, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const earn = (phone: string) => shop.saveEarn('R-1', { identifier: { phone }, points: 10 }, { origin: 'bridge' });

// One form in the POS program's customer list, another in what the cashier types: one number (spec "Identifier").
test.each([
  ['+96599887766', '+965 9988 7766'],
  ['+96599887766', '00965 9988-7766'],
  ['99887766', '9988 7766'],
  ['+1 (202) 555.0123', '+12025550123'],
])('a sale for the phone %s is the same one when it comes again for %s', async (first, again) => {
  expect(await earn(first)).toMatchObject({ kind: 'saved', duplicate: false });
  expect(await earn(again)).toMatchObject({ kind: 'saved', duplicate: true });
});

// Whose country a number without one has is the service's to say, and two customers' sales must not become one.
test.each([
  ['99887766', '+96599887766'],
  ['50001001', '+97150001001'],
  ['99887766', '99887767'],
  ['1-800-FLOWERS', '1-800-FLOWERZ'],
  ['9988 7766 ext 1', '9988 7766 ext 2'],
])('a sale for the phone %s is another one for %s', async (first, other) => {
  await earn(first);
  expect(await earn(other)).toMatchObject({ kind: 'reference_taken', differingFields: ['identifier'] });
});

test('a redemption whose answer was lost is found out for the same phone in another form', async () => {
  const redeem = (phone: string) => {
    const identifier = { phone };
    const part = { identifier, body: { identifier, external_ref: 'P-1', points: 5 } };
    return shop.passUntil(shop.core.perform(shop.redemption('P-1', { points: 5 }, part), { waitMs: 0 }));
  };
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  expect(await redeem('+96599887766')).toMatchObject({ kind: 'unknown' });
  expect(await redeem('+965 9988 7766')).toMatchObject({ kind: 'done', duplicate: true });
});
