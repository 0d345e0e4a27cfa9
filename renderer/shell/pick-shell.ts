import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import { noSessionPath } from '../../shared/till/session-words.ts';
import { tokenOf } from './opening-token.ts';
import { browserSessionKeeper } from './session-key.ts';
import { webShell } from './web-shell.ts';
import { type Tillbridge, windowShell } from './window-shell.ts';

declare global {
  interface Window {
    /** Present only inside the desktop app. */
    readonly tillbridge?: Tillbridge;
  }
}

/** The connection to the agent: the desktop app's own, else a WebSocket to the page's origin. */
export function pickShell(page: Window & typeof globalThis, clock: Clock): TillApi {
  if (page.tillbridge !== undefined) return windowShell(page.tillbridge);
  const url = new URL('/till', page.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return webShell({
    url: url.href,
    clock,
    random: () => Math.random(),
    openSocket: (address) => new WebSocket(address),
    meeting: { keeper: browserSessionKeeper(page), takeToken: tokenOf(page), origin: page.location.origin },
    onNoSession: () => page.location.replace(noSessionPath),
  });
}
