import { protocol, type Session } from 'electron';
import { pageHeaders } from '../app/web/page-policy.ts';
import { readRendererFiles } from '../app/web/renderer-files.ts';
import { pageOrigin, pageScheme } from './address.ts';

/** Makes the scheme a secure origin with storage, as `https:` is. Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
}

/** A page that is shown instead of the cashier screen, with its styles. */
interface StandIn {
  readonly html: string;
  readonly stylePath: string;
  readonly style: string;
}

/**
 * Serves the built screen under `app://till/` from memory, so that no path of the disk can be asked for.
 *
 * @param standIn returns the page to show instead; null: the screen
 */
export function servePage(session: Session, rendererDir: string, standIn: () => StandIn | null): void {
  const files = readRendererFiles(rendererDir);
  session.protocol.handle(pageScheme, (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || `${url.protocol}//${url.host}` !== pageOrigin) return refused(403);
    const instead = standIn();
    if (instead !== null && url.pathname === '/') return own(instead.html, 'text/html');
    if (instead !== null && url.pathname === instead.stylePath) return own(instead.style, 'text/css');
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname);
    if (file === undefined) return refused(404);
    return new Response(new Uint8Array(file.bytes), {
      headers: { ...pageHeaders, 'content-type': file.contentType, 'cache-control': file.cacheControl },
    });
  });
}

function own(text: string, type: string): Response {
  return new Response(text, {
    headers: { ...pageHeaders, 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
  });
}

function refused(status: number): Response {
  return new Response(null, { status, headers: pageHeaders });
}
