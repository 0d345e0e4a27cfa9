import type { z } from 'zod';
import { type FieldProblem, type Refusal, refuseFields } from './answer.ts';

export type Validated<T> = { readonly kind: 'valid'; readonly value: T } | Refusal;

/** More than this is not told: the first ones say enough. */
const mostProblems = 10;

/** Words for what zod found where the contract gives none of its own. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'too_small') return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return undefined;
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'record') return 'an object';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/**
 * Checks a value against the contract.
 *
 * @param at where the value stands in the request, for the field's name (`limit`, or empty for the body itself)
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, at = ''): Validated<z.output<S>> {
  let parsed: z.ZodSafeParseResult<z.output<S>>;
  try {
    parsed = schema.safeParse(value, { error: wordsFor });
  } catch (error) {
    // JSON that is nested thousands deep cannot be measured without running out of stack.
    if (error instanceof RangeError) return refuseFields([{ field: at, problem: 'is nested too deeply' }]);
    throw error;
  }
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  return refuseFields(parsed.error.issues.slice(0, mostProblems).flatMap((issue) => problemsOf(issue, at)));
}

function problemsOf(issue: z.core.$ZodIssue, at: string): FieldProblem[] {
  const path = at === '' ? issue.path : [at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), problem: 'is not a known field' }));
  }
  return [{ field: path.join('.'), problem: issue.message }];
}
