import { app, BrowserWindow, type Event, powerMonitor, type Rectangle, screen, session } from 'electron';
import type { Log } from '../../app/machine/log.ts';
import { watchTouches } from '../screen-use.ts';
import { closedPage, confineSession, giveHome } from '../security.ts';
import { type CustomerAddress, isCustomerPage, isOfCustomerHost } from './address.ts';
import { keepCustomerPage } from './customer-page.ts';
import { type CustomerPlace, customerPlace, isSameArea } from './place.ts';
import { Strays } from './strays.ts';

interface CustomerScreenParts {
  /** The cashier's window. Customers look at another display. */
  readonly cashier: BrowserWindow;
  /** A new address of the customers' page; null while the agent gives none. */
  readonly newUrl: () => Promise<string | null>;
  /** The icon, for desktops that ask a window for one. */
  readonly icon: string;
  readonly log: Log;
}

interface CustomerScreen {
  /** Shows or hides the customers' screen. At a kiosk it never covers the cashier's window. */
  readonly show: (wanted: { readonly isOn: boolean; readonly isKiosk: boolean }) => void;
  /** Loads the page again after the agent was away, because its port and its session may have changed. */
  readonly loadAnew: () => void;
  readonly end: () => void;
}

/** The pause after a display event, because one new display causes several. */
const calmMs = 300;

/**
 * The customers' window, with the page that the agent serves on its own port. The page has nothing of the app: no
 * preload, a session that ends with the app, and no other address.
 */
export function openCustomerScreen({ cashier, newUrl, icon, log }: CustomerScreenParts): CustomerScreen {
  const own = session.fromPartition('customer');
  let address: CustomerAddress | null = null;
  let wanted = { isOn: false, isKiosk: false };
  let opened: { readonly window: BrowserWindow; readonly load: () => void; place: CustomerPlace } | null = null;
  /** A person has closed the ordinary window. It comes back with a display, or with the next start. */
  let isDismissed = false;
  const strays = new Strays();
  let isEnded = false;
  let timer: NodeJS.Timeout | null = null;

  confineSession(own, {
    mayAsk: (url) => address !== null && isOfCustomerHost(url, address),
    mayKeep: () => false,
  });
  // The page comes from this machine, so no proxy is used.
  own
    .setProxy({ mode: 'direct' })
    .catch((error: unknown) => log.warn({ error }, "The customers' screen keeps the proxy of the system"));

  const placeSoon = (): void => {
    if (!isEnded) timer ??= setTimeout(place, calmMs);
  };
  const onScreenChanged = (): void => {
    strays.reset();
    placeSoon();
  };
  const onDisplayAdded = (): void => {
    isDismissed = false;
    onScreenChanged();
  };
  const onStrayed = (): void => {
    if (strays.moved(opened?.window.getBounds() ?? null, opened?.place.bounds ?? null)) placeSoon();
  };

  function place(): void {
    timer = null;
    if (cashier.isDestroyed()) return;
    const before = opened?.place ?? null;
    const next = customerPlace(screen.getAllDisplays(), {
      tillId: screen.getDisplayMatching(boundsOf(cashier)).id,
      customerId: before?.kind === 'display' ? before.displayId : null,
    });
    if (!wanted.isOn || (next.kind === 'window' && isDismissed)) {
      close();
    } else if (opened === null || opened.place.kind !== next.kind) {
      close();
      // No window may cover the sale when the display was unplugged or the till is a kiosk.
      open(next, { isAside: before !== null || wanted.isKiosk });
    } else {
      opened.place = next;
      const { window } = opened;
      if (next.kind === 'display' && !isSameArea(window.getBounds(), next.bounds)) window.setBounds(next.bounds);
    }
  }

  function open(at: CustomerPlace, { isAside }: { readonly isAside: boolean }): void {
    const window = new BrowserWindow({
      ...at.bounds,
      ...(at.kind === 'display' ? fillsDisplay : { minWidth: 480, minHeight: 320 }),
      show: false,
      title: 'Tillbridge',
      icon,
      autoHideMenuBar: true,
      webPreferences: {
        session: own,
        ...closedPage,
        devTools: false,
      },
    });
    const load = keepCustomerPage(window, {
      newUrl,
      onAddress(given) {
        address = given;
      },
      log,
    });
    // A customer who checks in is using the till, so no update is installed meanwhile.
    watchTouches(window, cashier);
    giveHome(window.webContents, {
      isOwn: (url) => address !== null && isCustomerPage(url, address),
      show: load,
    });
    const mine = { window, load, place: at };
    opened = mine;
    window.once('ready-to-show', () => {
      if (at.kind === 'window' && isAside) window.minimize();
      // The cashier's window keeps the keyboard, and so the scanner.
      else window.showInactive();
    });
    window.webContents.on('before-input-event', (event, { control, meta, alt, key }) => {
      if (control || meta || alt || /^F\d+$/.test(key)) event.preventDefault();
    });
    if (at.kind === 'display') {
      window.setAlwaysOnTop(true, 'screen-saver');
      window.on('move', onStrayed);
      window.on('resize', onStrayed);
      window.on('minimize', () => window.restore());
    }
    window.once('closed', () => {
      if (opened !== mine) return;
      opened = null;
      isDismissed = at.kind === 'window';
      placeSoon();
    });
    load();
  }

  function close(): void {
    const closing = opened;
    opened = null;
    if (closing !== null && !closing.window.isDestroyed()) closing.window.destroy();
  }

  screen.on('display-added', onDisplayAdded);
  screen.on('display-removed', onScreenChanged);
  screen.on('display-metrics-changed', onScreenChanged);
  powerMonitor.on('resume', onScreenChanged);
  // When the cashier's window is dragged onto the customers' display, the two windows swap.
  cashier.on('move', placeSoon);
  cashier.once('closed', end);
  // The customers' window closes first, because a window that comes back while the app quits would stop the quitting.
  app.on('before-quit', onQuit);
  function onQuit(event: Event): void {
    if (!event.defaultPrevented) end();
  }
  function end(): void {
    isEnded = true;
    app.off('before-quit', onQuit);
    screen.off('display-added', onDisplayAdded);
    screen.off('display-removed', onScreenChanged);
    screen.off('display-metrics-changed', onScreenChanged);
    powerMonitor.off('resume', onScreenChanged);
    if (timer !== null) clearTimeout(timer);
    close();
  }
  return {
    show(next) {
      if (next.isOn === wanted.isOn && next.isKiosk === wanted.isKiosk) return;
      const isNew = next.isOn !== wanted.isOn;
      wanted = next;
      if (isNew) placeSoon();
      else if (next.isKiosk && opened?.place.kind === 'window') opened.window.minimize();
    },
    loadAnew: () => opened?.load(),
    end,
  };
}

/** No frame, and above the system's bars. A touch leaves the keyboard with the cashier's window. */
const fillsDisplay = {
  frame: false,
  focusable: false,
  resizable: false,
  movable: false,
  minimizable: false,
  maximizable: false,
  fullscreenable: false,
  skipTaskbar: true,
  hasShadow: false,
  enableLargerThanScreen: true,
} as const;

/** The bounds of a window; for a minimized one, those to which it would come back. */
function boundsOf(window: BrowserWindow): Rectangle {
  return window.isMinimized() ? window.getNormalBounds() : window.getBounds();
}
