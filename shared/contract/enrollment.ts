import { z } from 'zod';
import { errorObjectSchema } from './errors.ts';
import { needsOne } from './json-schema.ts';
import { emailText, idOfService, instant, phoneText, text } from './primitives.ts';
import { customerProfileSchema } from './profile.ts';

/** Spec "POST /customers/enroll"; `channel` as in the decisions ("Enrollment"). */
export const enrollRequestSchema = z.lazy(() =>
  z
    .object({
      external_ref: text,
      phone: phoneText.optional(),
      email: emailText.optional(),
      name: text.optional(),
      template_id: text.optional(),
      channel: z.enum(['pos', 'ecommerce']).optional(),
      branch_ref: text.optional(),
    })
    .refine((value) => value.phone !== undefined || value.email !== undefined, { error: 'needs a phone or an email' })
    .meta({ id: 'EnrollRequest', anyOf: needsOne(['phone', 'email']) }),
);
export type EnrollRequest = z.infer<typeof enrollRequestSchema>;

export const enrollPendingSchema = z.lazy(() =>
  z
    .object({ enrollment_id: z.string().min(1), status: z.literal('awaiting_otp'), otp_expires_at: instant })
    .meta({ id: 'EnrollPending' }),
);

export const enrollResultSchema = z.lazy(() =>
  z
    .object({
      status: z.literal('enrolled'),
      customer_id: z.string().min(1),
      card_id: z.string().min(1),
      wallet_install_url: z.url(),
      verified: z.boolean(),
      duplicate: z.boolean(),
    })
    .meta({ id: 'EnrollResult' }),
);
export type EnrollResult = z.infer<typeof enrollResultSchema>;

/** The error body with the existing customer beside it. */
export const alreadyEnrolledSchema = z.lazy(() =>
  z.object({ error: errorObjectSchema, customer: customerProfileSchema }).meta({ id: 'AlreadyEnrolled' }),
);

export const verifyRequestSchema = z.lazy(() =>
  z.object({ enrollment_id: idOfService, otp: text }).meta({ id: 'VerifyRequest' }),
);
export type VerifyRequest = z.infer<typeof verifyRequestSchema>;

/** `details[0]` of OTP_INVALID (spec "POST /customers/enroll/verify"). */
const otpReasons = ['otp_incorrect', 'otp_expired', 'otp_attempts_exhausted', 'enrollment_not_found'] as const;
export type OtpReason = (typeof otpReasons)[number];
