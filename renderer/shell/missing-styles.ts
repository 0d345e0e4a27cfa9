/**
 * Loads the style sheets again that did not come. The code that belongs to them would be shown without them, for they
 * are asked for once.
 *
 * @throws when one does not come this time either
 */
async function loadFailedStyles(page: Document): Promise<void> {
  const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  await Promise.all(links.filter(hasFailed).map((link) => loadAgain(page, link)));
}

let loading: Promise<void> | null = null;

/** The same of this page. Whoever asks meanwhile waits for the same sheets: one that is replaced tells nobody of its end. */
export function loadMissingStyles(): Promise<void> {
  loading ??= loadFailedStyles(document).finally(() => {
    loading = null;
  });
  return loading;
}

/** All sheets are the page's own. Chromium takes one that did not come for somebody else's, whose rules it lets nobody read. */
function hasFailed({ sheet }: HTMLLinkElement): boolean {
  try {
    // One that is still on its way has no sheet yet.
    return sheet !== null && sheet.cssRules === null;
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
