/** Leaves room in a reference of 255 characters for branch, device, epoch and date. */
export const maxReceiptNumberLength = 64;
/** What a badge says, in UTF-16 units. */
export const maxBadgeLength = 64;
/** Within this time the same customer and value look like one operation entered twice (design "An entry per operation"). */
export const repeatWindowMs = 10 * 60_000;
/** A till's clock may be this far from the service's before its word is corrected (design "Clock"). */
export const greatestSkewMs = 60_000;
