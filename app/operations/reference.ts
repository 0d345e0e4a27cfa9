/** The agent's own id of an operation: `txn_local_` and the operation's id without dashes. */
const localPrefix = 'txn_local_';

export function transactionIdOf(operationId: string): string {
  return localPrefix + operationId.replaceAll('-', '');
}

/** The operation's id behind a `txn_local_...`, or null when it is not one of ours. */
export function operationIdOf(transactionId: string): string | null {
  if (!transactionId.startsWith(localPrefix)) return null;
  const hex = transactionId.slice(localPrefix.length);
  const match = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex);
  return match === null ? null : match.slice(1).join('-');
}

/** What a generated reference is made from. */
export interface ReferenceParts {
  readonly branchRef: string;
  readonly deviceRef: string;
  /** Random per database: a restored or cloned one never repeats a sequence. */
  readonly epoch: string;
  /** `2026-11-20`. */
  readonly businessDate: string;
  /** As typed; null when none was. */
  readonly receiptNumber: string | null;
  /** The row's own number, for a sale without a receipt's. */
  readonly sequence: number;
}

/** What a sequence looks like at the end of a reference. */
const sequenceShape = /^s\d+$/i;

/**
 * `{branch}-{device}-{epoch}-{yyyymmdd}-{receipt or sequence}` (design "References"). The sequence is written `s17`: a
 * receipt with the number 17 on the same day is another sale. A receipt that is itself called s17 becomes `r-s17`.
 */
export function makeReference(parts: ReferenceParts): string {
  const date = parts.businessDate.replaceAll('-', '');
  const { receiptNumber, sequence } = parts;
  const receipt = receiptNumber !== null && sequenceShape.test(receiptNumber) ? `r-${receiptNumber}` : receiptNumber;
  return `${parts.branchRef}-${parts.deviceRef}-${parts.epoch}-${date}-${receipt ?? `s${sequence}`}`;
}
