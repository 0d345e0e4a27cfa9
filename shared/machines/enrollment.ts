import type { Machine } from './machine.ts';

export const enrollmentStates = ['awaiting_otp', 'enrolled'] as const;
export type EnrollmentState = (typeof enrollmentStates)[number];
type EnrollmentEvent = 'repeat' | 'refuse_code' | 'verify';

/** Spec "Enrollment". */
export const enrollmentMachine: Machine<EnrollmentState, EnrollmentEvent> = {
  awaiting_otp: { repeat: 'awaiting_otp', refuse_code: 'awaiting_otp', verify: 'enrolled' },
  enrolled: { repeat: 'enrolled', verify: 'enrolled' },
};
