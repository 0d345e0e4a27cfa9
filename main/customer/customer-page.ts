import type { BrowserWindow } from 'electron';
import type { Log } from '../../app/machine/log.ts';
import { endWhenHanging } from '../hanging-page.ts';
import { PageBrake } from '../page-brake.ts';
import { type CustomerAddress, customerAddress } from './address.ts';

/** The pause before another try when the agent gives no address yet, or nobody answers at it. */
const lookAgainMs = 2_000;
/** The pause before a page that crashes again and again is loaded again. No person is there to press a button. */
const restMs = 60_000;
/** Chromium's ERR_ABORTED. */
const replacedByAnother = -3;

interface CustomerPageParts {
  readonly newUrl: () => Promise<string | null>;
  /** Called before anything is loaded from the address. */
  readonly onAddress: (address: CustomerAddress) => void;
  readonly log: Log;
}

/**
 * Keeps the customers' page in its window when the page crashes or the agent restarts. @returns a function that loads
 * the page again, from a new address
 */
export function keepCustomerPage(window: BrowserWindow, { newUrl, onAddress, log }: CustomerPageParts): () => void {
  const { webContents } = window;
  const brake = new PageBrake();
  let timer: NodeJS.Timeout | null = null;
  let round = 0;

  const loadIn = (ms: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void load(), ms);
  };
  async function load(): Promise<void> {
    round += 1;
    const mine = round;
    const given = await newUrl().catch(() => null);
    if (mine !== round || window.isDestroyed()) return;
    const address = given === null ? null : customerAddress(given);
    if (given !== null && address === null) log.warn({}, "The address of the customers' screen is not in shape");
    if (address === null) {
      loadIn(lookAgainMs);
      return;
    }
    onAddress(address);
    // The events below show whether the page was loaded.
    webContents.loadURL(address.url).catch(() => undefined);
  }

  endWhenHanging(window, log);
  webContents.on('render-process-gone', (_, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    const next = brake.died(performance.now());
    log.warn({ reason, exit_code: exitCode, next }, "The customers' screen died");
    if (next === 'load_again') {
      loadIn(0);
      return;
    }
    brake.release();
    loadIn(restMs);
  });
  webContents.on('did-fail-load', (_event, code, _reason, _url, isMainFrame) => {
    if (isMainFrame && code !== replacedByAnother) loadIn(lookAgainMs);
  });
  webContents.on('did-navigate', (_event, _url, status) => {
    if (status >= 400) loadIn(lookAgainMs);
  });
  window.once('closed', () => {
    round += 1;
    if (timer !== null) clearTimeout(timer);
  });
  return () => loadIn(0);
}
