import { app, type Session, type WebContents } from 'electron';
import { isPageUrl, pageScheme, pageUrl } from './address.ts';

/** The options of every window of this app: its page has nothing of Node and loads nothing from elsewhere. */
export const closedPage = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
} as const;

/** The address of a page. The page is kept there, and led back when Chromium has left it. */
interface Home {
  readonly isOwn: (url: string) => boolean;
  readonly show: (contents: WebContents) => void;
}

const cashierHome: Home = {
  isOwn: isPageUrl,
  show(contents) {
    // Another navigation may replace it.
    contents.loadURL(pageUrl).catch(() => undefined);
  },
};
const homes = new WeakMap<WebContents, Home>();

/** Sets the address of a page that is not the cashier's. Must run before anything is loaded into it. */
export function giveHome(contents: WebContents, home: Home): void {
  homes.set(contents, home);
}

/** Keeps every page of this app on its own address, and lets it open nothing. */
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
    // Chromium shows about:blank, or its own page for an address that it cannot show (about:srcdoc), without asking.
    // The window is led back, because the till would stay empty.
    contents.on('did-navigate', (_event, url) => {
      if (!home().isOwn(url)) home().show(contents);
    });
    contents.on('did-fail-load', (_event, _code, _reason, url, isMainFrame) => {
      if (isMainFrame && !home().isOwn(url)) home().show(contents);
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/** What a session's pages may do apart from being shown. */
interface SessionRules {
  readonly mayAsk: (url: string) => boolean;
  /** Whether a file that the page offers may be saved. */
  readonly mayKeep: (url: string) => boolean;
}

const cashierSchemes = [`${pageScheme}:`, `blob:${pageScheme}:`, 'devtools:'];
/**
 * The cashier's page needs no network, because its agent has it. Files that it made itself, such as a day's figures,
 * may be saved.
 */
export const cashierRules: SessionRules = {
  mayAsk: (url) => cashierSchemes.some((scheme) => url.startsWith(scheme)),
  mayKeep: (url) => url.startsWith(`blob:${pageScheme}://`),
};

/** Allows no camera, location or devices. The rules decide about the network and files. */
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
