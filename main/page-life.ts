import { type BrowserWindow, dialog } from 'electron';
import type { Log } from '../app/machine/log.ts';
import type { Locale } from '../shared/till/locales.ts';
import { isPageUrl, pageUrl } from './address.ts';
import { endWhenHanging } from './hanging-page.ts';
import type { PageBrake } from './page-brake.ts';
import { shellWords } from './words.ts';

/** Keeps a page in the window. A page that crashes or hangs is loaded again, as long as the brake allows it. */
export function keepPageAlive(
  window: BrowserWindow,
  { brake, log, locale }: { readonly brake: PageBrake; readonly log: Log; readonly locale: () => Locale },
): void {
  const { webContents } = window;
  endWhenHanging(window, log);
  webContents.on('render-process-gone', (_, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    const next = brake.died(performance.now());
    log.warn({ reason, exit_code: exitCode, next }, 'The screen died');
    if (next === 'tell_by_dialog') {
      const { stopped } = shellWords[locale()];
      dialog.showErrorBox(stopped.title, stopped.lines.join('\n'));
    } else {
      // The page is loaded by its address, because after a crash there is nothing to reload.
      void webContents.loadURL(pageUrl).catch(() => undefined);
    }
  });
  // Only the plain page's link navigates. It asks for the cashier screen.
  webContents.on('will-navigate', ({ url }) => {
    if (brake.isStopped && isPageUrl(url)) brake.release();
  });
}
