/** Where the service's own paths start (`base_url` ends with it), and where the control API's do. */
export const servicePrefix = '/v1';
export const controlPrefix = '/_sandbox';

/** The path relative to `base_url`; null when it lies elsewhere. */
export function servicePath(path: string): string | null {
  return relativeTo(servicePrefix, path);
}

/** The path relative to `control_url`, empty for that address itself; null when it lies elsewhere. */
export function controlPath(path: string): string | null {
  return relativeTo(controlPrefix, path);
}

function relativeTo(prefix: string, path: string): string | null {
  if (!path.startsWith(prefix)) return null;
  return path.length === prefix.length || path[prefix.length] === '/' ? path.slice(prefix.length) : null;
}
