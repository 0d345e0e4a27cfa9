import { z } from 'zod';
import { holdsPaymentCard, paymentCardProblem } from '../contract/payment-card.ts';
import { text } from '../contract/primitives.ts';
import { maxReceiptNumberLength } from './limits.ts';

/**
 * Made by the page when a dialog opens and unique in the agent's database: a double press, a reload and a retry after
 * an error are one operation.
 */
export const operationIdSchema = z.uuid();

/** Becomes the last part of the reference; a sequence number does when it is left out. */
export const receiptNumber = text
  .max(maxReceiptNumberLength, `must have at most ${maxReceiptNumberLength} characters`)
  .refine((value) => !holdsPaymentCard(value), paymentCardProblem);
