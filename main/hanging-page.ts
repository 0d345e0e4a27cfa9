import type { BrowserWindow } from 'electron';
import type { Log } from '../app/machine/log.ts';

/** How long a hanging page may take to recover, after Electron reports it, before it is ended and loaded again. */
const hangGraceMs = 10_000;

/** Ends a page that hangs. Electron then reports it as a crash (`render-process-gone`). */
export function endWhenHanging(window: BrowserWindow, log: Log): void {
  const { webContents } = window;
  let hanging: NodeJS.Timeout | null = null;
  const answers = (): void => {
    if (hanging !== null) clearTimeout(hanging);
    hanging = null;
  };
  window.on('unresponsive', () => {
    hanging ??= setTimeout(() => {
      log.warn({}, 'The screen does not answer and is ended');
      if (!webContents.isDestroyed()) webContents.forcefullyCrashRenderer();
    }, hangGraceMs);
  });
  window.on('responsive', answers);
  window.on('closed', answers);
  webContents.on('render-process-gone', answers);
}
