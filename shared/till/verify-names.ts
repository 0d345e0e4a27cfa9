/**
 * How an operation that the till shows as applied or taken back differs from the service's books: it is not there, it
 * stands though it was taken back, it was taken back or failed there, or its reference is another's there.
 */
export const differences = ['missing', 'stands_again', 'reversed_there', 'failed_there', 'anothers'] as const;
export type Difference = (typeof differences)[number];
