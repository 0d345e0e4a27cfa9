import { z } from 'zod';
import { maxTextLength } from '../../shared/contract/limits.ts';
import { maxIdempotencyKeyLength } from '../../shared/contract/primitives.ts';
import type { Problem } from '../../shared/contract/problems.ts';
import type { ReadPart } from '../../shared/contract/request-parts.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { madeReversalRefStart } from '../operations/requests/reversal-reference.ts';
import { sameSaleMs } from '../operations/requests/same-request.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure } from './answers.ts';
import { isOfThisDay } from './of-this-day.ts';
import type { Caller } from './tokens.ts';

/** The references that a caller makes. All others are the service's or the agent's. */
const referenceFields: ReadonlySet<string> = new Set(['external_ref', 'reversal_ref']);

type Prefixed =
  | {
      readonly kind: 'prefixed';
      readonly value: unknown;
      /** The caller's references in the value, as the service knows them. */
      readonly references: readonly string[];
    }
  | { readonly kind: 'too_long'; readonly problem: Problem };

/** Puts the caller's prefix before its references in a body or query, before anything else reads them. */
export function withPrefix(prefix: string, value: unknown): Prefixed {
  // A value that is no object is refused later, for that reason.
  if (prefix === '' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'prefixed', value, references: [] };
  }
  const references: string[] = [];
  const prefixed: [string, unknown][] = [];
  for (const [field, part] of Object.entries(value)) {
    if (!isReference(field, part)) {
      prefixed.push([field, part]);
      continue;
    }
    const problem = lengthProblem(prefix, part, maxTextLength);
    if (problem !== null) return { kind: 'too_long', problem: { field, problem } };
    const reference = prefixedReference(prefix, part);
    references.push(reference);
    prefixed.push([field, reference]);
  }
  return { kind: 'prefixed', value: Object.fromEntries(prefixed), references };
}

/**
 * An Idempotency-Key with its caller's prefix. Two programs may count in the same way. Without prefixes they would use
 * each other's keys, and the service refuses a key on another request (decisions "Errors and limits").
 */
export function keyWithPrefix(prefix: string, key: string | null): ReadPart<string | null> {
  if (key === null) return { kind: 'read', value: null };
  const problem = lengthProblem(prefix, key, maxIdempotencyKeyLength);
  if (problem !== null) return { kind: 'bad', problem: { field: 'Idempotency-Key', problem } };
  return { kind: 'read', value: prefix + key };
}

/**
 * An answer in the caller's words: its own references without the prefix, also in the texts of errors. References of
 * others stay unchanged.
 *
 * @param references of the request, which errors may name
 */
export function withoutPrefix(prefixes: readonly string[], json: string, references: readonly string[] = []): string {
  if (prefixes.every((prefix) => prefix === '')) return json;
  const own = new Set(references);
  const answer: unknown = JSON.parse(json, (field, value: unknown) => {
    if (!isReference(field, value)) return value;
    const reference = unprefixedReference(prefixes, value);
    if (reference !== value) own.add(value);
    return reference;
  });
  return JSON.stringify(own.size === 0 ? answer : withOwnErrors(answer, toldWithout(prefixes, own)));
}

/** A failure of the bridge, in the caller's words. */
export function failureWithoutPrefix(
  prefixes: readonly string[],
  failure: Failure,
  references: readonly string[],
): Failure {
  if (prefixes.every((prefix) => prefix === '')) return failure;
  const told = toldWithout(prefixes, new Set(references));
  return {
    ...failure,
    message: told(failure.message),
    ...(failure.details === undefined ? {} : { details: failure.details.map((detail) => toldDeep(detail, told)) }),
  };
}

/** All prefixes of a caller's references, the longest first, because one may begin with another. */
export function prefixesOf({ referencePrefix, olderPrefixes = [] }: Caller): readonly string[] {
  return [referencePrefix, ...olderPrefixes].sort((left, right) => right.length - left.length);
}

/** The parts of an unchecked request that say what it is about. */
const referring = z.object({
  external_ref: z.string().optional(),
  occurred_at: z.string().optional(),
});

/**
 * The prefix of a request's references: the caller's own. It is an older one when an operation under that one may be
 * the same request, so that a resent sale does not become a second sale after the setting changed.
 */
export function prefixMeant(
  core: Pick<AgentCore, 'operationsByReference' | 'calendar' | 'clock' | 'status'>,
  caller: Caller,
  request: { readonly value: unknown; readonly isTimed: boolean },
): string {
  const { referencePrefix, olderPrefixes = [] } = caller;
  if (olderPrefixes.length === 0) return referencePrefix;
  const read = referring.safeParse(request.value);
  if (!read.success || (read.data.external_ref ?? '') === '') return referencePrefix;
  const { external_ref: own = '', occurred_at: occurredAt } = read.data;
  const standing = (prefix: string) => core.operationsByReference(prefixedReference(prefix, own));
  if (standing(referencePrefix).length > 0) return referencePrefix;
  const isMeant = (operation: Operation) =>
    !request.isTimed ||
    (occurredAt === undefined
      ? isOfThisDay(core, operation)
      : Math.abs(Date.parse(occurredAt) - operation.occurredAtMs) <= sameSaleMs);
  return olderPrefixes.find((prefix) => standing(prefix).some(isMeant)) ?? referencePrefix;
}

// An empty reference stays empty, and is refused for that.
function isReference(field: string, value: unknown): value is string {
  return referenceFields.has(field) && typeof value === 'string' && value !== '';
}

function lengthProblem(prefix: string, own: string, mostLength: number): string | null {
  const mostOwn = mostLength - prefix.length;
  if (prefix === '' || own.length <= mostOwn) return null;
  return `must have at most ${mostOwn} characters on a token with the prefix ${prefix}`;
}

/** A reference that the agent made for a reversal begins with words of its own and contains the original's. */
function prefixedReference(prefix: string, own: string): string {
  const start = madeReversalRefStart.exec(own)?.[0] ?? '';
  return `${start}${prefix}${own.slice(start.length)}`;
}

/** @param prefixes the reference begins with one of them at most */
export function unprefixedReference(prefixes: readonly string[], reference: string): string {
  const start = madeReversalRefStart.exec(reference)?.[0] ?? '';
  const prefix = prefixes.find((candidate) => candidate !== '' && reference.startsWith(candidate, start.length)) ?? '';
  return `${start}${reference.slice(start.length + prefix.length)}`;
}

type Told = (text: string) => string;

/** @param own whole references, because a prefix alone may be part of any word */
function toldWithout(prefixes: readonly string[], own: ReadonlySet<string>): Told {
  const longestFirst = [...own].sort((left, right) => right.length - left.length);
  return (text) =>
    longestFirst.reduce(
      (words, reference) => words.replaceAll(reference, unprefixedReference(prefixes, reference)),
      text,
    );
}

/** Errors are in the answer itself, or in each of its transactions. */
function withOwnErrors(answer: unknown, told: Told): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((part) => withOwnErrors(part, told));
  const { error, data, ...rest } = Object.fromEntries(Object.entries(answer));
  return {
    ...rest,
    ...(error === undefined ? {} : { error: toldDeep(error, told) }),
    ...(data === undefined ? {} : { data: withOwnErrors(data, told) }),
  };
}

/** How deep references are looked for: an error, its `details`, an entry of them, a field of that. */
const deepestWords = 4;

function toldDeep(value: unknown, told: Told, depth = 0): unknown {
  if (typeof value === 'string') return told(value);
  if (typeof value !== 'object' || value === null || depth === deepestWords) return value;
  if (Array.isArray(value)) return value.map((part) => toldDeep(part, told, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, toldDeep(part, told, depth + 1)]));
}
