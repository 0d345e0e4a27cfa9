import type { BrowserWindow } from 'electron';
import { systemClock } from '../app/machine/clock.ts';
import type { ScreenUse } from '../app/updates/quiet-time.ts';

/** The number of an isolated world, from which the page is read and in which its scripts can change nothing. */
const lookerWorld = 1_001;
const look = `({
  isDialogOpen: document.querySelector('dialog[open], [role=dialog], [role=alertdialog]') !== null,
  isCustomerShown: document.querySelector('[data-stage]:not([data-stage=idle])') !== null,
})`;

const touched = new WeakMap<BrowserWindow, number>();
const acts: ReadonlySet<string> = new Set(['mouseDown', 'rawKeyDown', 'keyDown', 'touchStart', 'mouseWheel']);

/** Notes when somebody touches a window. @param till the cashier's window, whose use is noted */
export function watchTouches(window: BrowserWindow, till: BrowserWindow): void {
  window.webContents.on('input-event', (_event, input) => {
    if (acts.has(input.type)) touched.set(till, systemClock().monotonicMs());
  });
}

/** What the person before the window is doing. */
export async function screenUseOf(window: BrowserWindow | null): Promise<ScreenUse> {
  const nobody: ScreenUse = { isDialogOpen: false, isCustomerShown: false, touchedAtMs: null };
  if (window === null || window.isDestroyed()) return nobody;
  const seen: unknown = await window.webContents.executeJavaScriptInIsolatedWorld(lookerWorld, [{ code: look }]);
  const isSeen = (name: string): boolean =>
    typeof seen === 'object' && seen !== null && Reflect.get(seen, name) === true;
  return {
    isDialogOpen: isSeen('isDialogOpen'),
    isCustomerShown: isSeen('isCustomerShown'),
    touchedAtMs: touched.get(window) ?? null,
  };
}
