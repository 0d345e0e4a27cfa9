import { type EndpointName, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';

/** Where a call goes, by its method and its path relative to `base_url`. */
export type Route =
  | { readonly kind: 'endpoint'; readonly name: EndpointName; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'bad_path' }
  | { readonly kind: 'unknown' };

interface PathEntry {
  readonly pattern: RegExp;
  readonly paramNames: readonly string[];
  readonly byMethod: ReadonlyMap<string, EndpointName>;
}

const fixedPaths = new Map<string, Map<string, EndpointName>>();
const openPaths: PathEntry[] = [];

for (const [path, names] of Map.groupBy(endpointNames, (name) => endpoints[name].path)) {
  const byMethod = new Map(names.map((name) => [endpoints[name].method as string, name]));
  if (!path.includes('{')) fixedPaths.set(path, byMethod);
  else openPaths.push({ ...toPattern(path), byMethod });
}

function toPattern(path: string): { readonly pattern: RegExp; readonly paramNames: readonly string[] } {
  const paramNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return { pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`), paramNames };
}

/**
 * Finds the endpoint. A path that stands in the table as it is wins over one with a parameter, so that a GET of
 * `/transactions/earn` is a wrong method and not a transaction called "earn".
 */
export function findRoute(method: string, path: string): Route {
  const fixed = fixedPaths.get(path);
  if (fixed !== undefined) return pick(fixed, method, {});
  for (const { pattern, paramNames, byMethod } of openPaths) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const params: Record<string, string> = {};
    for (const [index, name] of paramNames.entries()) {
      const value = decodeSegment(match[index + 1] ?? '');
      if (value === null) return { kind: 'bad_path' };
      params[name] = value;
    }
    return pick(byMethod, method, params);
  }
  return { kind: 'unknown' };
}

function pick(
  byMethod: ReadonlyMap<string, EndpointName>,
  method: string,
  params: Readonly<Record<string, string>>,
): Route {
  const name = byMethod.get(method);
  return name === undefined
    ? { kind: 'wrong_method', allowed: [...byMethod.keys()] }
    : { kind: 'endpoint', name, params };
}

/** @returns null for a percent sign that encodes nothing */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
