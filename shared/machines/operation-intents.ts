/** Every kind of write that the agent sends to the service (design "One idea: the operation"). */
export const operationIntents = [
  'earn',
  'redeem',
  'reverse',
  'enroll',
  'verify',
  'reserve',
  'commit',
  'release',
] as const;
export type OperationIntent = (typeof operationIntents)[number];

/** The writes that a customer's history tells of: the others earn nothing and spend nothing by themselves. */
export const intentsOfHistory: readonly OperationIntent[] = ['earn', 'redeem', 'commit'];

/** Whether the service's records can tell what became of a write of this kind. */
export function isInTheBooks(intent: OperationIntent): boolean {
  return intentInBooks[intent] !== null;
}

/** The intent of a write's record at the service (spec "GET /transactions"); null: it makes no transaction. */
export const intentInBooks = {
  earn: 'earn',
  redeem: 'redeem',
  commit: 'redeem',
  reverse: 'reverse',
  enroll: null,
  verify: null,
  reserve: null,
  release: null,
} as const satisfies Record<OperationIntent, string | null>;
