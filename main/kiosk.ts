import type { BrowserWindow, Input } from 'electron';

/** Keys that would leave the screen, or put something over it. */
export function leavesKiosk({
  key,
  alt,
  control,
  meta,
  type,
}: Pick<Input, 'key' | 'alt' | 'control' | 'meta' | 'type'>): boolean {
  if (type !== 'keyDown') return false;
  const letter = key.toLowerCase();
  if (key === 'F11' || (alt && (key === 'F4' || letter === ' '))) return true;
  return (control || meta) && ['w', 'q', 'n', 'm', 'p', 'o', 's'].includes(letter);
}

/** Fills the screen with the window and takes its ways out, or gives them back. */
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
