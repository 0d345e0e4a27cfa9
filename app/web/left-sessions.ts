import type { ScreenMemory } from './screen-memory.ts';
import { factsOf, type Sessions } from './sessions.ts';

/**
 * The sessions of the port of before, where another program has taken it: nobody comes with them in this run, and with
 * the port they are back at the next start. A session on the new port takes their place in the file.
 */
interface LeftSessions extends Pick<Sessions, 'list' | 'end'> {
  readonly forget: () => void;
}

/** @param port where the screen is served now */
export function leftSessions(memory: ScreenMemory, port: number): LeftSessions {
  let left = memory.port === port ? [] : memory.sessions;
  return {
    list: () => left.map(factsOf),
    end(id) {
      const rest = left.filter((session) => session.id !== id);
      if (memory.port === null || rest.length === left.length) return false;
      memory.keep(memory.port, rest);
      left = rest;
      return true;
    },
    forget() {
      left = [];
    },
  };
}
