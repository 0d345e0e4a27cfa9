import type { EnrollmentState } from '../../../shared/machines/enrollment.ts';
import type { ServiceDatabase } from './open.ts';

/** The code that was sent last, and what it has been through. */
export interface SentCode {
  readonly otp: string;
  readonly otpSentAtMs: number;
  readonly otpExpiresAtMs: number;
  /** How often a code was sent, this one included. */
  readonly sends: number;
  /** Wrong codes since this one was sent. */
  readonly attempts: number;
}

/** An enrollment as it is kept. Customer and card are there once it is enrolled. */
export interface StoredEnrollment extends SentCode {
  readonly enrollmentId: string;
  readonly source: string;
  readonly externalRef: string;
  readonly state: EnrollmentState;
  /** E.164. */
  readonly phone: string;
  /** Lower case. */
  readonly email: string | null;
  readonly name: string | null;
  readonly templateId: string;
  readonly channel: string | null;
  /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
  readonly request: string;
  readonly customerId: string | null;
  readonly cardId: string | null;
}

export interface EnrollmentStore {
  insert(enrollment: StoredEnrollment): void;
  byId(enrollmentId: string): StoredEnrollment | null;
  byReference(source: string, externalRef: string): StoredEnrollment | null;
  /** Not finished yet, newest first. */
  awaitingCode(limit: number): readonly StoredEnrollment[];
  setCode(enrollmentId: string, code: SentCode): void;
  enroll(enrollmentId: string, issued: { readonly customerId: string; readonly cardId: string }): void;
}

const columns = `enrollment_id AS enrollmentId, source, external_ref AS externalRef, state, phone, email, name,
  template_id AS templateId, channel, request, otp, otp_sent_at_ms AS otpSentAtMs, otp_expires_at_ms AS otpExpiresAtMs,
  sends, attempts, customer_id AS customerId, card_id AS cardId`;

export function createEnrollmentStore(database: ServiceDatabase): EnrollmentStore {
  const insert = database.prepare<[StoredEnrollment]>(
    `INSERT INTO enrollments (enrollment_id, source, external_ref, state, phone, email, name, template_id, channel,
       request, otp, otp_sent_at_ms, otp_expires_at_ms, sends, attempts, customer_id, card_id)
     VALUES (:enrollmentId, :source, :externalRef, :state, :phone, :email, :name, :templateId, :channel, :request, :otp,
       :otpSentAtMs, :otpExpiresAtMs, :sends, :attempts, :customerId, :cardId)`,
  );
  const byId = database.prepare<[string], StoredEnrollment>(
    `SELECT ${columns} FROM enrollments WHERE enrollment_id = ?`,
  );
  const byReference = database.prepare<[string, string], StoredEnrollment>(
    `SELECT ${columns} FROM enrollments WHERE source = ? AND external_ref = ?`,
  );
  const awaitingCode = database.prepare<[number], StoredEnrollment>(
    `SELECT ${columns} FROM enrollments WHERE state = 'awaiting_otp' ORDER BY position DESC LIMIT +?`,
  );
  const setCode = database.prepare<[string, number, number, number, number, string]>(
    `UPDATE enrollments SET otp = ?, otp_sent_at_ms = ?, otp_expires_at_ms = ?, sends = ?, attempts = ?
     WHERE enrollment_id = ?`,
  );
  const enroll = database.prepare<[string, string, string]>(
    `UPDATE enrollments SET state = 'enrolled', customer_id = ?, card_id = ? WHERE enrollment_id = ?`,
  );
  return {
    insert: (enrollment) => void insert.run(enrollment),
    byId: (enrollmentId) => byId.get(enrollmentId) ?? null,
    byReference: (source, externalRef) => byReference.get(source, externalRef) ?? null,
    awaitingCode: (limit) => awaitingCode.all(limit),
    setCode: (enrollmentId, { otp, otpSentAtMs, otpExpiresAtMs, sends, attempts }) =>
      void setCode.run(otp, otpSentAtMs, otpExpiresAtMs, sends, attempts, enrollmentId),
    enroll: (enrollmentId, { customerId, cardId }) => void enroll.run(customerId, cardId, enrollmentId),
  };
}
