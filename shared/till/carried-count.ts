import { countFields } from '../contract/value-fields.ts';

/** What an operation can count instead of money. */
export type CountUnit = (typeof countFields)[number];

/** A number of points (up to three decimals), whole stamps or whole visits. */
export interface CarriedCount {
  readonly unit: CountUnit;
  readonly value: number;
}

/**
 * @param carried at most one is set (decisions: an earn or a redeem with two of them is refused)
 * @returns null for money, a reward or a coupon
 */
export function carriedCount(carried: Readonly<Record<CountUnit, number | null>>): CarriedCount | null {
  for (const unit of countFields) {
    const value = carried[unit];
    if (value !== null) return { unit, value };
  }
  return null;
}
