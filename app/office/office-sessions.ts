import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import type { Audit } from '../audit/audit-events.ts';
import { screenMemory } from '../web/screen-memory.ts';
import { factsOf, type SessionFacts } from '../web/sessions.ts';
import type { WebHost } from '../web/web-host.ts';

/** A browser that may open the cashier screen. */
export const screenSession = z.lazy(() =>
  z.object({
    session: z.string(),
    kiosk: z.string().nullable(),
    made_at: z.iso.datetime(),
    /** When a page was last open with it, to six hours. */
    seen_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
  }),
);
type ScreenSession = z.output<typeof screenSession>;

/** The sessions of the cashier screen, as the office lists and ends them. */
export interface OfficeSessions {
  list(): ScreenSession[];
  /** @param by who ends it, for the audit log @returns whether there was one */
  end(id: string, by: string | null): boolean;
  /** @returns a new address that works once; null while no screen is served */
  open(kiosk: string | null): string | null;
}

/** @param options.served the screen while it is served; its file is what there is otherwise */
export function officeSessions(options: {
  readonly dataDir: string;
  readonly audit: Audit;
  readonly served: () => Pick<WebHost, 'sessions' | 'endSession' | 'newUrl'> | null;
}): OfficeSessions {
  const { dataDir, served } = options;
  function end(id: string): boolean {
    const host = served();
    if (host !== null) return host.endSession(id);
    const memory = screenMemory(dataDir);
    const rest = memory.sessions.filter((session) => session.id !== id);
    if (memory.port === null || rest.length === memory.sessions.length) return false;
    memory.keep(memory.port, rest);
    return true;
  }
  return {
    list: () => (served()?.sessions.list() ?? screenMemory(dataDir).sessions.map(factsOf)).map(sessionView),
    end(id, by) {
      const isEnded = end(id);
      if (isEnded) options.audit.note({ event: 'session_ended', session: id, by });
      return isEnded;
    },
    open: (kiosk) => served()?.newUrl(kiosk) ?? null,
  };
}

function sessionView({ id, kiosk, madeAtMs, seenAtMs, endsAtMs }: SessionFacts): ScreenSession {
  return {
    session: id,
    kiosk,
    made_at: toInstant(madeAtMs),
    seen_at: toInstant(seenAtMs),
    ends_at: toInstant(endsAtMs),
  };
}
