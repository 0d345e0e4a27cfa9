// Names alone, with nothing that checks: the page takes them in without the rest.

/** The name of a `card_type` number (spec "Card entry"). */
export const cardTypeNames = [
  'Stamp',
  'Cashback',
  'Subscription',
  'Coupon',
  'Discount',
  'Certificate',
  'Membership',
  'Reward',
] as const;
export type CardTypeName = (typeof cardTypeNames)[number];

/** What a card can support, in the specification's order (spec "Card entry"). */
export const cardOperations = [
  'earn_amount',
  'earn_points',
  'earn_stamp',
  'earn_visit',
  'redeem_amount',
  'redeem_points',
  'redeem_stamp',
  'redeem_visit',
  'redeem_reward',
  'redeem_coupon',
] as const;
export type CardOperation = (typeof cardOperations)[number];
