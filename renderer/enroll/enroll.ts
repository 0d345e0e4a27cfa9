import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { foldDigits } from '../../shared/money.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { LookUp } from '../find/shape.ts';
import type { Sounds } from '../shell/sound.ts';
import {
  afterEnroll,
  afterFailure,
  afterVerify,
  beginEnrollment,
  detailProblems,
  type EnrollDetails,
  type Enrollment,
  type EnrollStep,
  editDetails,
  type Moment,
} from './enroll-flow.ts';
import { understandPhone } from './phone.ts';

type CodeStep = Extract<EnrollStep, { kind: 'code' }>;
/** Longer than any service's code: this catches what was pasted by mistake. */
const longestCode = 10;

export interface Enroll {
  /** Null while nobody is being enrolled. */
  readonly enrollment: ReadonlySignal<Enrollment | null>;
  /** @param lookUp whom the cashier had looked for in vain */
  readonly begin: (lookUp: LookUp | null) => void;
  readonly edit: (change: Partial<EnrollDetails>) => void;
  /** Back to the details, and so to another enrollment. */
  readonly startAgain: () => void;
  readonly typeCode: (code: string) => void;
  /** Sends the details, or the code. */
  readonly confirm: () => Promise<void>;
  /** Asks for another code under the same reference. */
  readonly sendAgain: () => Promise<void>;
  /** Ends with the customer in front: the new one, or the one who was known already. */
  readonly useCustomer: () => void;
  readonly close: () => void;
}

interface EnrollParts {
  readonly api: TillApi;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly now: () => Moment;
  readonly currency: () => string;
  /** The first of the cards that can be given; null where the service chooses. */
  readonly templateId: () => string | null;
  /** Puts a customer in front: as the service has just shown them, or to be looked up. */
  readonly onCustomer: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  readonly onClosed: () => void;
}

export function createEnroll(parts: EnrollParts): Enroll {
  const { api, newId, sounds, now: readMoment, currency, templateId, onCustomer, onClosed } = parts;
  const enrollment: Signal<Enrollment | null> = signal(null);

  const change = (edit: (now: Enrollment) => Enrollment): void => {
    const now = enrollment.value;
    if (now !== null && !now.busy) enrollment.value = edit(now);
  };
  /** The answer belongs to what was asked; the dialog may be closed since, or be another one. */
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
    if (enrollment.value === null || enrollment.value.busy) return;
    enrollment.value = null;
    onClosed();
  };

  return {
    enrollment,
    close,
    begin(lookUp) {
      if (enrollment.value === null) enrollment.value = beginEnrollment(newId, lookUp, templateId());
    },
    edit: (details) => change((now) => editDetails(now, details, newId)),
    startAgain: () => change((now) => editDetails(now, {}, newId)),
    typeCode: (code) =>
      change((now) => {
        if (now.step.kind !== 'code') return now;
        const digits = foldDigits(code).replace(/\D/g, '').slice(0, longestCode);
        return { ...now, failure: null, step: { ...now.step, code: digits, verifyId: newId(), codeProblem: null } };
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
