import { type ErrorCode, errorFacts } from '../../shared/contract/errors.ts';
import { type Problem, problemsInWords } from '../../shared/contract/problems.ts';

/** What the request log tells of a call besides its status. */
interface CallNote {
  readonly externalRef?: string;
  readonly duplicate?: boolean;
  readonly payloadDiffers?: boolean;
}

/** A good answer: the body is written as JSON. */
interface Done {
  readonly kind: 'done';
  readonly status: number;
  readonly body: unknown;
  readonly note?: CallNote;
}

/** A refusal: becomes the specification's error body (spec "Errors"). */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands beside `error` in the body (spec "Other shapes": AlreadyEnrolled). */
  readonly beside?: Readonly<Record<string, unknown>>;
}

export type Result = Done | Refusal;

export function done(status: number, body: unknown, note?: CallNote): Done {
  return note === undefined ? { kind: 'done', status, body } : { kind: 'done', status, body, note };
}

/** What a refusal may say besides its code and its words. */
interface RefusalFacts {
  /** When it differs from the code's usual status. */
  readonly status?: number;
  /** When it differs from the code's usual one. */
  readonly retryable?: boolean;
  readonly details?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly beside?: Readonly<Record<string, unknown>>;
}

export function refuse(code: ErrorCode, message: string, facts: RefusalFacts = {}): Refusal {
  const { status, retryable } = errorFacts[code];
  return { kind: 'refused', status, code, message, retryable, ...facts };
}

/** A malformed request: 400 naming each field. */
export function refuseFields(problems: readonly Problem[]): Refusal {
  return refuse('VALIDATION_ERROR', problemsInWords(problems), { details: problems });
}
