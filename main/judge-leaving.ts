import { unsentCount } from '../shared/till/unsent-count.ts';
import type { TillState } from '../shared/till/views.ts';
import { shellWords, written } from './words.ts';

/** The decision when somebody wants to close the window or quit. */
type Leave =
  | { readonly kind: 'go' }
  /** A kiosk cannot be left. First the setting has to be turned off, by a manager's PIN or by store IT. */
  | { readonly kind: 'stay' }
  | {
      readonly kind: 'ask';
      readonly title: string;
      readonly detail: string;
      readonly buttons: readonly [string, string];
    };

/**
 * @param state null until the agent has sent it
 * @param wish.goesOn a service of this machine goes on sending without the window
 */
export function judgeLeaving(
  state: Pick<TillState, 'operations' | 'locale' | 'desktop'> | null,
  wish: { readonly goesOn: boolean },
): Leave {
  if (state === null) return { kind: 'go' };
  if (state.desktop.kiosk) return { kind: 'stay' };
  const waiting = unsentCount(state.operations);
  if (waiting === 0 || wish.goesOn) return { kind: 'go' };
  const words = shellWords[state.locale];
  return {
    kind: 'ask',
    title: words.leaving.title,
    detail: `${words.waiting(written(waiting, state.locale))}\n${words.leaving.next}`,
    buttons: [words.leaving.stay, words.quit],
  };
}
