/** The page's own scheme, so that no server, port or other page shares its origin. */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://till`;
export const pageUrl = `${pageOrigin}/`;

/**
 * Whether an address is that of the one page, with or without a part (`#`). Nothing else under its scheme is, and
 * `about:blank` is not.
 */
export function isPageUrl(url: string): boolean {
  return url === pageUrl || url.startsWith(`${pageUrl}#`);
}
