import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import type { Limits } from '../operation/entry.ts';
import { limitInWords, saleLimitInWords } from '../operation/limit-words.ts';
import type { Correcting } from './correction.ts';

/** What is wrong with a corrected value; null when nothing is. @param limits of one sale at this till */
export function valueProblemInWords(
  { kind, problem, passedLimit }: Pick<Correcting, 'kind' | 'problem' | 'passedLimit'>,
  limits: Limits | undefined,
  words: Words,
  format: Format,
): string | null {
  if (problem === 'above_limit' && passedLimit !== null) {
    return limitInWords({ ...passedLimit, currency: kind.unit === 'money' ? kind.currency : '' }, words, format);
  }
  if (problem === 'above_limit' && limits !== undefined) return saleLimitInWords(kind, limits, words, format);
  const isOfValue = problem !== 'card_missing' && problem !== 'nothing_changed' && problem !== 'reason_missing';
  return problem === null || !isOfValue ? null : words.entry.problems[problem];
}
