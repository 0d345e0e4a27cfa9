import type { TillError, TillErrorCode } from '../../shared/till/api.ts';
import { FailureNotice } from '../components/dialog-parts.tsx';
import type { Advice } from '../copy/advice.ts';
import type { EnrollWords } from '../copy/en/enroll.ts';
import type { Words } from '../copy/en/start.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

/** Why the last press failed. */
export function EnrollFailure({ failure }: { readonly failure: TillError }) {
  const { frame } = useModel();
  const advice = failureAdvice(failure, frame.words.value, useWords('enroll'));
  return <FailureNotice failure={failure} advice={advice} />;
}

/** What an error of the agent means for an enrollment. Other errors have their usual words. */
const failureNames: Readonly<Partial<Record<TillErrorCode, keyof EnrollWords['failures']>>> = {
  not_sent: 'not_sent',
  offline: 'not_sent',
  agent_gone: 'unknown',
  books_unread: 'unknown',
  not_saved: 'not_saved',
  invalid: 'phone',
  // Of an enrollment, the only limit is that of codes to one phone.
  above_limit: 'above_limit',
};
const templateProblems: ReadonlySet<unknown> = new Set(['template_not_found', 'template_id_required']);

/** The words for a failed enrollment. */
export function failureAdvice(
  { code, service_code, details }: TillError,
  words: Words,
  { failures }: EnrollWords,
): Advice {
  if (code === 'refused') {
    if (details?.some((detail) => templateProblems.has(detail)) === true) return failures.template;
    return service_code === 'VALIDATION_ERROR' ? failures.phone : failures.other;
  }
  const name = failureNames[code];
  return name === undefined ? words.errors[code] : failures[name];
}
