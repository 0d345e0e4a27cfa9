import { computed, effect } from '@preact/signals';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Presses } from '../../shell/presses.ts';
import { readMs } from '../entry/answer-read.ts';

/** Remembers which operations' ends somebody can have read. */
interface EndsRead {
  readonly has: (operationId: string) => boolean;
  readonly forget: () => void;
}

/**
 * Whoever pressed had read what was painted long enough before that press. When the press is handled tells nothing: a busy
 * page is late with it.
 *
 * @param legibleId the id of the operation whose end can be read now; null: none
 */
export function createEndsRead(
  { clock, presses }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly presses: Presses },
  legibleId: () => string | null,
): EndsRead {
  const readIds = new Set<string>();
  // News of other operations must not start the time again.
  const legible = computed(legibleId);
  let shownId: string | null = null;
  let paintedAtMs = Number.POSITIVE_INFINITY;
  const isRead = (): boolean => presses.pressedAtMs() - paintedAtMs >= readMs;
  effect(() => {
    const id = legible.value;
    shownId = id;
    paintedAtMs = Number.POSITIVE_INFINITY;
    if (id === null) return undefined;
    const cancel = presses.whenPainted(() => {
      paintedAtMs = clock.monotonicMs();
    });
    return () => {
      cancel();
      if (isRead()) readIds.add(id);
    };
  });
  return {
    // It may just be put away, in one batch with others.
    has: (operationId) => readIds.has(operationId) || (shownId === operationId && isRead()),
    forget: () => readIds.clear(),
  };
}
