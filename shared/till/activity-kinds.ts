/** The kinds of operations, as a cashier looks for them. */
export const activityKinds = ['earn', 'spend', 'give', 'undo', 'hold', 'customer'] as const;
export type ActivityKind = (typeof activityKinds)[number];
