import { protocol, type Session } from 'electron';
import { pageHeaders } from '../app/web/page-policy.ts';
import { readRendererFiles } from '../app/web/renderer-files.ts';
import { pageOrigin, pageScheme } from './address.ts';

/** Before Electron is ready: the scheme is a secure origin with storage, as `https:` would be. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
}

/** Serves the built screen under `app://till/`, from memory: no path of the disk can be asked for. */
export function servePage(session: Session, rendererDir: string): void {
  const files = readRendererFiles(rendererDir);
  session.protocol.handle(pageScheme, (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || `${url.protocol}//${url.host}` !== pageOrigin) return refused(403);
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname);
    if (file === undefined) return refused(404);
    return new Response(new Uint8Array(file.bytes), {
      headers: { ...pageHeaders, 'content-type': file.contentType, 'cache-control': file.cacheControl },
    });
  });
}

function refused(status: number): Response {
  return new Response(null, { status, headers: pageHeaders });
}
