import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { SettingsScreenState } from './state.ts';

/** The way out of the settings while something is not saved. */
export interface Leaving {
  /** Whether the screen asks if the changes may be lost. */
  readonly asked: ReadonlySignal<boolean>;
  /** Takes the wish to leave. @returns false when nothing is unsaved, so that the caller leaves at once */
  readonly ask: (leave: () => void) => boolean;
  readonly stay: () => void;
  readonly end: () => void;
}

/** While the changes are being saved nobody knows whether any is left, so the wish waits, and may be granted then. */
export function createLeaving({
  draft,
  saving,
  confirming,
}: Pick<SettingsScreenState, 'draft' | 'saving' | 'confirming'>): Leaving {
  const wanted: Signal<(() => void) | null> = signal(null);
  const isUnsaved = computed(() => Object.keys(draft.value).length > 0);
  const isKnown = computed(() => !saving.value && confirming.value === null);
  const end = effect(() => {
    const leave = wanted.value;
    if (leave === null || !isKnown.value || isUnsaved.value) return;
    wanted.value = null;
    untracked(leave);
  });
  return {
    asked: computed(() => wanted.value !== null && isKnown.value && isUnsaved.value),
    ask(leave) {
      if (!isUnsaved.value) return false;
      wanted.value = leave;
      return true;
    },
    stay() {
      wanted.value = null;
    },
    end,
  };
}
