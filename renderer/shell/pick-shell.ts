import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import { noSessionPath, openingFragment } from '../../shared/till/session-words.ts';
import { browserSessionKeeper } from './session-key.ts';
import { webShell } from './web-shell.ts';
import { type Tillbridge, windowShell } from './window-shell.ts';

declare global {
  interface Window {
    /** There inside the desktop app only. */
    readonly tillbridge?: Tillbridge;
  }
}

/** The line to the agent: the desktop app's own, else a WebSocket to where the page came from. */
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

/** The token of the address, once: it is taken out of the address bar at once. */
function tokenOf({ location, history }: Window): () => string | null {
  let token = location.hash.startsWith(openingFragment)
    ? decodeURIComponent(location.hash.slice(openingFragment.length))
    : null;
  if (token !== null) history.replaceState(null, '', location.pathname);
  return () => {
    const once = token;
    token = null;
    return once;
  };
}
