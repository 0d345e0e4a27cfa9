import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { currency, emailText, positiveCount, positiveMinor, positivePoints, text } from '../contract/primitives.ts';
import { cardEntrySchema, customerProfileSchema } from '../contract/profile.ts';
import { operationIdSchema, receiptNumber } from './operation-input.ts';
import { operationViewSchema } from './views.ts';

const operationAnswer = z.object({ operation: operationViewSchema });
const spent = ['points', 'amount_minor', 'stamps', 'visits', 'coupon_code', 'reward'] as const;

/** What a cashier asks for while the customer waits: answered when the outcome is known, or is not going to be soon. */
export const writeCommands = {
  /** Spends. An `operation` that is sending or unknown in the answer is still being found out. */
  'operation.redeem': {
    input: z
      .object({
        operation_id: operationIdSchema,
        identifier: identifierSchema,
        customer_name: text.nullable(),
        card_id: text.optional(),
        points: positivePoints.optional(),
        amount_minor: positiveMinor.optional(),
        currency: currency.optional(),
        stamps: positiveCount.optional(),
        visits: positiveCount.optional(),
        coupon_code: text.optional(),
        reward: z.literal(true).optional(),
        reward_id: text.optional(),
        receipt_number: receiptNumber.optional(),
        employee_ref: text.optional(),
      })
      .refine((value) => spent.filter((field) => value[field] !== undefined).length === 1, {
        error: `needs exactly one of ${spent.join(', ')}`,
      }),
    answer: z.object({ operation: operationViewSchema, duplicate: z.boolean() }),
  },
  /** Takes an operation back; `original` is the one that was taken back, as it stands now. */
  'operation.reverse': {
    input: z.object({ operation_id: operationIdSchema, reverses: text, reason: text.optional() }),
    answer: z.object({ operation: operationViewSchema, original: operationViewSchema, duplicate: z.boolean() }),
  },
  /** What the cashier chose while the outcome was not known. */
  'operation.decide': {
    input: z.object({ operation_id: text, decision: z.enum(['take_full_payment', 'give_it']) }),
    answer: operationAnswer,
  },
  /** What became of an operation. */
  'operation.read': { input: z.object({ operation_id: text }), answer: operationAnswer },
  /** Begins an enrollment; the same `external_ref` again may send another code. */
  'customer.enroll': {
    input: z.object({
      operation_id: operationIdSchema,
      external_ref: text,
      phone: text,
      email: emailText.optional(),
      name: text.optional(),
      template_id: text.optional(),
    }),
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
      enrollment_id: text,
      otp: text,
      /** Shown in Recent; never sent to the service. */
      customer_name: text.nullable().default(null),
    }),
    answer: z.object({ customer_id: z.string(), card_id: z.string(), wallet_install_url: z.string() }),
  },
  /** Operations that wait for a person, oldest first. */
  'attention.list': {
    input: z.object({ limit: z.int().min(1).max(100).default(50), after_row: z.int().optional() }),
    answer: z.object({ operations: z.array(operationViewSchema) }),
  },
  'attention.resend': { input: z.object({ operation_id: text, reason: text }), answer: operationAnswer },
  'attention.correct': {
    input: z.object({
      operation_id: text,
      reason: text,
      card_id: text.optional(),
      amount_minor: positiveMinor.optional(),
      points: positivePoints.optional(),
      stamps: positiveCount.optional(),
      visits: positiveCount.optional(),
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
  'attention.replace': { input: z.object({ operation_id: text, reason: text }), answer: operationAnswer },
  /** `pin`: a manager's; needed when this till has managers. */
  'attention.write_off': {
    input: z.object({ operation_id: text, reason: text, pin: z.string().max(64).optional() }),
    answer: operationAnswer,
  },
} as const;
