import type { LinkEvent } from '../../shared/till/api.ts';
import type { PageTill } from '../ipc.ts';
import type { AttachedTill } from './attached-till.ts';

/**
 * An attached agent for the page. The page learns when the agent goes and comes back. A page that is loaded while the
 * agent is away learns it from its first command.
 */
export function pageTill(till: AttachedTill): PageTill {
  const listeners = new Set<(event: object) => void>();
  const tellLink = (): void => {
    const event: LinkEvent = { type: 'link', link: till.state.kind === 'open' ? 'open' : 'lost' };
    for (const listener of listeners) listener(event);
  };
  till.onState(tellLink);
  till.onEvent((event) => {
    for (const listener of listeners) listener(event);
  });
  return {
    handle(message) {
      if (till.state.kind !== 'open') tellLink();
      return till.handle(message);
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
