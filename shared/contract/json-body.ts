// How the bridge and the service read the body of a request.
import { repeatedNames } from '../lib/repeated-names.ts';
import type { Problem } from './problems.ts';
import type { ReadPart } from './request-parts.ts';

const notJson: Problem = { field: '', problem: 'The body is not JSON in UTF-8.' };

/**
 * A body's JSON. A name that stands twice in one object is refused, as a parameter of a query is: `JSON.parse` would keep
 * the last value, and neither may be chosen where it is money.
 *
 * @param utf8 throws for what is not UTF-8
 * @returns the problem of a body that is no JSON has no field
 */
export function readJson(
  bytes: Uint8Array,
  utf8: { readonly decode: (bytes: Uint8Array) => string },
): ReadPart<unknown> {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { kind: 'bad', problem: notJson };
  }
  const [repeated] = repeatedNames(text, value);
  if (repeated === undefined) return { kind: 'read', value };
  const field = repeated.name.slice(0, longestNameTold);
  return { kind: 'bad', problem: { field, problem: 'must stand only once' } };
}

const longestNameTold = 100;
