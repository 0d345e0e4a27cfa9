import { z } from 'zod';
import { holdsPaymentCard, paymentCardProblem } from '../contract/payment-card.ts';
import { text } from '../contract/primitives.ts';
import { plainText } from '../lib/digits.ts';
import { maxReceiptNumberLength } from './limits.ts';

/**
 * The page makes it when an entry opens. It is unique in the agent's database, so a double press, a reload and a retry
 * make one operation.
 */
export const operationIdSchema = z.uuid();

/**
 * The last part of the reference, with one writing for one number: Arabic digits are plain ones. Without it a sequence
 * number is used.
 */
export const receiptNumber = z
  .string()
  .overwrite(plainText)
  .pipe(
    text
      .max(maxReceiptNumberLength, `must have at most ${maxReceiptNumberLength} characters`)
      .refine((value) => !holdsPaymentCard(value), paymentCardProblem),
  );

/** A PIN as it was typed: a wrong one is told apart by comparing it, so the longest is no rule for a new PIN. */
export const pinSchema = z.string().max(64);
