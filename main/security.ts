import { app, type Session, type WebContents } from 'electron';
import { isPageUrl, pageScheme, pageUrl } from './address.ts';

/** What each window of this app is opened with: its page has nothing of Node's, and brings nothing else in. */
export const closedPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
} as const;

/** Where a page belongs: it is kept there, and led back when Chromium itself has led it away. */
interface Home {
  readonly isOwn: (url: string) => boolean;
  readonly show: (contents: WebContents) => void;
}

const cashierHome: Home = {
  isOwn: isPageUrl,
  show(contents) {
    // Another navigation may take its place.
    contents.loadURL(pageUrl).catch(() => undefined);
  },
};
const homes = new WeakMap<WebContents, Home>();

/** For a page that is not the cashier's; before anything is loaded into it. */
export function giveHome(contents: WebContents, home: Home): void {
  homes.set(contents, home);
}

/** Every page of this app, whatever opened it, stays on its own address and opens nothing. */
export function confinePages(): void {
  app.on('web-contents-created', (_, contents) => {
    const home = (): Home => homes.get(contents) ?? cashierHome;
    const keepHome = (event: { readonly url: string; readonly preventDefault: () => void }): void => {
      if (!home().isOwn(event.url)) event.preventDefault();
    };
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', keepHome);
    contents.on('will-frame-navigate', keepHome);
    contents.on('will-redirect', keepHome);
    // Chromium asks nobody before it shows about:blank, or its own page of an address that it cannot show (about:srcdoc):
    // the window is led back, else the till stays empty.
    contents.on('did-navigate', (_event, url) => {
      if (!home().isOwn(url)) home().show(contents);
    });
    contents.on('did-fail-load', (_event, _code, _reason, url, isMainFrame) => {
      if (isMainFrame && !home().isOwn(url)) home().show(contents);
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/** What a session's pages may do beyond being shown. */
interface SessionRules {
  readonly mayAsk: (url: string) => boolean;
  /** Of a file that is offered for keeping. */
  readonly mayKeep: (url: string) => boolean;
}

const cashierSchemes = [`${pageScheme}:`, `blob:${pageScheme}:`, 'devtools:'];
/** No network: the page needs none, its agent speaks for it. What it made itself, such as a day's figures, may be kept. */
export const cashierRules: SessionRules = {
  mayAsk: (url) => cashierSchemes.some((scheme) => url.startsWith(scheme)),
  mayKeep: (url) => url.startsWith(`blob:${pageScheme}://`),
};

/** No camera, no location, no devices; of the network and of files what the rules say. */
export function confineSession(session: Session, { mayAsk, mayKeep }: SessionRules): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!mayKeep(item.getURL())) event.preventDefault();
  });
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !mayAsk(url) });
  });
}
