import { BrowserWindow, screen } from 'electron';
import type { Log } from '../app/machine/log.ts';
import { pageUrl } from './address.ts';
import { keepBounds, readBounds } from './window-bounds.ts';

export interface WindowOptions {
  readonly dataDir: string;
  /** The built preload script. */
  readonly preload: string;
  readonly log: Log;
  readonly hasDevTools: boolean;
}

/** The cashier's window: a sandboxed page that comes back by itself when its process dies. */
export function openWindow({ dataDir, preload, log, hasDevTools }: WindowOptions): BrowserWindow {
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
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: hasDevTools,
    },
  });
  if (kept?.maximized === true) window.maximize();
  keepBounds(dataDir, window);
  window.once('ready-to-show', () => window.show());
  window.webContents.on('render-process-gone', (_, details) => {
    if (details.reason === 'clean-exit') return;
    // Nothing of value lives in the page: a new one reads everything from the agent.
    log.warn({ reason: details.reason }, 'The screen died and is loaded again');
    window.webContents.reload();
  });
  void window.loadURL(pageUrl);
  return window;
}
