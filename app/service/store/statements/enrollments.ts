import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { enrollments } from '../schema.ts';

type EnrollmentRow = typeof enrollments.$inferSelect;

const { position: _, ...stored } = getTableColumns(enrollments);
const enrollment = () => select(stored).from(enrollments);
const code = pick(enrollments, 'otp', 'otpSentAtMs', 'otpExpiresAtMs', 'sends', 'attempts');

export const enrollmentStatements = {
  insert: write(($: Placeholders<Omit<EnrollmentRow, 'position'>>) =>
    query.insert(enrollments).values(given(stored, $)),
  ),
  byId: read(($: Placeholders<{ enrollmentId: string }>) =>
    enrollment().where(eq(enrollments.enrollmentId, $.enrollmentId)),
  ),
  byReference: read(($: Placeholders<{ source: string; externalRef: string }>) =>
    enrollment().where(and(eq(enrollments.source, $.source), eq(enrollments.externalRef, $.externalRef))),
  ),
  awaitingCode: read(($: Placeholders<{ limit: number }>) =>
    enrollment().where(eq(enrollments.state, 'awaiting_otp')).orderBy(desc(enrollments.position)).limit($.limit),
  ),
  setCode: write(($: Placeholders<Pick<EnrollmentRow, keyof typeof code | 'enrollmentId'>>) =>
    query.update(enrollments).set(given(code, $)).where(eq(enrollments.enrollmentId, $.enrollmentId)),
  ),
  enroll: write(($: Placeholders<{ enrollmentId: string; customerId: string; cardId: string }>) =>
    query
      .update(enrollments)
      .set({ state: 'enrolled', ...given(pick(enrollments, 'customerId', 'cardId'), $) })
      .where(eq(enrollments.enrollmentId, $.enrollmentId)),
  ),
};
