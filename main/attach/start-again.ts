import type { AttachedTill } from './attached-till.ts';

/**
 * After an update the agent has another version than an open window, which then restarts by itself. If the versions
 * still differ, the new window says so.
 */
export function startAgainForUpdate(startAgain: () => void, till: AttachedTill): void {
  const end = till.onState((state) => {
    if (state.kind !== 'other_version') return;
    end();
    startAgain();
  });
}
