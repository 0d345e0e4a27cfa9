import { app, type BrowserWindow, powerMonitor, session } from 'electron';
import { z } from 'zod';
import type { Log } from '../app/machine/log.ts';
import type { TillState } from '../shared/till/views.ts';
import { openCustomerScreen } from './customer/customer-screen.ts';
import { followTill, onAgentBack } from './follow-till.ts';
import { connectPage, type PageTill } from './ipc.ts';
import { keepKiosk } from './kiosk.ts';
import { type Leaving, watchLeaving } from './leaving.ts';
import { keepLoginItem } from './login-item.ts';
import { PageBrake } from './page-brake.ts';
import { keepPageAlive } from './page-life.ts';
import { iconPath, loginProgram, preloadPath, startAfterThis } from './program.ts';
import { servePage } from './protocol.ts';
import { watchTouches } from './screen-use.ts';
import { cashierRules, confineSession } from './security.ts';
import { stoppedPage, stoppedStyle, stoppedStylePath } from './stopped-page.ts';
import { trayIcon } from './tray.ts';
import { openWindow } from './window.ts';

export interface ShellOptions {
  /** The receiver of the page's commands, in this process or in another. */
  readonly till: PageTill;
  /** The folder for the window's position and profile. */
  readonly windowDir: string;
  /** The flags with which the system starts the same window at login. */
  readonly folderFlags: readonly string[];
  /** The built cashier screen. */
  readonly rendererDir: string;
  readonly log: Log;
  readonly hasDevTools: boolean;
  /** The window's name in the session of the customers' screen: the login, when several share the till. */
  readonly windowName: string;
  /** The till goes on sending when the window is closed, so nobody is asked about waiting operations. */
  readonly goesOn: boolean;
  /** Called after the machine has slept. */
  readonly onWake: () => void;
  /**
   * The mode of the next start. When a first run has chosen another mode, the app restarts. Null: the window does not
   * decide it.
   */
  readonly nextMode: () => TillState['mode'] | null;
  /** Called when the page has got its first answer, which proves that the installed version works. */
  readonly onFirstAnswer: () => void;
}

export interface Shell {
  readonly window: BrowserWindow;
  /** Brings the window to the front. */
  readonly focus: () => void;
  readonly leaving: Leaving;
  readonly end: () => void;
}

/** The window of a till, with its page, tray, kiosk and ways out. */
export async function openShell(options: ShellOptions): Promise<Shell> {
  const { till, windowDir, folderFlags, rendererDir, log, hasDevTools, goesOn, onWake } = options;
  let window: BrowserWindow | null = null;
  const focus = (): void => {
    if (window === null || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  const tray = trayIcon({ iconPath, log, open: focus, quit: () => leaving.ask() });
  const setLoginProgram = keepLoginItem({ windowDir, log });
  let setKiosk: (isKiosk: boolean) => void = () => undefined;
  let showCustomers: (state: TillState) => void = () => undefined;
  let askedMode = false;
  const show = (state: TillState): void => {
    tray.show(state);
    setKiosk(state.desktop.kiosk);
    showCustomers(state);
    setLoginProgram(state.desktop.starts_at_login ? loginProgram(folderFlags, state.desktop) : null);
    const isChosen = askedMode && !state.asks_mode;
    if (isChosen && (options.nextMode() ?? state.mode) !== state.mode) {
      startAfterThis();
      leaving.bySystem();
    }
    askedMode = state.asks_mode;
  };
  const followed = await followTill(till, show);
  const leaving = watchLeaving({ stateNow: followed.stateNow, goesOn });
  const locale = (): TillState['locale'] => followed.state()?.locale ?? 'en';

  const brake = new PageBrake();
  confineSession(session.defaultSession, cashierRules);
  servePage(session.defaultSession, rendererDir, () =>
    brake.isStopped ? { html: stoppedPage(locale()), stylePath: stoppedStylePath, style: stoppedStyle } : null,
  );
  window = openWindow({ dataDir: windowDir, preload: preloadPath(rendererDir), icon: iconPath, hasDevTools });
  leaving.guard(window);
  keepPageAlive(window, { brake, log, locale });
  setKiosk = keepKiosk(window);
  setKiosk(followed.state()?.desktop.kiosk ?? false);
  connectPage(till, window, options.onFirstAnswer);
  watchTouches(window, window);
  const customers = openCustomerScreen({
    cashier: window,
    newUrl: () => customerUrl(till, options.windowName),
    icon: iconPath,
    log,
  });
  showCustomers = ({ display, desktop }) => customers.show({ isOn: display !== null, isKiosk: desktop.kiosk });
  const stateAtOpening = followed.state();
  if (stateAtOpening !== null) showCustomers(stateAtOpening);
  const endLoadingAnew = onAgentBack(till, customers.loadAnew);
  powerMonitor.on('resume', onWake);
  app.on('activate', focus);
  return {
    window,
    focus,
    leaving,
    end() {
      customers.end();
      endLoadingAnew();
      followed.end();
      tray.end();
    },
  };
}

const addressSchema = z.object({ url: z.string() });

/** An address of the customers' page that works once; null while the agent is away. */
async function customerUrl(till: PageTill, window: string): Promise<string | null> {
  const reply = await till.handle({ command: 'display.open', input: { window } });
  return reply.ok ? addressSchema.parse(reply.value).url : null;
}
