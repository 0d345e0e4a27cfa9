import { z } from 'zod';
import { text } from '../contract/primitives.ts';

/**
 * Made by the page when a dialog opens and unique in the agent's database: a double press, a reload and a retry after
 * an error are one operation.
 */
export const operationIdSchema = z.uuid();

/** Leaves room in a reference of 255 characters for branch, device, epoch and date. */
export const maxReceiptNumberLength = 64;

/** Becomes the last part of the reference; a sequence number does when it is left out. */
export const receiptNumber = text.max(maxReceiptNumberLength, `must have at most ${maxReceiptNumberLength} characters`);
