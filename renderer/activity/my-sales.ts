import { batch, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import { type CashierSums, cashierSums } from '../../shared/till/cashier-sums.ts';
import type { DayView } from '../../shared/till/day-views.ts';
import { everything } from './filter.ts';
import type { Activity } from './state.ts';

/** Sales come in bursts: the sums are read again at most this often. */
const readAgainMs = 1_000;

type Mine =
  | { readonly kind: 'off' }
  | { readonly kind: 'reading'; readonly cashier: string }
  | { readonly kind: 'failed'; readonly cashier: string }
  | { readonly kind: 'shown'; readonly cashier: string; readonly sums: CashierSums };

export interface MySales {
  readonly mine: ReadonlySignal<Mine>;
  /** Shows what a cashier took on the current business day. The second call shows everything again. */
  readonly toggle: (cashier: string) => void;
  /** Reads the sums again, while they are asked for. */
  readonly readAgain: () => void;
  readonly leave: () => void;
}

/** "My sales" lasts as long as its filter: whatever narrows the list to something else ends it. */
export function createMySales(parts: {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly activity: Pick<Activity, 'filter' | 'narrow' | 'today'>;
}): MySales {
  const { api, clock, activity } = parts;
  const mine: Signal<Mine> = signal({ kind: 'off' });
  let cancelTimer: CancelTimer | null = null;
  /** The filter that "My sales" has chosen, or has found before it could choose one. */
  let ours = activity.filter.peek();
  /** The business day that the list is narrowed to; null: "My sales" has not narrowed it. */
  let narrowedTo: string | null = null;

  const read = async (cashier: string): Promise<void> => {
    const reply = await api.call('day.read', {});
    const now = mine.value;
    if (now.kind === 'off' || now.cashier !== cashier) return;
    if (!reply.ok) {
      mine.value = { kind: 'failed', cashier };
      return;
    }
    mine.value = { kind: 'shown', cashier, sums: sumsOf(reply.value, cashier) };
    const day = reply.value.business_date;
    activity.today.value = day;
    if (narrowedTo === day) return;
    narrowedTo = day;
    batch(() => {
      activity.narrow({ ...everything, day, cashier });
      ours = activity.filter.value;
    });
  };
  const endEvents = api.onEvent((event) => {
    if (event.type !== 'operation' || mine.value.kind === 'off' || cancelTimer !== null) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = null;
      readAgain();
    }, readAgainMs);
  });
  const readAgain = (): void => {
    if (mine.value.kind !== 'off') void read(mine.value.cashier);
  };
  const end = (): void => {
    narrowedTo = null;
    if (mine.value.kind !== 'off') mine.value = { kind: 'off' };
  };
  const endFilter = effect(() => {
    if (activity.filter.value !== ours) untracked(end);
  });
  return {
    mine,
    toggle(cashier) {
      if (mine.value.kind !== 'off' && mine.value.kind !== 'failed') {
        activity.narrow(everything);
        return;
      }
      ours = activity.filter.value;
      mine.value = { kind: 'reading', cashier };
      void read(cashier);
    },
    readAgain,
    leave() {
      endEvents();
      endFilter();
      cancelTimer?.();
    },
  };
}

/** The cashier's sums, with what was added after the day was closed. */
function sumsOf(day: DayView, cashier: string): CashierSums {
  const parts = [...(day.cashiers ?? []), ...(day.since_closing?.cashiers ?? [])].filter(
    ({ employee_ref }) => employee_ref === cashier,
  );
  return cashierSums({ lines: parts.flatMap(({ lines }) => lines), held: parts.flatMap(({ held }) => held) });
}
