// Only names, without schemas, so that the page can load them alone.

/** The values of an earn that are no money. */
export const countFields = ['points', 'stamps', 'visits'] as const;

/** The values of an earn, most of which a redemption can have, too (spec "Transaction"). */
export const valueFields = ['amount_minor', ...countFields] as const;
export type ValueField = (typeof valueFields)[number];

/** The values of a redemption, of which it has exactly one (spec "POST /transactions/redeem"). */
export const redeemValueFields = ['points', 'amount_minor', 'stamps', 'visits', 'coupon_code', 'reward'] as const;
