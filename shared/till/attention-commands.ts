import { z } from 'zod';
import { freeText, positiveCount, positiveMinor, positivePoints, text } from '../contract/primitives.ts';
import { cardEntrySchema } from '../contract/profile.ts';
import { pinSchema, receiptNumber } from './operation-input.ts';
import { operationAnswerSchema, operationViewSchema } from './views.ts';

/** A person's decisions about operations that need attention (design "Needs attention"). */
export const attentionCommands = {
  /** The operations that need attention, oldest first. */
  'attention.list': {
    input: z.object({ limit: z.int().min(1).max(100).default(50), after_row: z.int().optional() }),
    answer: z.object({ operations: z.array(operationViewSchema) }),
  },
  /** `pin`: a manager's; needed for an operation that was changed on the disk, when this till has managers. */
  'attention.resend': {
    input: z.object({ operation_id: text, reason: freeText, pin: pinSchema.optional() }),
    answer: operationAnswerSchema,
  },
  /** A refused sale keeps its reference. A failed sale is replaced by a new operation, which is the answer. */
  'attention.correct': {
    input: z.object({
      operation_id: text,
      reason: freeText,
      /** The operation's, as the person has seen it: a refused sale that was changed since is not corrected. */
      version: z.int().optional(),
      card_id: text.optional(),
      amount_minor: positiveMinor.optional(),
      points: positivePoints.optional(),
      stamps: positiveCount.optional(),
      visits: positiveCount.optional(),
      /**
       * A manager's PIN. It is needed for an amount above the limits, for a card that is not known to be this
       * customer's, for an operation that was changed on the disk, and for another cashier's sale.
       */
      pin: pinSchema.optional(),
    }),
    answer: operationAnswerSchema,
  },
  /** The customer's cards that may take a refused or failed sale, as the service has them now. */
  'attention.cards': {
    input: z.object({ operation_id: text }),
    answer: z.object({
      /** The cards that may take the sale. */
      cards: z.array(cardEntrySchema),
      /** How many other cards the customer has. */
      other_cards: z.int(),
    }),
  },
  /** `receipt_number`: of the new sale; without it a number is generated. */
  'attention.replace': {
    input: z.object({ operation_id: text, reason: freeText, receipt_number: receiptNumber.optional() }),
    answer: operationAnswerSchema,
  },
  /** Keeps an operation that was found at the service as it is. */
  'attention.keep': { input: z.object({ operation_id: text, reason: freeText }), answer: operationAnswerSchema },
  /** Reverses an operation at the service. `pin`: a manager's, needed for another cashier's operation. */
  'attention.take_back': {
    input: z.object({ operation_id: text, reason: freeText, pin: pinSchema.optional() }),
    answer: operationAnswerSchema,
  },
  /** `pin`: a manager's; needed when this till has managers. */
  'attention.write_off': {
    input: z.object({ operation_id: text, reason: freeText, pin: pinSchema.optional() }),
    answer: operationAnswerSchema,
  },
} as const;
