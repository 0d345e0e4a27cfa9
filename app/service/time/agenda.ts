import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';

/** What the service does by itself at a later time: one timer for the earliest of it. */
export interface Agenda {
  /** Something has to be done at this instant. */
  expect(dueAtMs: number): void;
  /** Looks again at what is waiting: at the start, and after all of it was thrown away. */
  rearm(): void;
}

interface AgendaOptions {
  readonly clock: Clock;
  readonly nextDueAtMs: () => number | null;
  /** Does what is due by now, or a good part of it. */
  readonly runDue: (nowMs: number) => void;
  /** It could not be done (a full disk, perhaps); it is tried again a little later. A move of the clock ends with it. */
  readonly onError: (error: unknown) => void;
}

const retryAfterMs = 1000;

export function createAgenda({ clock, nextDueAtMs, runDue, onError }: AgendaOptions): Agenda {
  let armedForMs: number | null = null;
  let cancel: CancelTimer = () => {};

  function expect(dueAtMs: number): void {
    if (armedForMs !== null && armedForMs <= dueAtMs) return;
    cancel();
    armedForMs = dueAtMs;
    cancel = clock.setTimer(run, dueAtMs - clock.now());
  }

  function run(): void {
    armedForMs = null;
    try {
      runDue(clock.now());
      const next = nextDueAtMs();
      if (next !== null) expect(next);
    } catch (error) {
      onError(error);
      expect(clock.now() + retryAfterMs);
      throw error;
    }
  }

  return {
    expect,
    rearm() {
      cancel();
      armedForMs = null;
      const next = nextDueAtMs();
      if (next !== null) expect(next);
    },
  };
}
