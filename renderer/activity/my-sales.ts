import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import { type CashierSums, cashierSums } from '../../shared/till/cashier-sums.ts';
import type { DayView } from '../../shared/till/day-views.ts';
import { type Activity, everything } from './state.ts';

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
  /** Ends "My sales", because of another filter or another cashier. */
  readonly end: () => void;
  readonly leave: () => void;
}

export function createMySales(parts: {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly activity: Pick<Activity, 'narrow' | 'today'>;
}): MySales {
  const { api, clock, activity } = parts;
  const mine: Signal<Mine> = signal({ kind: 'off' });
  let cancelTimer: CancelTimer | null = null;

  const read = async (cashier: string, isFirst: boolean): Promise<void> => {
    const reply = await api.call('day.read', {});
    const now = mine.value;
    if (now.kind === 'off' || now.cashier !== cashier) return;
    if (!reply.ok) {
      mine.value = { kind: 'failed', cashier };
      return;
    }
    mine.value = { kind: 'shown', cashier, sums: sumsOf(reply.value, cashier) };
    const isNextDay = activity.today.value !== reply.value.business_date;
    activity.today.value = reply.value.business_date;
    if (isFirst || isNextDay) activity.narrow({ ...everything, day: reply.value.business_date, cashier });
  };
  const endEvents = api.onEvent((event) => {
    if (event.type !== 'operation' || mine.value.kind === 'off' || cancelTimer !== null) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = null;
      readAgain();
    }, readAgainMs);
  });
  const readAgain = (): void => {
    if (mine.value.kind !== 'off') void read(mine.value.cashier, false);
  };
  const end = (): void => {
    mine.value = { kind: 'off' };
  };
  return {
    mine,
    toggle(cashier) {
      if (mine.value.kind !== 'off' && mine.value.kind !== 'failed') {
        end();
        activity.narrow(everything);
        return;
      }
      mine.value = { kind: 'reading', cashier };
      void read(cashier, true);
    },
    readAgain,
    end,
    leave() {
      endEvents();
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
