import { typed } from '../../machine/installed.ts';

/** What is seen of a service. */
interface SeenService {
  readonly isRunning: boolean;
  readonly isEnabled: boolean;
  readonly since: string | null;
  /** Of the agent that answers; null when none does, or this user may not ask. */
  readonly version: string | null;
  readonly mayAsk: boolean;
}

/** The system calls it running also while its agent waits for a port or a folder that another program has. */
function isSilent({ isRunning, version, mayAsk }: SeenService): boolean {
  return isRunning && version === null && mayAsk;
}

export function runningInWords(seen: SeenService): string {
  if (!seen.isRunning) return 'no';
  const since = seen.since === null ? '' : `, since ${seen.since}`;
  return `yes${since}${isSilent(seen) ? `, and no agent answers: see "${typed('doctor')}"` : ''}`;
}

/** It runs, its agent answers whoever may ask it, and it starts with the machine. */
export function isServiceWell(seen: SeenService): boolean {
  return seen.isRunning && seen.isEnabled && !isSilent(seen);
}
