import { computed, effect, untracked } from '@preact/signals';
import type { Frame } from './frame.ts';

/**
 * Reads at once, when the line to the agent is back, and when a shut screen opens: while it is shut the agent refuses
 * what a screen asks, and what it has refused is asked again here.
 *
 * @returns a function that ends this
 */
export function whenAnswered({ link, till }: Pick<Frame, 'link' | 'till'>, read: () => unknown): () => void {
  const isAnswered = computed(() => link.value === 'open' && (till.value?.sign_in ?? null) === null);
  return effect(() => {
    if (isAnswered.value) untracked(read);
  });
}
