import { describe, expect, it } from 'vitest';
import { differingFields } from '../../shared/contract/differing-fields.ts';

const redemption = { identifier: { customer_id: 'cus_1' }, card_id: 'card_1', points: 40 };
const sale = { identifier: { loyalty_id: 'LC-1' }, amount_minor: 12_500, currency: 'KWD' };
const coupon = { identifier: { loyalty_id: 'LC-1' }, coupon_code: 'CPN-7' };

describe('a record beside the request that it is said to be of', () => {
  it.each([
    ['says the same', redemption, { points: 40, card_id: 'card_1', customer_id: 'cus_1' }, []],
    ['says less', redemption, {}, []],
    ['has another value', redemption, { points: 41 }, ['points']],
    ['has no value of this kind', redemption, { points: null }, ['points']],
    ['has a value that was not asked for', redemption, { points: 40, stamps: 2 }, ['stamps']],
    ['is of another card', redemption, { points: 40, card_id: 'card_2' }, ['card_id']],
    ['names no card', redemption, { points: 40, card_id: null }, []],
    ['is of another customer', redemption, { points: 40, customer_id: 'cus_2' }, ['customer_id']],
    ['names a card where none was asked for', sale, { amount_minor: 12_500, card_id: 'card_2' }, []],
    ['is in another currency', sale, { amount_minor: 12_500, currency: 'USD' }, ['currency']],
    ['tells a currency beside points', redemption, { points: 40, currency: 'USD' }, []],
    ['is of another coupon', coupon, { card_id: 'CPN-8' }, ['card_id']],
    ['is of the same coupon', coupon, { card_id: 'CPN-7' }, []],
    [
      'is of something else altogether',
      redemption,
      { amount_minor: 5, points: null, card_id: 'card_2', customer_id: 'cus_2' },
      ['amount_minor', 'points', 'card_id', 'customer_id'],
    ],
  ])('%s', (_, request, held, differing) => {
    expect(differingFields(request, held)).toEqual(differing);
  });

  it('differs from a request that is no object in all that it tells', () => {
    expect(differingFields(null, { points: 40, stamps: null })).toEqual(['points']);
  });
});
