/**
 * How an operation that is applied or reversed at the till differs at the service: it is missing; it is applied
 * although it was reversed; it was reversed there; it failed there; or its reference belongs to another operation.
 */
export const differences = ['missing', 'stands_again', 'reversed_there', 'failed_there', 'anothers'] as const;
export type Difference = (typeof differences)[number];
