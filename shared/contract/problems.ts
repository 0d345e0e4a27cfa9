import type { z } from 'zod';

/** One problem of an input. `field` is a dotted path (`identifier.phone`), empty for the whole input. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

export type Validated<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** For a check of a whole object: it runs only when no field is wrong, so that no problem is reported twice. */
export function isSoundSoFar(payload: { readonly issues: readonly unknown[] }): boolean {
  return payload.issues.length === 0;
}

/** The most problems that are reported of a request. The first ones say enough. */
const mostProblems = 10;
const mostNameLength = 100;

/**
 * Checks an input against a schema. The problems come in the input's order and in our own words.
 *
 * @param at where the value is in a larger input, for the names of fields (`limit`, or empty for the input itself)
 * @param most how many problems are reported at most
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
    // JSON that is nested thousands deep uses up the stack, so it cannot be checked.
    if (error instanceof RangeError) return invalid([{ field: at, problem: 'is nested too deeply' }]);
    throw error;
  }
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  const issues = parsed.error.issues.filter((issue, index, all) => !isAfterWrongType(issue, all[index - 1]));
  return invalid(issues.flatMap((issue) => problemsOf(issue, at)).slice(0, most));
}

/** Of a list that should have been a text, zod also finds that it is too short or too long. */
function isAfterWrongType(issue: z.core.$ZodIssue, before: z.core.$ZodIssue | undefined): boolean {
  return before?.code === 'invalid_type' && dotted(before.path) === dotted(issue.path);
}

/** Most calls have an empty path or query. The checked result of the empty one is kept after the first call. */
export function validateOftenEmpty<S extends z.ZodType>(schema: S): (value: unknown) => Validated<z.output<S>> {
  let ofNothing: Validated<z.output<S>> | null = null;
  return (value) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return validate<S>(schema, value);
    ofNothing ??= validate<S>(schema, value, '', mostProblems, { jitless: true });
    return ofNothing;
  };
}

/** Problems in one line for a person: `amount_minor: must be above zero; external_ref: is required`. */
export function problemsInWords(problems: readonly Problem[]): string {
  return problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('; ');
}

function invalid(problems: readonly Problem[]): Validated<never> {
  return { kind: 'invalid', problems };
}

export const unknownField = 'is not a known field';

function problemsOf(issue: z.core.$ZodIssue, at: string): readonly Problem[] {
  const path = at === '' ? issue.path : [at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: dotted([...path, shortened(key)]), problem: unknownField }));
  }
  return [{ field: dotted(path), problem: issue.message }];
}

/** A field's name, cut to what a person reads. An unknown field's name may be as long as the input. */
function shortened(name: string): string {
  return name.length > mostNameLength ? `${name.slice(0, mostNameLength)}...` : name;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Words for a problem that zod found and the contract has no words for. */
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
