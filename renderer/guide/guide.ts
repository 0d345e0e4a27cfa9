import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Memory } from '../frame/frame.ts';

/** The progress of a practice shift. */
export interface Shift {
  /** How many of its steps are done. */
  readonly doneCount: number;
  readonly startedAtMs: number;
}

/** What helps a cashier to learn the till: a list of keys and answers, and a practice shift with its steps. */
export interface Guide {
  readonly isHelpOpen: ReadonlySignal<boolean>;
  readonly openHelp: () => void;
  readonly closeHelp: () => void;
  /** Null while nobody practises. It is kept when the page is loaded again. */
  readonly shift: ReadonlySignal<Shift | null>;
  readonly startShift: () => void;
  /** @param place of the step, from 0. The same step counts only once, even when two sales arrive together */
  readonly stepDone: (place: number) => void;
  readonly endShift: () => void;
}

interface GuideParts {
  readonly clock: Clock;
  readonly memory: Memory;
}

const remembered = /^(\d{1,2}) (\d{1,15})$/;

export function createGuide({ clock, memory }: GuideParts): Guide {
  const [, doneCount, startedAtMs] = remembered.exec(memory.read('shift') ?? '') ?? [];
  const shift: Signal<Shift | null> = signal(
    startedAtMs === undefined ? null : { doneCount: Number(doneCount), startedAtMs: Number(startedAtMs) },
  );
  const isHelpOpen = signal(false);
  const keep = (next: Shift | null): void => {
    shift.value = next;
    memory.write('shift', next === null ? '' : `${next.doneCount} ${next.startedAtMs}`);
  };
  return {
    isHelpOpen,
    openHelp() {
      isHelpOpen.value = true;
    },
    closeHelp() {
      isHelpOpen.value = false;
    },
    shift,
    startShift: () => keep({ doneCount: 0, startedAtMs: clock.now() }),
    stepDone(place) {
      const now = shift.value;
      if (now?.doneCount === place) keep({ ...now, doneCount: now.doneCount + 1 });
    },
    endShift: () => keep(null),
  };
}
