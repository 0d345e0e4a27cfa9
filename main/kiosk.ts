import type { BrowserWindow } from 'electron';
import { leavesKiosk } from './kiosk-keys.ts';

/** Makes the window fill the screen and removes its ways out, or restores them. */
export function keepKiosk(window: BrowserWindow): (isKiosk: boolean) => void {
  let isOn = false;
  window.webContents.on('before-input-event', (event, input) => {
    if (isOn && leavesKiosk(input)) event.preventDefault();
  });
  return (isKiosk) => {
    if (isOn === isKiosk || window.isDestroyed()) return;
    isOn = isKiosk;
    window.setKiosk(isKiosk);
    window.setMinimizable(!isKiosk);
    window.setMenuBarVisibility(false);
  };
}
