import { computed, effect } from '@preact/signals';
import type { Clock } from '../../../shared/lib/clock.ts';
import { readMs } from '../entry/answer-read.ts';

/** Remembers which operations' ends somebody can have read. */
interface EndsRead {
  readonly has: (operationId: string) => boolean;
  readonly forget: () => void;
}

/** @param legibleId the id of the operation whose end can be read now; null: none */
export function createEndsRead(clock: Pick<Clock, 'setTimer'>, legibleId: () => string | null): EndsRead {
  const readIds = new Set<string>();
  // News of other operations must not start the time again.
  const legible = computed(legibleId);
  effect(() => {
    const id = legible.value;
    return id === null ? undefined : clock.setTimer(() => readIds.add(id), readMs);
  });
  return { has: (operationId) => readIds.has(operationId), forget: () => readIds.clear() };
}
