import type { z } from 'zod';

/** One thing wrong with an input. `field` is a dotted path (`identifier.phone`), empty for the whole. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** Every problem that validation found, one per field and in the order of the input. */
export function problemsOf(error: z.ZodError): readonly Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: dotted([...issue.path, key]), problem: 'is not a known field' }));
    }
    const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    return [{ field: dotted(issue.path), problem: missing ? 'is required' : plain(issue.message) }];
  });
}

/** `amount_minor: must be above zero; external_ref: is required`: for one line to a person. */
export function problemsInWords(problems: readonly Problem[]): string {
  return problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('; ');
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

// Our own messages start with a verb; the library's own with "Invalid input: expected string, received number".
function plain(message: string): string {
  return message.replace(/^Invalid input: /, '');
}
