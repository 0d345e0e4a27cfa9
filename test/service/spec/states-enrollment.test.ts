import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EnrollmentState, enrollmentStates } from '../../../shared/machines/enrollment.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const triggers = [
  'verify: correct, unexpired code',
  'verify: wrong code',
  'verify: expired code',
  'verify: attempts used up',
  'enroll with the same external_ref',
] as const;
type Trigger = (typeof triggers)[number];

interface Row {
  readonly from: EnrollmentState;
  readonly trigger: Trigger;
  readonly next: EnrollmentState;
  /** Status and, of a refusal, the reason in details[0]. */
  readonly answer: readonly [status: number, reason?: string];
}

/** Every cell of the table "Enrollment"; that a replay knows the code, too, is from "gap: Enrollment". */
const rows: readonly Row[] = [
  { from: 'awaiting_otp', trigger: 'verify: correct, unexpired code', next: 'enrolled', answer: [201] },
  { from: 'awaiting_otp', trigger: 'verify: wrong code', next: 'awaiting_otp', answer: [422, 'otp_incorrect'] },
  { from: 'awaiting_otp', trigger: 'verify: expired code', next: 'awaiting_otp', answer: [422, 'otp_expired'] },
  {
    from: 'awaiting_otp',
    trigger: 'verify: attempts used up',
    next: 'awaiting_otp',
    answer: [422, 'otp_attempts_exhausted'],
  },
  { from: 'awaiting_otp', trigger: 'enroll with the same external_ref', next: 'awaiting_otp', answer: [202] },
  { from: 'enrolled', trigger: 'verify: correct, unexpired code', next: 'enrolled', answer: [200] },
  { from: 'enrolled', trigger: 'verify: wrong code', next: 'enrolled', answer: [422, 'otp_incorrect'] },
  { from: 'enrolled', trigger: 'verify: expired code', next: 'enrolled', answer: [200] },
  { from: 'enrolled', trigger: 'verify: attempts used up', next: 'enrolled', answer: [200] },
  { from: 'enrolled', trigger: 'enroll with the same external_ref', next: 'enrolled', answer: [200] },
];

const validityMs = 300_000;
const attempts = 5;
const phone = '+96555512345';

describe.each(faces)('States and transitions | Enrollment, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
    await face.control('POST', '/clock', { mode: 'manual' });
  });
  afterEach(() => face.close());

  const enroll = () => face.post('/customers/enroll', { external_ref: 'E-1', phone });
  const verify = (enrollmentId: string, otp: string) =>
    face.post('/customers/enroll/verify', { enrollment_id: enrollmentId, otp });
  const otpOf = async (enrollmentId: string) => (await face.control('GET', `/otp/${enrollmentId}`)).body.otp;

  async function pull(enrollmentId: string, otp: string, trigger: Trigger) {
    switch (trigger) {
      case 'verify: correct, unexpired code':
        return verify(enrollmentId, otp);
      case 'verify: wrong code':
        return verify(enrollmentId, 'wrong');
      case 'verify: expired code':
        await face.advance(validityMs);
        return verify(enrollmentId, otp);
      case 'verify: attempts used up':
        for (let attempt = 0; attempt < attempts; attempt += 1) await verify(enrollmentId, 'wrong');
        return verify(enrollmentId, otp);
      case 'enroll with the same external_ref':
        return enroll();
    }
  }

  /** Whether there is a customer, and what the same request is answered. */
  async function stateNow(): Promise<EnrollmentState> {
    const { status } = await face.post('/customers/identify', { phone });
    const { body } = await enroll();
    expect(body.status).toBe(status === 200 ? 'enrolled' : 'awaiting_otp');
    return body.status;
  }

  test('(none) | POST /customers/enroll | awaiting_otp | a code is sent to the phone; answer 202', async () => {
    const answer = await enroll();
    expect([answer.status, answer.body.status]).toEqual([202, 'awaiting_otp']);
    expect(await otpOf(answer.body.enrollment_id)).toMatch(/^\d{6}$/);
    expect(await stateNow()).toBe('awaiting_otp');
  });

  test.each(rows)('$from | $trigger | $next', async ({ from, trigger, next, answer }) => {
    const { enrollment_id: enrollmentId } = (await enroll()).body;
    const otp = await otpOf(enrollmentId);
    const first = from === 'enrolled' ? (await verify(enrollmentId, otp)).body : null;
    const given = await pull(enrollmentId, otp, trigger);
    const [status, reason] = answer;
    expect(given.status).toBe(status);
    if (reason !== undefined) expect(given.body.error).toMatchObject({ code: 'OTP_INVALID', details: [reason] });
    if (first !== null && status === 200) expect(given.body).toEqual({ ...first, duplicate: true });
    expect(await stateNow()).toBe(next);
  });

  test('awaiting_otp | verify | unknown enrollment | 422 OTP_INVALID with enrollment_not_found', async () => {
    expect((await verify('enr_none', '1')).body.error).toMatchObject({
      code: 'OTP_INVALID',
      details: ['enrollment_not_found'],
    });
  });

  test('every state meets every trigger', () => {
    for (const state of enrollmentStates) {
      expect(rows.filter(({ from }) => from === state).map(({ trigger }) => trigger)).toEqual([...triggers]);
    }
  });
});
