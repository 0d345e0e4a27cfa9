import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { TillState } from '../../shared/till/views.ts';

/** Far less than a minute, which is the shortest time to a lock. */
const tellEveryMs = 10_000;

interface TellParts {
  readonly api: TillApi;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly till: ReadonlySignal<TillState | null>;
}

/** Reports to the agent that the screen is used, so that it is not locked. Typing alone sends the agent nothing. */
export function tellWhenUsed(window: Window, { api, clock, till }: TellParts): void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    if (till.value?.locks !== true || till.value.sign_in !== null) return;
    const nowMs = clock.monotonicMs();
    if (nowMs - toldAtMs < tellEveryMs) return;
    toldAtMs = nowMs;
    void api.call('cashier.active', {});
  };
  for (const type of ['keydown', 'pointerdown', 'wheel'] as const) {
    window.addEventListener(type, tell, { capture: true, passive: true });
  }
}
