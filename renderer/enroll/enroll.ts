import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { LookUp } from '../find/shape.ts';
import type { Sounds } from '../shell/sound.ts';
import type { Enrollment, Moment } from './enroll-flow.ts';

/**
 * Whether a customer is being enrolled. The steps come with the dialog (`useEnrollSteps`), so that a start loads less.
 */
export interface Enroll {
  /** Null while nobody is being enrolled. */
  readonly enrollment: ReadonlySignal<Enrollment | null>;
  /** @param lookUp the look-up that found nobody */
  readonly begin: (lookUp: LookUp | null) => void;
  /** Only for the dialog. */
  readonly stepParts: StepParts;
}

/** What the dialog's steps need. */
export interface StepParts {
  readonly enrollment: Signal<Enrollment | null>;
  readonly api: TillApi;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly now: () => Moment;
  readonly currency: () => string;
  /** Puts a customer in front: with a profile that the service has just sent, or by a look-up. */
  readonly onCustomer: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  readonly onClosed: () => void;
}

interface EnrollParts extends Omit<StepParts, 'enrollment'> {
  /** The template of the first card that can be given; null when the service chooses. */
  readonly templateId: () => string | null;
}

export function createEnroll({ templateId, ...parts }: EnrollParts): Enroll {
  const enrollment: Signal<Enrollment | null> = signal(null);
  return {
    enrollment,
    begin(lookUp) {
      if (enrollment.value === null) enrollment.value = beginEnrollment(parts.newId, lookUp, templateId());
    },
    stepParts: { ...parts, enrollment },
  };
}

/**
 * @param newId makes the reference and the operation's id
 * @param templateId the card that most new customers get
 */
function beginEnrollment(newId: () => string, lookUp: LookUp | null, templateId: string | null): Enrollment {
  return {
    details: {
      phone: lookUp?.kind === 'phone' ? lookUp.text : '',
      name: '',
      email: lookUp?.kind === 'email' ? lookUp.text : '',
      templateId,
    },
    externalRef: `enroll-${newId()}`,
    operationId: newId(),
    step: { kind: 'details', problems: {} },
    busy: false,
    failure: null,
  };
}
