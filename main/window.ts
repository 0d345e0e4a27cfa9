import { BrowserWindow, screen } from 'electron';
import { pageUrl } from './address.ts';
import { closedPage } from './security.ts';
import { keepBounds, readBounds } from './window-bounds.ts';

interface WindowOptions {
  readonly dataDir: string;
  /** The built preload script. */
  readonly preload: string;
  /** The icon, for desktops that ask a window for one. */
  readonly icon: string;
  readonly hasDevTools: boolean;
}

/** The cashier's window: a sandboxed page. */
export function openWindow({ dataDir, preload, icon, hasDevTools }: WindowOptions): BrowserWindow {
  const kept = readBounds(
    dataDir,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    width: 1366,
    height: 768,
    ...(kept === null ? {} : { x: kept.x, y: kept.y, width: kept.width, height: kept.height }),
    minWidth: 1024,
    minHeight: 600,
    show: false,
    title: 'Tillbridge',
    icon,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      ...closedPage,
      devTools: hasDevTools,
    },
  });
  if (kept?.maximized === true) window.maximize();
  keepBounds(dataDir, window);
  window.once('ready-to-show', () => window.show());
  // The page's events report the outcome.
  window.loadURL(pageUrl).catch(() => undefined);
  return window;
}
