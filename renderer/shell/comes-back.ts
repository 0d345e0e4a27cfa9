import { browserSessionKeeper } from './session-key.ts';

/**
 * Whether the page would be there after a reload. The agent must serve it, else the browser shows an error for good. And
 * the session must be kept: a browser that stores nothing has it only in this page.
 */
export async function comesBack(page: Window & typeof globalThis): Promise<boolean> {
  try {
    const { ok } = await page.fetch(page.location.pathname, { cache: 'no-store' });
    return ok && (await browserSessionKeeper(page).read()) !== null;
  } catch {
    return false;
  }
}
