/** Leaves room in a reference of 255 characters for branch, device, epoch and date. */
export const maxReceiptNumberLength = 64;
/** What a badge says, in UTF-16 units. */
export const maxBadgeLength = 64;
