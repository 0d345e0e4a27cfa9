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
interface ReferenceParts {
  /** Setting `reference_prefix`; empty without one. */
  readonly prefix: string;
  readonly branchRef: string;
  readonly deviceRef: string;
  /** The database's for a receipt, this start's for a sequence: receipt 17 and the seventeenth sale are two sales. */
  readonly epoch: string;
  /** `2026-11-20`. */
  readonly businessDate: string;
  /** The receipt's number as typed, else the row's own number. */
  readonly last: string;
}

/** `{prefix}{branch}-{device}-{epoch}-{yyyymmdd}-{receipt or sequence}` (design "References"). */
export function makeReference(parts: ReferenceParts): string {
  const date = parts.businessDate.replaceAll('-', '');
  return `${parts.prefix}${parts.branchRef}-${parts.deviceRef}-${parts.epoch}-${date}-${parts.last}`;
}
