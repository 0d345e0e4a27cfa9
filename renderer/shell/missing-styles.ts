/**
 * Loads the style sheets again that did not come. The code that belongs to them is shown without them otherwise, for
 * they are asked for once.
 *
 * @throws when one does not come this time either
 */
export async function loadMissingStyles(page: Document): Promise<void> {
  const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  await Promise.all(links.filter(isMissing).map((link) => loadAgain(page, link)));
}

/** All sheets are the page's own. Chromium takes one that did not come for somebody else's, whose rules it lets nobody read. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet?.cssRules === undefined;
  } catch {
    return true;
  }
}

function loadAgain(page: Document, link: HTMLLinkElement): Promise<void> {
  const fresh = page.createElement('link');
  fresh.rel = link.rel;
  fresh.href = link.href;
  return new Promise((resolve, reject) => {
    fresh.onload = () => resolve();
    fresh.onerror = () => reject(new Error(`The styles of ${link.href} did not come`));
    link.replaceWith(fresh);
  });
}
