import type { App } from 'electron';
import type { AttachedTill } from './attached-till.ts';

/**
 * After an update the agent is of another version than an open window, which then starts again by itself. The new one
 * says so if it is of another version still.
 */
export function startAgainForUpdate(app: Pick<App, 'relaunch' | 'quit'>, till: AttachedTill): void {
  const end = till.onState((state) => {
    if (state.kind !== 'other_version') return;
    end();
    app.relaunch();
    app.quit();
  });
}
