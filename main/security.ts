import { app, type Session, type WebContents } from 'electron';
import { isPageUrl, pageScheme, pageUrl } from './address.ts';

/** Every page of this app, whatever opened it, stays on our own address and opens nothing. */
export function confinePages(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => {
      if (!isPageUrl(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!isPageUrl(event.url)) event.preventDefault();
    });
    // Chromium asks nobody before it shows about:blank, or its own page of an address that it cannot show (about:srcdoc):
    // the window is led back, else the till stays empty.
    contents.on('did-navigate', (_event, url) => {
      if (!isPageUrl(url)) showPage(contents);
    });
    contents.on('did-fail-load', (_event, _code, _reason, url, isMainFrame) => {
      if (isMainFrame && !isPageUrl(url)) showPage(contents);
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

function showPage(contents: WebContents): void {
  // Another navigation may take its place.
  contents.loadURL(pageUrl).catch(() => undefined);
}

/** No camera, no location, no devices, no network: the page needs none, its agent speaks for it. */
export function confineSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // What the page made itself, such as a day's figures, may be kept; nothing from anywhere else.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${pageScheme}://`)) event.preventDefault();
  });
  const allowedSchemes = [`${pageScheme}:`, `blob:${pageScheme}:`, 'devtools:'];
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !allowedSchemes.some((scheme) => url.startsWith(scheme)) });
  });
}
