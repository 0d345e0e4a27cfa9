import type { TillApi, TillEvent } from '../../shared/till/api.ts';
import { goneReply, readEvent, readReply } from './reply.ts';

/** What the desktop app's preload script puts on the page's window. */
export interface Tillbridge {
  call(request: { readonly command: string; readonly input: unknown }): Promise<unknown>;
  onEvent(listener: (event: unknown) => void): () => void;
}

/** The page inside the desktop app: the agent lives in the same program, so the line is always open. */
export function windowShell(bridge: Tillbridge): TillApi {
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
      listener('open');
      return () => undefined;
    },
  };
}
