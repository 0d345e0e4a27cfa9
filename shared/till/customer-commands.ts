import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { text } from '../contract/primitives.ts';
import { transactionSchema } from '../contract/transaction.ts';
import { operationViewSchema } from './views.ts';

/** One of a customer's last transactions, as the service's books have it. */
const pastTransactionSchema = transactionSchema
  .pick({
    transaction_id: true,
    intent: true,
    status: true,
    card_id: true,
    amount_minor: true,
    currency: true,
    points: true,
    stamps: true,
    visits: true,
    occurred_at: true,
  })
  .extend({
    /** This till's own, where it is; the operation is then told for itself. */
    operation_id: z.string().nullable(),
    /** What a reward or a coupon is called: only what this till gave it knows. */
    given_name: z.string().nullable(),
  });
export type PastTransaction = z.output<typeof pastTransactionSchema>;

const customerHistorySchema = z.object({
  /** The last five, newest first; null where neither the service nor this till can tell. */
  last: z
    .object({
      source: z.enum(['service', 'kept']),
      as_of: z.iso.datetime(),
      transactions: z.array(pastTransactionSchema),
    })
    .nullable(),
  /** What this till itself took for them lately, newest first. */
  operations: z.array(operationViewSchema),
});
export type CustomerHistory = z.output<typeof customerHistorySchema>;

export const customerCommands = {
  /** What a customer did last. Asked beside the sale, which waits for none of it. */
  'customer.history': {
    input: z.object({
      /** As looked up: a sale by a card's number alone has nothing else. */
      identifier: identifierSchema,
      /** Null: nobody knows whose the card is. */
      customer_id: text.nullable(),
      card_ids: z.array(text).max(100),
    }),
    answer: customerHistorySchema,
  },
} as const;
