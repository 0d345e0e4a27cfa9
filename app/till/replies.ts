import { type Problem, problemsInWords } from '../../shared/contract/problems.ts';
import type { TillError, TillErrorCode, TillReply } from '../../shared/till/api.ts';

export type Reply<Answer> = TillReply<Answer> | Promise<TillReply<Answer>>;

export function succeeded<Answer>(value: Answer): TillReply<Answer> {
  return { ok: true, value };
}

export function failed(
  code: TillErrorCode,
  message: string,
  more: Omit<TillError, 'code' | 'message'> = {},
): TillReply<never> {
  return { ok: false, error: { code, message, ...more } };
}

/** The reply when nothing is saved under the named id. */
export const noSuchOperation = failed('operation_not_found', 'This agent has no such operation.');

/** The reply to an input that does not fit the command. */
export function refusedInput(problems: readonly Problem[]): TillReply<never> {
  return failed('invalid', problemsInWords(problems), { field: problems[0]?.field ?? '' });
}
