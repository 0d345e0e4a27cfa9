/** Leaves room in a reference of 255 characters for branch, device, epoch and date. */
export const maxReceiptNumberLength = 64;
