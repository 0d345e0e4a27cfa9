import { toInstant } from '../../shared/lib/clock.ts';
import { screenMemory } from '../web/screen-memory.ts';
import { factsOf, type SessionFacts } from '../web/sessions.ts';
import type { WebHost } from '../web/web-host.ts';
import type { OfficeAnswer } from './calls.ts';

/** The sessions of the cashier screen, as the office lists and ends them. */
export interface OfficeSessions {
  list(): OfficeAnswer<'sessions.list'>['sessions'];
  /** @returns whether there was one */
  end(id: string): boolean;
  /** @returns a new address that works once; null while no screen is served */
  open(kiosk: string | null): string | null;
}

/** @param served the screen while it is served; its file is what there is otherwise */
export function officeSessions(
  dataDir: string,
  served: () => Pick<WebHost, 'sessions' | 'endSession' | 'newUrl'> | null,
): OfficeSessions {
  return {
    list: () => (served()?.sessions.list() ?? screenMemory(dataDir).sessions.map(factsOf)).map(sessionView),
    end(id) {
      const host = served();
      if (host !== null) return host.endSession(id);
      const memory = screenMemory(dataDir);
      const rest = memory.sessions.filter((session) => session.id !== id);
      if (memory.port === null || rest.length === memory.sessions.length) return false;
      memory.keep(memory.port, rest);
      return true;
    },
    open: (kiosk) => served()?.newUrl(kiosk) ?? null,
  };
}

function sessionView({ id, kiosk, madeAtMs, seenAtMs, endsAtMs }: SessionFacts) {
  return {
    session: id,
    kiosk,
    made_at: toInstant(madeAtMs),
    seen_at: toInstant(seenAtMs),
    ends_at: toInstant(endsAtMs),
  };
}
