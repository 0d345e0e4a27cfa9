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

/** What is answered where nothing is kept under the id that was named. */
export const noSuchOperation = failed('operation_not_found', 'This agent has no such operation.');

/** The page has asked in a shape that no command has. */
export function refusedInput(problems: readonly Problem[]): TillReply<never> {
  return failed('invalid', problemsInWords(problems), { field: problems[0]?.field ?? '' });
}
