import { z } from 'zod';
import { freeText, positiveCount, positiveMinor, positivePoints, text } from '../contract/primitives.ts';
import { cardEntrySchema } from '../contract/profile.ts';
import { receiptNumber } from './operation-input.ts';
import { operationViewSchema } from './views.ts';

const operationAnswer = z.object({ operation: operationViewSchema });

/** What a person decides about operations that do not go on by themselves (design "Needs attention"). */
export const attentionCommands = {
  /** Operations that wait for a person, oldest first. */
  'attention.list': {
    input: z.object({ limit: z.int().min(1).max(100).default(50), after_row: z.int().optional() }),
    answer: z.object({ operations: z.array(operationViewSchema) }),
  },
  /** `pin`: a manager's; needed for what was changed on the disk, when this till has managers. */
  'attention.resend': {
    input: z.object({ operation_id: text, reason: freeText, pin: z.string().max(64).optional() }),
    answer: operationAnswer,
  },
  'attention.correct': {
    input: z.object({
      operation_id: text,
      reason: freeText,
      card_id: text.optional(),
      amount_minor: positiveMinor.optional(),
      points: positivePoints.optional(),
      stamps: positiveCount.optional(),
      visits: positiveCount.optional(),
      /**
       * A manager's: for a sum above the limits, for a card that is not known to be this customer's, for what was changed
       * on the disk, and for another cashier's sale.
       */
      pin: z.string().max(64).optional(),
    }),
    answer: operationAnswer,
  },
  /** The customer's cards that would take a refused sale, as the service has them now. */
  'attention.cards': {
    input: z.object({ operation_id: text }),
    answer: z.object({
      /** Cards that take it. */
      cards: z.array(cardEntrySchema),
      /** How many others the customer holds. */
      other_cards: z.int(),
    }),
  },
  /** `receipt_number`: the new one's; made when it has none. */
  'attention.replace': {
    input: z.object({ operation_id: text, reason: freeText, receipt_number: receiptNumber.optional() }),
    answer: operationAnswer,
  },
  /** What was found to stand at the service stays as it is. */
  'attention.keep': { input: z.object({ operation_id: text, reason: freeText }), answer: operationAnswer },
  /** It is reversed at the service. `pin`: a manager's, where it is another cashier's. */
  'attention.take_back': {
    input: z.object({ operation_id: text, reason: freeText, pin: z.string().max(64).optional() }),
    answer: operationAnswer,
  },
  /** `pin`: a manager's; needed when this till has managers. */
  'attention.write_off': {
    input: z.object({ operation_id: text, reason: freeText, pin: z.string().max(64).optional() }),
    answer: operationAnswer,
  },
} as const;
