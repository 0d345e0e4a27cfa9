import { app, type BrowserWindow, dialog, powerMonitor } from 'electron';
import type { TillState } from '../shared/till/views.ts';
import { judgeLeaving } from './judge-leaving.ts';

/** The ways out of the app: the window's, the tray's, the system's. */
export interface Leaving {
  /** A person wants to quit. */
  readonly ask: () => void;
  /** The system wants to end the app: a signal, or the end of the session. */
  readonly bySystem: () => void;
  /** Asks before this window closes. */
  readonly guard: (window: BrowserWindow) => void;
}

/** @param options.stateNow returns the till's state at this moment */
export function watchLeaving(options: {
  readonly stateNow: () => Promise<TillState | null>;
  readonly goesOn: boolean;
}): Leaving {
  const { stateNow, goesOn } = options;
  let window: BrowserWindow | null = null;
  let isAsking = false;
  let mayGo = false;

  const leave = (): void => {
    mayGo = true;
    app.quit();
  };
  /** Stops the window and the app from closing until it is decided whether they may. */
  const hold = (event: { readonly preventDefault: () => void }): void => {
    if (mayGo || window === null || window.isDestroyed()) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    void mayLeave(window).then((may) => {
      isAsking = false;
      if (may) leave();
    }, leave);
  };
  const mayLeave = async (asked: BrowserWindow): Promise<boolean> => {
    const judged = judgeLeaving(await stateNow(), { goesOn });
    if (judged.kind !== 'ask') return judged.kind === 'go';
    const [stay, quit] = [0, 1];
    const { response } = await dialog.showMessageBox(asked, {
      type: 'question',
      message: judged.title,
      detail: judged.detail,
      buttons: [...judged.buttons],
      defaultId: stay,
      cancelId: stay,
    });
    return response === quit;
  };
  app.on('before-quit', hold);
  // On Linux and macOS the session waits for us.
  powerMonitor.on('shutdown', leave);
  return {
    ask: () => app.quit(),
    bySystem: leave,
    guard(opened) {
      window = opened;
      opened.on('close', hold);
      // Windows reports it to the window.
      opened.on('session-end', leave);
    },
  };
}
