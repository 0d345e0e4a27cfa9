/** The page's own address: a scheme of ours, so that no server, no port and no other page shares its origin. */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://till`;
export const pageUrl = `${pageOrigin}/`;

/** The one page; a part of it (`#`) may be named, nothing else under its scheme, and not `about:blank`. */
export function isPageUrl(url: string): boolean {
  return url === pageUrl || url.startsWith(`${pageUrl}#`);
}
