import type { Problem } from '../../shared/contract/problems.ts';

/** One path with what answers its methods. */
export interface Route<Handler> {
  readonly method: string;
  /** `/v1/transactions/{transaction_id}` */
  readonly path: string;
  readonly handler: Handler;
}

export type RouteMatch<Handler> =
  | { readonly kind: 'found'; readonly handler: Handler; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'bad_path'; readonly problem: Problem }
  | { readonly kind: 'unknown_path' };

type ByMethod<Handler> = Map<string, Handler>;
interface Pattern<Handler> {
  readonly segments: readonly string[];
  readonly byMethod: ByMethod<Handler>;
}

/** Fixed paths are one look in a map; paths with parameters are walked. */
export function createRouter<Handler>(
  routes: readonly Route<Handler>[],
): (method: string, path: string) => RouteMatch<Handler> {
  const fixed = new Map<string, ByMethod<Handler>>();
  const patterns = new Map<string, Pattern<Handler>>();
  for (const { method, path, handler } of routes) {
    if (path.includes('{')) {
      const pattern = patterns.get(path) ?? { segments: path.split('/'), byMethod: new Map() };
      pattern.byMethod.set(method, handler);
      patterns.set(path, pattern);
    } else {
      fixed.set(path, (fixed.get(path) ?? new Map()).set(method, handler));
    }
  }

  return (method, path) => {
    const exact = fixed.get(path);
    const exactHandler = exact?.get(method);
    if (exactHandler !== undefined) return { kind: 'found', handler: exactHandler, params: {} };
    const allowed = new Set(exact?.keys());
    const segments = path.split('/');
    for (const pattern of patterns.values()) {
      if (!fits(pattern.segments, segments)) continue;
      const handler = pattern.byMethod.get(method);
      if (handler !== undefined) return withParams(handler, pattern.segments, segments);
      for (const other of pattern.byMethod.keys()) allowed.add(other);
    }
    return allowed.size > 0 ? { kind: 'wrong_method', allowed: [...allowed] } : { kind: 'unknown_path' };
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}

function withParams<Handler>(
  handler: Handler,
  pattern: readonly string[],
  segments: readonly string[],
): RouteMatch<Handler> {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    if (!part.startsWith('{')) continue;
    const name = part.slice(1, -1);
    try {
      params[name] = decodeURIComponent(segments[index] ?? '');
    } catch {
      return { kind: 'bad_path', problem: { field: name, problem: 'is not percent-encoded UTF-8' } };
    }
  }
  return { kind: 'found', handler, params };
}
