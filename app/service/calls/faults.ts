import { z } from 'zod';
import { errorCodes } from '../../../shared/contract/errors.ts';
import { maxTextLength } from '../../../shared/contract/limits.ts';
import type { RandomSource } from '../../../shared/lib/random.ts';
import type { MakeId } from '../ids.ts';
import { servicePath, servicePrefix } from './paths.ts';

const effectSchema = z.lazy(() =>
  z.discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('error'),
        status: z.int().min(400).max(599),
        code: z.enum(errorCodes),
        /** Seconds, for the header Retry-After. */
        retry_after: z.int().min(0).max(86_400).optional(),
      }),
      z.strictObject({ type: z.literal('drop_request') }),
      z.strictObject({ type: z.literal('drop_response') }),
      z.strictObject({ type: z.literal('delay'), ms: z.int().min(0).max(600_000) }),
      z.strictObject({ type: z.literal('partial_response') }),
      z.strictObject({ type: z.literal('malformed_response') }),
      z.strictObject({ type: z.literal('offline') }),
    ],
    {
      error:
        'type must be one of error, drop_request, drop_response, delay, partial_response, malformed_response, offline',
    },
  ),
);
export type FaultEffect = z.output<typeof effectSchema>;

/** A rule of the control API: which calls go wrong, how, how often. */
export const faultRuleSchema = z.lazy(() =>
  z.strictObject({
    match: z
      .strictObject({
        method: z
          .string()
          .regex(/^[a-z]+$/i, 'must be an HTTP method')
          .transform((method) => method.toUpperCase())
          .optional(),
        /** Relative to `base_url`; `{...}` stands for one segment, a closing `*` for any rest. */
        path: z
          .string()
          .startsWith('/', 'must start with a slash, relative to base_url')
          .max(maxTextLength, `must have at most ${maxTextLength} characters`)
          .refine((path) => servicePath(path) === null, `is relative to base_url: leave ${servicePrefix} out`)
          .refine((path) => !/[?#]/.test(path), 'must end before the ?: external_ref names the reference of a call')
          .refine(hasWholeParameters, 'must have {...} for a whole segment only')
          .optional(),
        /** Of the call itself, or of what it names by its id. */
        external_ref: z.string().min(1, 'must not be empty').optional(),
      })
      .default({}),
    effect: effectSchema,
    times: z.int().min(1).max(1_000_000_000).optional(),
    probability: z.number().min(0).max(1).default(1),
  }),
);
type FaultRule = z.output<typeof faultRuleSchema>;

/** A rule as it is listed. */
interface ListedFault {
  readonly id: string;
  readonly match: FaultRule['match'];
  readonly effect: FaultEffect;
  readonly probability: number;
  /** How often it was to strike; null without end. */
  readonly times: number | null;
  readonly hits: number;
  readonly hits_left: number | null;
}

/** What a rule is matched against. The reference and the key are looked at only when a rule asks for them. */
interface FaultSubject {
  readonly method: string;
  /** Relative to `base_url`; null where it does not lie there. */
  readonly path: string | null;
  /** Without a valid key a call meets no fault but a line that is down, and counts for none. */
  isAuthenticated(): boolean;
  isAbout(externalRef: string): boolean;
}

export interface Faults {
  add(rule: FaultRule): ListedFault;
  list(): readonly ListedFault[];
  /** @returns null when there is none of this id */
  remove(id: string): ListedFault | null;
  /** @returns how many there were */
  clear(): number;
  /** What the rules that can still strike do, in their order. */
  active(): readonly FaultEffect[];
  /** The first rule that strikes this call, counted when the call is authenticated; null for a call that goes well. */
  take(subject: FaultSubject): FaultEffect | null;
}

interface ActiveFault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly path: PathPattern | null;
  hits: number;
}

export function createFaults(options: {
  readonly makeId: MakeId;
  readonly random: RandomSource;
  /** A rule has struck for the last time. */
  readonly onSpent: () => void;
}): Faults {
  const { makeId, random, onSpent } = options;
  let active: ActiveFault[] = [];
  return {
    add(rule) {
      const { path } = rule.match;
      const fault: ActiveFault = {
        id: makeId('flt'),
        rule,
        path: path === undefined ? null : toPattern(path),
        hits: 0,
      };
      active.push(fault);
      return toListed(fault);
    },
    list: () => active.map(toListed),
    remove(id) {
      const removed = active.find((fault) => fault.id === id);
      if (removed === undefined) return null;
      active = active.filter((fault) => fault !== removed);
      return toListed(removed);
    },
    active: () => active.filter(canStrike).map(({ rule }) => rule.effect),
    clear() {
      const count = active.length;
      active = [];
      return count;
    },
    take(subject) {
      for (const fault of active) {
        const { probability, effect } = fault.rule;
        if (!canStrike(fault)) continue;
        if (!matches(fault, subject)) continue;
        const isAuthenticated = subject.isAuthenticated();
        if (!isAuthenticated && effect.type !== 'offline') continue;
        if (probability < 1 && random.next() >= probability) continue;
        if (isAuthenticated) fault.hits += 1;
        if (!canStrike(fault)) onSpent();
        return effect;
      }
      return null;
    },
  };
}

function canStrike({ rule, hits }: ActiveFault): boolean {
  return rule.times === undefined || hits < rule.times;
}

function matches({ rule, path }: ActiveFault, subject: FaultSubject): boolean {
  const { match } = rule;
  if (match.method !== undefined && match.method !== subject.method) return false;
  if (path !== null && (subject.path === null || !fits(path, subject.path))) return false;
  return match.external_ref === undefined || subject.isAbout(match.external_ref);
}

/** A path cut at its slashes. Compared piece by piece: no path that a tester writes can make that slow. */
interface PathPattern {
  readonly segments: readonly string[];
  /** It ended with `*`, which is cut off: what follows does not matter. */
  readonly isOpen: boolean;
}

function hasWholeParameters(path: string): boolean {
  const { segments } = toPattern(path);
  return segments.every((segment) => isParameter(segment) || !/[{}]/.test(segment));
}

function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

function toPattern(path: string): PathPattern {
  const isOpen = path.endsWith('*');
  return { segments: (isOpen ? path.slice(0, -1) : path).split('/'), isOpen };
}

function fits({ segments, isOpen }: PathPattern, path: string): boolean {
  const given = path.split('/');
  if (isOpen ? given.length < segments.length : given.length !== segments.length) return false;
  return segments.every((segment, index) => {
    const one = given[index] ?? '';
    if (isParameter(segment)) return one !== '';
    return isOpen && index === segments.length - 1 ? one.startsWith(segment) : one === segment;
  });
}

function toListed({ id, rule, hits }: ActiveFault): ListedFault {
  const { match, effect, probability, times } = rule;
  const hitsLeft = times === undefined ? null : times - hits;
  return { id, match, effect, probability, times: times ?? null, hits, hits_left: hitsLeft };
}
