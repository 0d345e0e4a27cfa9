import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { ServiceDatabase } from './open.ts';
import { enrollmentStatements } from './statements/enrollments.ts';

/** An enrollment as it is kept. */
export type StoredEnrollment = RowOf<typeof enrollmentStatements.byId>;

/** The code that was sent last, and what it has been through. */
export type SentCode = Pick<StoredEnrollment, 'otp' | 'otpSentAtMs' | 'otpExpiresAtMs' | 'sends' | 'attempts'>;

export interface EnrollmentStore {
  insert(enrollment: StoredEnrollment): void;
  byId(enrollmentId: string): StoredEnrollment | null;
  byReference(source: string, externalRef: string): StoredEnrollment | null;
  /** Not finished yet, newest first. */
  awaitingCode(limit: number): readonly StoredEnrollment[];
  setCode(enrollmentId: string, code: SentCode): void;
  enroll(enrollmentId: string, issued: { readonly customerId: string; readonly cardId: string }): void;
}

export function createEnrollmentStore(database: ServiceDatabase): EnrollmentStore {
  const { insert, byId, byReference, awaitingCode, setCode, enroll } = prepareAll(database, enrollmentStatements);
  return {
    insert: (enrollment) => void insert.run(enrollment),
    byId: (enrollmentId) => byId.get({ enrollmentId }),
    byReference: (source, externalRef) => byReference.get({ source, externalRef }),
    awaitingCode: (limit) => awaitingCode.all({ limit }),
    setCode: (enrollmentId, code) => void setCode.run({ enrollmentId, ...code }),
    enroll: (enrollmentId, issued) => void enroll.run({ enrollmentId, ...issued }),
  };
}
