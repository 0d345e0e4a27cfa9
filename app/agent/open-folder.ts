import { toInstant } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { systemClock } from '../machine/clock.ts';
import { lockDataFolder } from '../machine/lock.ts';
import type { Log } from '../machine/log.ts';

/** The data folder, for this process alone. */
export function openFolder({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): {
  readonly notices: () => readonly Notice[];
  readonly close: () => void;
} {
  let taken: Notice | null = null;
  const close = lockDataFolder(dataDir, (isTaken) => {
    const reason = 'agent.lock was deleted, and another agent runs on this data folder';
    taken = isTaken ? { code: 'not_saving', why: 'locked', since: toInstant(systemClock().now()), reason } : null;
    if (isTaken) log.error({}, 'The lock of the data folder was deleted, and another agent has taken the folder');
    else log.info({}, 'The data folder is locked again');
  });
  return { notices: () => (taken === null ? [] : [taken]), close };
}
