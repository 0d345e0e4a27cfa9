import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
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

test('a sale for an e-mail address is the same one when it comes again in other letters', async () => {
  const sell = (email: string) => shop.saveEarn('R-1', { identifier: { email }, points: 10 }, { origin: 'bridge' });
  expect(await sell('Sara@Example.com')).toMatchObject({ kind: 'saved', duplicate: false });
  expect(await sell('sara@example.com')).toMatchObject({ kind: 'saved', duplicate: true });
  expect(await sell('sarah@example.com')).toMatchObject({ kind: 'reference_taken', differingFields: ['identifier'] });
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

test.each([
  ['+965 5530 0003', 'done'],
  ['+96555300004', 'unknown'],
])(
  'an enrollment that the service answers with the one under way for +96555300003 is, for %s, %s',
  async (phone, kind) => {
    const enroll = (ref: string, asked: string) => {
      const body = { external_ref: ref, phone: asked };
      const part = { intent: 'enroll', path: '/customers/enroll', identifier: null, body } as const;
      return shop.passUntil(shop.core.perform(shop.redemption(`${ref}#1`, {}, part), { waitMs: 5_000 }));
    };
    const first = await enroll('E-1', '+96555300003');
    const { enrollment_id } = z
      .object({ enrollment_id: z.string() })
      .parse(first.kind === 'done' ? first.answer : null);
    const told = answerInstead(shop, callOf('POST', '/customers/enroll'), (own) => withFields(own, { enrollment_id }));
    expect((await enroll('E-2', phone)).kind).toBe(kind);
    if (kind === 'done') expect(told.count).toBe(1);
  },
);

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
