import { foldDigits } from '../../shared/lib/digits.ts';
import { useModel } from '../model.ts';
import type { StepParts } from './enroll.ts';
import {
  afterEnroll,
  afterFailure,
  afterVerify,
  detailProblems,
  type EnrollDetails,
  type Enrollment,
  type EnrollStep,
  editDetails,
} from './enroll-flow.ts';
import { understandPhone } from './phone.ts';

type CodeStep = Extract<EnrollStep, { kind: 'code' }>;
/** The longest code that the agent takes. A code may have letters, too. */
const longestCode = 255;

/** The steps of the open enrollment. */
interface EnrollSteps {
  readonly edit: (change: Partial<EnrollDetails>) => void;
  /** Goes back to the details, which begins another enrollment. */
  readonly startAgain: () => void;
  readonly typeCode: (code: string) => void;
  /** Sends the details, or the code. */
  readonly confirm: () => Promise<void>;
  /** Asks for another code under the same reference. */
  readonly sendAgain: () => Promise<void>;
  /** Ends the enrollment and puts the customer in front: the new one, or the one who was known already. */
  readonly useCustomer: () => void;
  readonly close: () => void;
}

/** The steps of the dialog. They keep no state of their own. */
export function useEnrollSteps(): EnrollSteps {
  return enrollSteps(useModel().enroll.stepParts);
}

function enrollSteps(parts: StepParts): EnrollSteps {
  const { enrollment, api, newId, sounds, now: readMoment, currency, onCustomer, onClosed } = parts;

  const change = (edit: (now: Enrollment) => Enrollment): void => {
    const now = enrollment.value;
    if (now !== null && !now.busy) enrollment.value = edit(now);
  };
  /** Takes an answer only for the enrollment that asked. The dialog may be closed, or another one open. */
  const settle = (asked: Enrollment, next: (now: Enrollment) => Enrollment): void => {
    const now = enrollment.value;
    if (now?.externalRef !== asked.externalRef) return;
    enrollment.value = next(now);
    const { step, failure } = enrollment.value;
    if (step.kind === 'done') sounds.success();
    else if (failure !== null || (step.kind === 'code' && step.codeProblem !== null)) sounds.failure();
  };

  const sendDetails = async (asked: Enrollment): Promise<void> => {
    const { details, externalRef, operationId } = asked;
    const phone = understandPhone(details.phone, currency());
    if (phone === null) return;
    const name = details.name.trim();
    const email = details.email.trim();
    enrollment.value = { ...asked, busy: true, failure: null };
    const reply = await api.call('customer.enroll', {
      operation_id: operationId,
      external_ref: externalRef,
      phone: phone.phone,
      ...(name === '' ? {} : { name }),
      ...(email === '' ? {} : { email }),
      ...(details.templateId === null ? {} : { template_id: details.templateId }),
    });
    settle(asked, (now) =>
      reply.ok ? afterEnroll(now, reply.value, { moment: readMoment(), newId }) : afterFailure(now, reply.error, newId),
    );
  };

  const sendCode = async (asked: Enrollment, { enrollmentId, code, verifyId }: CodeStep): Promise<void> => {
    enrollment.value = { ...asked, busy: true, failure: null };
    const reply = await api.call('customer.verify', {
      operation_id: verifyId,
      enrollment_id: enrollmentId,
      otp: code,
      customer_name: asked.details.name.trim() === '' ? null : asked.details.name.trim(),
    });
    settle(asked, (now) => (reply.ok ? afterVerify(now, reply.value) : afterFailure(now, reply.error, newId)));
  };

  const close = (): void => {
    // Also while an answer is awaited, which may take minutes. Nobody waits for it then.
    if (enrollment.value === null) return;
    enrollment.value = null;
    onClosed();
  };

  return {
    close,
    edit: (details) => change((now) => editDetails(now, details, newId)),
    startAgain: () => change((now) => editDetails(now, {}, newId)),
    typeCode: (code) =>
      change((now) => {
        if (now.step.kind !== 'code') return now;
        // A pasted code may bring spaces and invisible marks.
        const plain = foldDigits(code)
          .replace(/[\s\p{Cf}]/gu, '')
          .slice(0, longestCode);
        return { ...now, failure: null, step: { ...now.step, code: plain, verifyId: newId(), codeProblem: null } };
      }),
    async confirm() {
      const now = enrollment.value;
      if (now === null || now.busy) return;
      if (now.step.kind === 'details') {
        const problems = detailProblems(now.details, currency());
        if (Object.keys(problems).length === 0) await sendDetails(now);
        else enrollment.value = { ...now, step: { kind: 'details', problems } };
      }
      if (now.step.kind === 'code') {
        if (now.step.code !== '') await sendCode(now, now.step);
        else enrollment.value = { ...now, step: { ...now.step, codeProblem: 'empty' } };
      }
    },
    async sendAgain() {
      const now = enrollment.value;
      if (now === null || now.busy || now.step.kind !== 'code') return;
      await sendDetails({ ...now, operationId: newId() });
    },
    useCustomer() {
      const now = enrollment.value;
      if (now === null || now.busy) return;
      const phone = understandPhone(now.details.phone, currency())?.phone ?? now.details.phone;
      enrollment.value = null;
      onCustomer({ kind: 'phone', text: phone }, now.step.kind === 'known' ? now.step.profile : null);
    },
  };
}
