/** What says how a transaction ended, or how it will: all of it is null while nobody knows. */
export const endNames = ['completedAtMs', 'plannedFailure', 'deltas', 'newBalances', 'error'] as const;

export type EndName = (typeof endNames)[number];
