import { app, type BrowserWindow, dialog, powerMonitor } from 'electron';
import type { TillState } from '../shared/till/views.ts';
import { shellWords, waitingOf, written } from './words.ts';

/** What becomes of a wish to close the window or to quit. */
export type Leave =
  | { readonly kind: 'go' }
  /** At a kiosk nobody leaves: the setting is turned off first, by a manager's PIN or by store IT. */
  | { readonly kind: 'stay' }
  | {
      readonly kind: 'ask';
      readonly title: string;
      readonly detail: string;
      readonly buttons: readonly [string, string];
    };

/**
 * @param state null before the agent has told it
 * @param wish.isSystems the session ends, or somebody has sent a signal: nobody is there to be asked
 * @param wish.goesOn a service of this machine goes on sending without the window
 */
export function judgeLeaving(
  state: Pick<TillState, 'operations' | 'locale' | 'desktop'> | null,
  wish: { readonly isSystems: boolean; readonly goesOn: boolean },
): Leave {
  if (wish.isSystems || state === null) return { kind: 'go' };
  if (state.desktop.kiosk) return { kind: 'stay' };
  const waiting = waitingOf(state);
  if (waiting === 0 || wish.goesOn) return { kind: 'go' };
  const words = shellWords[state.locale];
  return {
    kind: 'ask',
    title: words.leaving.title,
    detail: `${words.waiting(written(waiting, state.locale))}\n${words.leaving.next}`,
    buttons: [words.leaving.stay, words.quit],
  };
}

/** The ways out of the app: the window's, the tray's, the system's. */
export interface Leaving {
  /** A person wants to quit. */
  readonly ask: () => void;
  /** The system wants it: a signal, the end of the session. */
  readonly byTheSystem: () => void;
  /** Asks before this window closes. */
  readonly guard: (window: BrowserWindow) => void;
}

export function watchLeaving(options: { readonly state: () => TillState | null; readonly goesOn: boolean }): Leaving {
  let window: BrowserWindow | null = null;
  let isSystems = false;
  let isAsking = false;
  let mayGo = false;

  const leave = (): void => {
    mayGo = true;
    app.quit();
  };
  /** @returns whether it may go now */
  const may = (): boolean => {
    if (mayGo || window === null) return true;
    const judged = judgeLeaving(options.state(), { isSystems, goesOn: options.goesOn });
    if (judged.kind === 'ask') void put(judged);
    return judged.kind === 'go';
  };
  const put = async ({ title, detail, buttons }: Extract<Leave, { kind: 'ask' }>): Promise<void> => {
    if (isAsking || window === null) return;
    isAsking = true;
    const [stay, quit] = [0, 1];
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: title,
      detail,
      buttons: [...buttons],
      defaultId: stay,
      cancelId: stay,
    });
    isAsking = false;
    if (response === quit) leave();
  };
  const byTheSystem = (): void => {
    isSystems = true;
    leave();
  };
  app.on('before-quit', (event) => {
    if (!may()) event.preventDefault();
  });
  // Linux and macOS, where the session waits for us.
  powerMonitor.on('shutdown', byTheSystem);
  return {
    ask: () => app.quit(),
    byTheSystem,
    guard(opened) {
      window = opened;
      opened.on('close', (event) => {
        if (may()) mayGo = true;
        else event.preventDefault();
      });
      // Windows, which tells the window.
      opened.on('session-end', byTheSystem);
    },
  };
}
