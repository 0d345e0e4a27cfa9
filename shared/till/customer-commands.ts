import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { text } from '../contract/primitives.ts';
import { transactionSchema } from '../contract/transaction.ts';
import { mostHistoryCards } from './limits.ts';
import { operationViewSchema } from './views.ts';

/** One of a customer's last transactions, from the service's records. */
const pastTransactionSchema = transactionSchema
  .unwrap()
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
    /** The id of this till's own operation; null for others. The operation itself is in `operations`. */
    operation_id: z.string().nullable(),
    /** The name of a reward or coupon; known only when this till gave it. */
    given_name: z.string().nullable(),
  });
export type PastTransaction = z.output<typeof pastTransactionSchema>;

const customerHistorySchema = z.object({
  /** The last five, newest first; null when neither the service nor this till knows them. */
  last: z
    .object({
      source: z.enum(['service', 'kept']),
      as_of: z.iso.datetime(),
      transactions: z.array(pastTransactionSchema),
    })
    .nullable(),
  /** This till's own operations of the customer, newest first. */
  operations: z.array(operationViewSchema),
});
export type CustomerHistory = z.output<typeof customerHistorySchema>;

export const customerCommands = {
  /** What a customer did last. The sale does not wait for it. */
  'customer.history': {
    input: z.object({
      /** What was looked up. A sale by a card's number has only this. */
      identifier: identifierSchema,
      /** Null: the card's customer is unknown. */
      customer_id: text.nullable(),
      card_ids: z.array(text).max(mostHistoryCards),
    }),
    answer: customerHistorySchema,
  },
} as const;
