import type { Problem } from './problems.ts';
import { notPercentEncoded } from './request-parts.ts';

/** One method of one path, and its target. */
export interface Route<Target> {
  readonly method: string;
  /** `/transactions/{transaction_id}` */
  readonly path: string;
  readonly target: Target;
}

export type RouteMatch<Target> =
  | { readonly kind: 'found'; readonly target: Target; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'bad_path'; readonly problem: Problem }
  | { readonly kind: 'unknown_path' };

type ByMethod<Target> = Map<string, Target>;
interface Pattern<Target> {
  readonly segments: readonly string[];
  readonly byMethod: ByMethod<Target>;
}

/**
 * Finds the target of a method and a path. A fixed path is looked up in a map, paths with parameters are tried in turn.
 * A fixed path comes before one with a parameter: a GET of `/transactions/earn` is a wrong method, and not a
 * transaction called "earn".
 */
export function createRouter<Target>(
  routes: readonly Route<Target>[],
): (method: string, path: string) => RouteMatch<Target> {
  const fixed = new Map<string, ByMethod<Target>>();
  const patterns = new Map<string, Pattern<Target>>();
  for (const { method, path, target } of routes) {
    if (path.includes('{')) {
      const pattern = patterns.get(path) ?? { segments: path.split('/'), byMethod: new Map() };
      pattern.byMethod.set(method, target);
      patterns.set(path, pattern);
    } else {
      fixed.set(path, (fixed.get(path) ?? new Map()).set(method, target));
    }
  }

  return (method, path) => {
    const exact = fixed.get(path);
    if (exact !== undefined) return pick(exact, method, {});
    const segments = path.split('/');
    for (const pattern of patterns.values()) {
      if (!fits(pattern.segments, segments)) continue;
      const params = readParams(pattern.segments, segments);
      return 'problem' in params
        ? { kind: 'bad_path', problem: params.problem }
        : pick(pattern.byMethod, method, params.values);
    }
    return { kind: 'unknown_path' };
  };
}

function pick<Target>(
  byMethod: ByMethod<Target>,
  method: string,
  params: Readonly<Record<string, string>>,
): RouteMatch<Target> {
  const target = byMethod.get(method);
  return target === undefined
    ? { kind: 'wrong_method', allowed: [...byMethod.keys()] }
    : { kind: 'found', target, params };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}

function readParams(
  pattern: readonly string[],
  segments: readonly string[],
): { readonly values: Readonly<Record<string, string>> } | { readonly problem: Problem } {
  const values: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    if (!part.startsWith('{')) continue;
    const name = part.slice(1, -1);
    try {
      values[name] = decodeURIComponent(segments[index] ?? '');
    } catch {
      return { problem: { field: name, problem: notPercentEncoded } };
    }
  }
  return { values };
}
