import { type BrowserWindow, dialog } from 'electron';
import type { Log } from '../app/machine/log.ts';
import type { Locale } from '../shared/till/locales.ts';
import { isPageUrl, pageUrl } from './address.ts';
import type { PageBrake } from './page-brake.ts';
import { shellWords } from './words.ts';

/** A page that answers no key for so long after Electron has told of it is ended, and loaded again. */
const hangGraceMs = 10_000;

/** Keeps a page in the window: one that dies or hangs is loaded again, as long as the brake lets it. */
export function keepPageAlive(
  window: BrowserWindow,
  { brake, log, locale }: { readonly brake: PageBrake; readonly log: Log; readonly locale: () => Locale },
): void {
  const { webContents } = window;
  let hanging: NodeJS.Timeout | null = null;
  const answers = (): void => {
    if (hanging !== null) clearTimeout(hanging);
    hanging = null;
  };
  window.on('unresponsive', () => {
    hanging ??= setTimeout(() => {
      log.warn({}, 'The screen does not answer and is ended');
      // Told as a death, by the event below.
      if (!webContents.isDestroyed()) webContents.forcefullyCrashRenderer();
    }, hangGraceMs);
  });
  window.on('responsive', answers);
  window.on('closed', answers);
  webContents.on('render-process-gone', (_, { reason, exitCode }) => {
    answers();
    if (reason === 'clean-exit') return;
    const next = brake.died(performance.now());
    log.warn({ reason, exit_code: exitCode, next }, 'The screen died');
    if (next === 'tell_by_dialog') {
      const { stopped } = shellWords[locale()];
      dialog.showErrorBox(stopped.title, stopped.lines.join('\n'));
    } else {
      // By its address: after a death there is nothing to reload.
      void webContents.loadURL(pageUrl).catch(() => undefined);
    }
  });
  // The plain page's link is the only thing that navigates, and it asks for the cashier screen.
  webContents.on('will-navigate', ({ url }) => {
    if (brake.isStopped && isPageUrl(url)) brake.release();
  });
}
