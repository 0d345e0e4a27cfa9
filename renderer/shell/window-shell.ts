import type { LinkEvent, TillApi, TillEvent, TillLink } from '../../shared/till/api.ts';
import { goneReply, isObject, readEvent, readReply } from './reply.ts';

/** What the desktop app's preload script puts on the page's window. */
export interface Tillbridge {
  call(request: { readonly command: string; readonly input: unknown }): Promise<unknown>;
  onEvent(listener: (event: unknown) => void): () => void;
}

/**
 * The page inside the desktop app. The connection is always open: the agent runs in the app, or the app reports when it
 * loses the agent.
 */
export function windowShell(bridge: Tillbridge): TillApi {
  const linkListeners = new Set<(link: TillLink) => void>();
  let link: TillLink = 'open';
  bridge.onEvent((given) => {
    if (!isLinkEvent(given) || given.link === link) return;
    link = given.link;
    for (const listener of linkListeners) listener(link);
  });
  return {
    async call(command, input) {
      try {
        return readReply(await bridge.call({ command, input }));
      } catch (error) {
        return goneReply(String(error));
      }
    },
    onEvent(listener: (event: TillEvent) => void) {
      return bridge.onEvent((given) => {
        const event = readEvent(given);
        if (event !== null) listener(event);
      });
    },
    onLink(listener) {
      linkListeners.add(listener);
      listener(link);
      return () => linkListeners.delete(listener);
    },
  };
}

function isLinkEvent(given: unknown): given is LinkEvent {
  return isObject(given) && given.type === 'link' && (given.link === 'open' || given.link === 'lost');
}
