import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { cardAndValueFields, emailText, freeText, idOfService, phoneText, text } from '../contract/primitives.ts';
import { customerProfileSchema } from '../contract/profile.ts';
import { redeemValueFields } from '../contract/value-fields.ts';
import { operationIdSchema, pinSchema, receiptNumber } from './operation-input.ts';
import { namedByService } from './shown-name.ts';
import { operationAnswerSchema, operationViewSchema } from './views.ts';

/**
 * Commands for which the cashier waits. They are answered when the outcome is known, or after a time when it is not.
 */
export const writeCommands = {
  /** Spends. When `operation` is sending or unknown in the answer, its outcome is still being checked. */
  'operation.redeem': {
    input: z
      .object({
        operation_id: operationIdSchema,
        identifier: identifierSchema,
        customer_name: namedByService.nullable(),
        /** The name of the reward or coupon. It is kept for the screen and never sent to the service. */
        given_name: namedByService.optional(),
        ...cardAndValueFields(),
        coupon_code: text.optional(),
        reward: z.literal(true).optional(),
        reward_id: text.optional(),
        receipt_number: receiptNumber.optional(),
        /** A manager's PIN, needed above a limit. */
        pin: pinSchema.optional(),
      })
      .refine((value) => redeemValueFields.filter((field) => value[field] !== undefined).length === 1, {
        error: `needs exactly one of ${redeemValueFields.join(', ')}`,
      }),
    answer: z.object({ operation: operationViewSchema, duplicate: z.boolean() }),
  },
  /**
   * Reverses an operation. `original` is the reversed one as it is now. `pin`: a manager's, needed for another
   * cashier's operation.
   */
  'operation.reverse': {
    input: z.object({
      operation_id: operationIdSchema,
      reverses: text,
      reason: freeText.optional(),
      pin: pinSchema.optional(),
    }),
    answer: z.object({ operation: operationViewSchema, original: operationViewSchema, duplicate: z.boolean() }),
  },
  /** Saves the cashier's decision while the outcome is unknown. */
  'operation.decide': {
    input: z.object({ operation_id: text, decision: z.enum(['take_full_payment', 'give_it']) }),
    answer: operationAnswerSchema,
  },
  /** Begins an enrollment. The same `external_ref` again may send another code. */
  'customer.enroll': {
    input: z.object({
      operation_id: operationIdSchema,
      external_ref: text,
      phone: phoneText,
      email: emailText.optional(),
      name: freeText.optional(),
      template_id: text.optional(),
    }),
    /** The code runs out by the service's clock. */
    answer: z.union([
      z.object({ status: z.literal('awaiting_otp'), enrollment_id: z.string(), otp_expires_at: z.iso.datetime() }),
      z.object({
        status: z.literal('enrolled'),
        customer_id: z.string(),
        card_id: z.string(),
        wallet_install_url: z.string(),
      }),
      z.object({ status: z.literal('already_enrolled'), profile: customerProfileSchema }),
    ]),
  },
  'customer.verify': {
    input: z.object({
      operation_id: operationIdSchema,
      enrollment_id: idOfService,
      otp: text,
      /** Shown in Recent; never sent to the service. */
      customer_name: text.nullable().default(null),
    }),
    answer: z.object({ customer_id: z.string(), card_id: z.string(), wallet_install_url: z.string() }),
  },
} as const;
