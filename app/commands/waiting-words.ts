import { modes } from '../../shared/till/modes.ts';
import type { WaitingByMode } from '../../shared/till/settings-views.ts';

/** What waits in each mode, as a list: `0 in sandbox mode, unknown in production mode`. */
export function waitingCounts(waiting: WaitingByMode): string {
  return modes.map((mode) => `${waiting[mode] ?? 'unknown'} in ${mode} mode`).join(', ');
}

/** The modes in which something waits, or may, for a sentence: `2 operations of production mode`. */
export function waitingOperations(waiting: WaitingByMode): string {
  const parts = modes.flatMap((mode) => {
    const count = waiting[mode];
    if (count === 0) return [];
    return [`${count ?? 'nobody knows how many'} ${count === 1 ? 'operation' : 'operations'} of ${mode} mode`];
  });
  return parts.join(' and ');
}
