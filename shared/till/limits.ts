/** The limit leaves room in a reference of 255 characters for branch, device, epoch and date. */
export const maxReceiptNumberLength = 64;
/** How many of a customer's cards the history is asked for. */
export const mostHistoryCards = 100;
/** The longest badge number, in UTF-16 units. */
export const maxBadgeLength = 64;
/** The longest name of a manager or a cashier, in UTF-16 units. */
export const maxNameLength = 64;
/** The longest PIN, in digits. */
export const maxPinLength = 12;
/** A PIN that may be set. It must not be one digit repeated either. */
export const pinShape = new RegExp(`^\\d{4,${maxPinLength}}$`);

export function isOneDigitRepeated(pin: string): boolean {
  return /^(\d)\1*$/.test(pin);
}

/** The longest name of a POS program's token, and the longest prefix of its references. */
export const maxTokenNameLength = 32;
export const maxPrefixLength = 16;
/**
 * Within this time the same customer and value look like one operation that was entered twice (design "An entry per
 * operation").
 */
export const repeatWindowMs = 10 * 60_000;
/**
 * The largest difference between the till's clock and the service's before the till corrects its times (design
 * "Clock").
 */
export const greatestSkewMs = 60_000;

/** Whether a clock, or a time, is so far from the one that it is compared with. @param differenceMs either way */
export function isClockFar(differenceMs: number): boolean {
  return Math.abs(differenceMs) > greatestSkewMs;
}

/** The settings `limits.*` of what is earned or spent, which only a manager may pass. */
export const limitNames = [
  'max_amount_minor',
  'max_points',
  'max_stamps',
  'max_visits',
  'max_amount_per_hour_minor',
  'max_points_per_hour',
  'max_stamps_per_hour',
  'max_visits_per_hour',
  'max_rewards_per_hour',
] as const;
export type LimitName = (typeof limitNames)[number];
