import type { laterColumns, operations } from './schema.ts';

type SavedColumns = Omit<typeof operations.$inferSelect, (typeof laterColumns)[number]>;

/** A row about to be saved. */
export interface NewOperation extends Readonly<Omit<SavedColumns, 'state' | 'body'>> {
  readonly state: 'queued';
  readonly body: string;
}

/** Empty in most sales. */
export const seldomNames = [
  'customerName',
  'givenName',
  'givenKind',
  'cardId',
  'points',
  'stamps',
  'visits',
  'idempotencyKey',
  'reversesRowId',
  'replacesRowId',
] as const;
export type SeldomName = (typeof seldomNames)[number];
