import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillApi, TillError } from '../../shared/till/api.ts';
import type { Sounds } from '../sound.ts';

/** What the customer says of themselves. */
export interface EnrollDetails {
  readonly phone: string;
  readonly name: string;
  readonly email: string;
}

export type EnrollStep =
  | { readonly kind: 'details' }
  /** The service has sent a code to the phone. */
  | {
      readonly kind: 'code';
      readonly enrollmentId: string;
      readonly expiresAt: string;
      /** Monotonic: from then on another one may be asked for. */
      readonly againFromMs: number;
      readonly code: string;
    }
  | { readonly kind: 'known'; readonly profile: CustomerProfile }
  | { readonly kind: 'enrolled'; readonly walletUrl: string };

/** One enrollment, from its opening to its end. */
export interface Enrollment {
  /** The same for every code of this customer: the service knows it as one enrollment. */
  readonly externalRef: string;
  readonly details: EnrollDetails;
  readonly step: EnrollStep;
  readonly missing: 'phone' | 'code' | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export interface Enroll {
  readonly entry: ReadonlySignal<Enrollment | null>;
  readonly open: (details: Partial<EnrollDetails>) => void;
  readonly close: () => void;
  readonly type: (details: Partial<EnrollDetails>) => void;
  readonly typeCode: (code: string) => void;
  /** Sends the details, or the code. */
  readonly confirm: () => Promise<void>;
  readonly sendAgain: () => Promise<void>;
  /** Ends here, and finds the customer. */
  readonly useCustomer: () => void;
}

/** A code takes its time to the phone: so long nobody asks for another. */
export const againAfterMs = 30_000;

interface EnrollParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly findByPhone: (phone: string) => void;
}

export function createEnroll({ api, clock, newId, sounds, findByPhone }: EnrollParts): Enroll {
  const entry: Signal<Enrollment | null> = signal(null);

  const change = (part: Partial<Enrollment>): void => {
    if (entry.value !== null) entry.value = { ...entry.value, ...part };
  };

  const begin = async (now: Enrollment): Promise<void> => {
    const { phone, name, email } = now.details;
    change({ busy: true, failure: null });
    const reply = await api.call('customer.enroll', {
      operation_id: newId(),
      external_ref: now.externalRef,
      phone: phone.trim(),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(email.trim() === '' ? {} : { email: email.trim() }),
    });
    if (entry.value?.externalRef !== now.externalRef) return;
    if (reply.ok) change({ busy: false, step: stepAfter(reply.value) });
    else fail(reply.error);
  };

  const stepAfter = (answer: TillAnswer<'customer.enroll'>): EnrollStep => {
    switch (answer.status) {
      case 'awaiting_otp':
        return {
          kind: 'code',
          enrollmentId: answer.enrollment_id,
          expiresAt: answer.otp_expires_at,
          againFromMs: clock.monotonicMs() + againAfterMs,
          code: '',
        };
      case 'already_enrolled':
        return { kind: 'known', profile: answer.profile };
      case 'enrolled':
        sounds.success();
        return { kind: 'enrolled', walletUrl: answer.wallet_install_url };
    }
  };

  const verify = async (now: Enrollment, step: Extract<EnrollStep, { kind: 'code' }>): Promise<void> => {
    change({ busy: true, failure: null });
    const reply = await api.call('customer.verify', {
      operation_id: newId(),
      enrollment_id: step.enrollmentId,
      otp: step.code.trim(),
    });
    if (entry.value?.externalRef !== now.externalRef) return;
    if (!reply.ok) return fail(reply.error);
    sounds.success();
    change({ busy: false, step: { kind: 'enrolled', walletUrl: reply.value.wallet_install_url } });
  };

  const fail = (failure: TillError): void => {
    sounds.failure();
    change({ busy: false, failure });
  };

  const close = (): void => {
    if (entry.value?.busy !== true) entry.value = null;
  };

  return {
    entry,
    close,
    open(details) {
      entry.value = {
        externalRef: `enroll-${newId()}`,
        details: { phone: '', name: '', email: '', ...details },
        step: { kind: 'details' },
        missing: null,
        busy: false,
        failure: null,
      };
    },
    type(part) {
      const now = entry.value;
      if (now !== null) change({ details: { ...now.details, ...part }, missing: null, failure: null });
    },
    typeCode(code) {
      const step = entry.value?.step;
      if (step?.kind === 'code') change({ step: { ...step, code }, missing: null, failure: null });
    },
    async confirm() {
      const now = entry.value;
      if (now === null || now.busy) return;
      if (now.step.kind === 'details') {
        if (now.details.phone.trim() === '') change({ missing: 'phone' });
        else await begin(now);
      } else if (now.step.kind === 'code') {
        if (now.step.code.trim() === '') change({ missing: 'code' });
        else await verify(now, now.step);
      }
    },
    async sendAgain() {
      const now = entry.value;
      if (now !== null && !now.busy) await begin(now);
    },
    useCustomer() {
      const now = entry.value;
      if (now === null || now.busy) return;
      entry.value = null;
      findByPhone(now.details.phone.trim());
    },
  };
}
