import type { z } from 'zod';

/** One thing wrong with an input. `field` is a dotted path (`identifier.phone`), empty for the whole. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

export type Validated<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** For a check of a whole object: only when nothing was wrong with its fields, which would be told twice. */
export function isSoundSoFar(payload: { readonly issues: readonly unknown[] }): boolean {
  return payload.issues.length === 0;
}

/** More than this is not told of a request: the first ones say enough. */
const mostProblems = 10;
const mostNameLength = 100;

/**
 * Checks an input against a schema; what is wrong comes in the order of the input, and in our own words.
 *
 * @param at where the value stands in a larger input, for the fields' names (`limit`, or empty for the input itself)
 * @param most so many problems are told
 * @param context.jitless the check is not compiled for speed: for what is checked once or twice
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  at = '',
  most = mostProblems,
  context: Pick<z.core.ParseContext, 'jitless'> = {},
): Validated<z.output<S>> {
  let parsed: z.ZodSafeParseResult<z.output<S>>;
  try {
    parsed = schema.safeParse(value, { ...context, error: wordsFor });
  } catch (error) {
    // JSON that is nested thousands deep cannot be measured without running out of stack.
    if (error instanceof RangeError) return invalid([{ field: at, problem: 'is nested too deeply' }]);
    throw error;
  }
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  return invalid(parsed.error.issues.flatMap((issue) => problemsOf(issue, at)).slice(0, most));
}

/** Most calls have nothing in their path or their query: what that is by the schema is found out with the first one. */
export function validateOftenEmpty<S extends z.ZodType>(schema: S): (value: unknown) => Validated<z.output<S>> {
  let ofNothing: Validated<z.output<S>> | null = null;
  return (value) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return validate<S>(schema, value);
    ofNothing ??= validate<S>(schema, value, '', mostProblems, { jitless: true });
    return ofNothing;
  };
}

/** `amount_minor: must be above zero; external_ref: is required`: for one line to a person. */
export function problemsInWords(problems: readonly Problem[]): string {
  return problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('; ');
}

function invalid(problems: readonly Problem[]): Validated<never> {
  return { kind: 'invalid', problems };
}

function problemsOf(issue: z.core.$ZodIssue, at: string): readonly Problem[] {
  const path = at === '' ? issue.path : [at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: dotted([...path, shortened(key)]), problem: 'is not a known field' }));
  }
  return [{ field: dotted(path), problem: issue.message }];
}

/** The name of a field that nobody knows may be as long as the input: told is what a person reads of it. */
function shortened(name: string): string {
  return name.length > mostNameLength ? `${name.slice(0, mostNameLength)}...` : name;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Words for what zod found where the contract gives none of its own. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'is required' : `must be ${withArticle(issue.expected)}`;
  }
  if (issue.code === 'invalid_value') {
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  }
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
  if (issue.code === 'too_small') return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return undefined;
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'record') return 'an object';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
