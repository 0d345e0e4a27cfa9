import { Menu, nativeImage, Tray } from 'electron';
import type { Log } from '../app/machine/log.ts';
import type { TillState } from '../shared/till/views.ts';
import { shellWords, stateLine } from './words.ts';

interface TrayOptions {
  readonly iconPath: string;
  readonly log: Log;
  readonly open: () => void;
  readonly quit: () => void;
}

/** The till's icon in the system's tray: its state, what waits, and two commands. */
interface TrayIcon {
  readonly show: (state: TillState) => void;
  readonly end: () => void;
}

/**
 * Makes the tray icon. On a system without a tray there is none, and nothing depends on it. At a kiosk it would be a
 * way out.
 */
export function trayIcon({ iconPath, log, open, quit }: TrayOptions): TrayIcon {
  let tray: Tray | null = null;
  let isImpossible = false;
  let shown = '';
  const end = (): void => {
    tray?.destroy();
    tray = null;
    shown = '';
  };
  return {
    end,
    show(state) {
      if (state.desktop.kiosk) end();
      if (state.desktop.kiosk || isImpossible) return;
      const line = stateLine(state);
      if (shown === `${state.locale} ${line}`) return;
      shown = `${state.locale} ${line}`;
      try {
        tray ??= openTray(iconPath, open);
        const words = shellWords[state.locale];
        tray.setToolTip(`Tillbridge · ${line}`);
        tray.setContextMenu(
          Menu.buildFromTemplate([
            { label: words.open, click: open },
            { label: line, enabled: false },
            { type: 'separator' },
            { label: words.quit, click: quit },
          ]),
        );
      } catch (error) {
        isImpossible = true;
        log.info({ error }, 'This desktop has no tray');
      }
    },
  };
}

function openTray(iconPath: string, open: () => void): Tray {
  const image = nativeImage.createFromPath(iconPath);
  if (image.isEmpty()) throw new Error(`${iconPath} is no image`);
  const tray = new Tray(image);
  tray.on('click', open);
  return tray;
}
