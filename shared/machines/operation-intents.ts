/** Every write to the service that the agent carries (design "One idea: the operation"). */
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
