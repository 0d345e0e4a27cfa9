import { maxTextLength } from '../../shared/contract/primitives.ts';
import type { Problem } from '../../shared/contract/problems.ts';

/** References that a caller makes up; all others are the service's or the agent's. */
const referenceFields: ReadonlySet<string> = new Set(['external_ref', 'reversal_ref']);

export type Prefixed =
  | { readonly kind: 'prefixed'; readonly value: unknown }
  | { readonly kind: 'too_long'; readonly problem: Problem };

/** A caller's body or query with its prefix in front of its own references, before anything else looks at it. */
export function withPrefix(prefix: string, value: unknown): Prefixed {
  if (prefix === '' || typeof value !== 'object' || value === null) return { kind: 'prefixed', value };
  const mostOwn = maxTextLength - prefix.length;
  const tooLong = Object.entries(value).find(
    ([field, reference]) => isReference(field, reference) && reference.length > mostOwn,
  );
  if (tooLong !== undefined) {
    const problem = `must have at most ${mostOwn} characters on a token with the prefix ${prefix}`;
    return { kind: 'too_long', problem: { field: tooLong[0], problem } };
  }
  const prefixed = Object.entries(value).map(([field, part]: [string, unknown]) => [
    field,
    isReference(field, part) ? prefix + part : part,
  ]);
  return { kind: 'prefixed', value: Object.fromEntries(prefixed) };
}

// An empty one stays empty, and is refused as such.
function isReference(field: string, value: unknown): value is string {
  return referenceFields.has(field) && typeof value === 'string' && value !== '';
}

/** An answer as the caller knows it: its own references without the prefix, those of others as they are. */
export function withoutPrefix(prefix: string, json: string): string {
  if (prefix === '') return json;
  return JSON.stringify(JSON.parse(json, (field, value: unknown) => stripped(prefix, field, value)));
}

function stripped(prefix: string, field: string, value: unknown): unknown {
  const isOwn = referenceFields.has(field) && typeof value === 'string' && value.startsWith(prefix);
  return isOwn ? value.slice(prefix.length) : value;
}
