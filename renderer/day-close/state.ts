import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { DayCloseView, DayView, OpenCounts } from '../../shared/till/day-views.ts';
import type { TillState } from '../../shared/till/views.ts';
import { type Signer, signatureOf, signerOf } from './signer.ts';

/** The figures are counted again at most this often. */
const readAgainMs = 1_000;
const closesPerPage = 12;

/** A day that is being closed. */
export interface Closing {
  readonly businessDate: string;
  readonly open: OpenCounts;
  readonly hasSeen: boolean;
  /** What was typed as a name, for a signer who types one. */
  readonly by: string;
  /** What was typed as a manager's PIN, for a signer who has one. */
  readonly pin: string;
  readonly problem: 'by_missing' | 'not_seen' | 'more_open' | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** Why the day cannot be closed: it was closed before, or it has not begun. */
  readonly refused: { readonly kind: 'already'; readonly close: DayCloseView } | { readonly kind: 'not_begun' } | null;
}

export interface DayClose {
  /** Null until the day was counted. */
  readonly day: ReadonlySignal<DayView | null>;
  readonly failure: ReadonlySignal<TillError | null>;
  /** Newest first; null until the list was read. */
  readonly closes: ReadonlySignal<readonly DayCloseView[] | null>;
  readonly hasMoreCloses: ReadonlySignal<boolean>;
  readonly closing: ReadonlySignal<Closing | null>;
  /** Follows who is signed in, also while the dialog is open. */
  readonly signer: ReadonlySignal<Signer>;
  /** Counts the chosen day again, and reads the newest of the closed days. */
  readonly readAgain: () => void;
  /** @param date null: the current business day */
  readonly show: (date: string | null) => void;
  /** Shows the day before or after. */
  readonly step: (days: 1 | -1) => void;
  readonly moreCloses: () => Promise<void>;
  readonly begin: () => void;
  readonly change: (part: Partial<Pick<Closing, 'hasSeen' | 'by' | 'pin'>>) => void;
  /** Somebody else stands there now, and nothing that was wrong for the one before is said any more. */
  readonly forgetPin: () => void;
  readonly confirm: () => Promise<void>;
  readonly cancel: () => void;
  /** Ends everything that runs, because the screen is left. */
  readonly leave: () => void;
}

export function createDayClose({
  api,
  clock,
  till,
}: {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly till: ReadonlySignal<TillState | null>;
}): DayClose {
  const day: Signal<DayView | null> = signal(null);
  const failure: Signal<TillError | null> = signal(null);
  const closes: Signal<readonly DayCloseView[] | null> = signal(null);
  const hasMoreCloses = signal(false);
  const closing: Signal<Closing | null> = signal(null);
  const signer = computed(() => signerOf(till.value));
  let chosen: string | null = null;
  /** Counts the readings. An answer for another day is ignored. */
  let round = 0;
  let closesRound = 0;
  let cancelTimer: CancelTimer | null = null;

  const read = async (): Promise<void> => {
    round += 1;
    const ours = round;
    const reply = await api.call('day.read', chosen === null ? {} : { business_date: chosen });
    if (ours !== round) return;
    if (reply.ok) take(reply.value);
    else failure.value = reply.error;
  };
  const take = (view: DayView): void => {
    batch(() => {
      day.value = view;
      failure.value = null;
    });
  };
  const readCloses = async (before: string | null): Promise<void> => {
    closesRound += 1;
    const ours = closesRound;
    const reply = await api.call('day.list', { limit: closesPerPage, ...(before === null ? {} : { before }) });
    if (!reply.ok || ours !== closesRound) return;
    const found = reply.value.closes;
    batch(() => {
      closes.value = before === null ? found : [...(closes.value ?? []), ...found];
      hasMoreCloses.value = found.length === closesPerPage;
    });
  };
  const change = (part: Partial<Closing>): void => {
    if (closing.value !== null) closing.value = { ...closing.value, ...part };
  };
  const show = (date: string | null): void => {
    chosen = date;
    void read();
  };

  const endEvents = api.onEvent((event) => {
    if (event.type !== 'operation' || cancelTimer !== null) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = null;
      void read();
    }, readAgainMs);
  });

  return {
    day,
    failure,
    closes,
    hasMoreCloses,
    closing,
    signer,
    readAgain() {
      void read();
      void readCloses(null);
    },
    show,
    step(days) {
      const from = chosen ?? day.value?.business_date;
      const isLast = days === 1 && from === day.value?.today;
      if (from !== undefined && !isLast) show(dayBeside(from, days));
    },
    moreCloses: () => readCloses(closes.value?.at(-1)?.business_date ?? null),
    begin() {
      const view = day.value;
      if (view === null) return;
      closing.value = {
        businessDate: view.business_date,
        open: view.open,
        hasSeen: false,
        by: '',
        pin: '',
        problem: null,
        busy: false,
        failure: null,
        refused: null,
      };
    },
    change(part) {
      if (closing.value?.busy !== true) change({ ...part, problem: null, failure: null });
    },
    forgetPin: () => change({ pin: '', problem: null, failure: null }),
    cancel() {
      if (closing.value?.busy !== true) closing.value = null;
    },
    async confirm() {
      const now = closing.value;
      if (now === null || now.busy) return;
      if (now.refused !== null) {
        closing.value = null;
        return;
      }
      const openCount = now.open.waiting + now.open.attention;
      if (openCount > 0 && !now.hasSeen) return change({ problem: 'not_seen' });
      const signature = signatureOf(signer.value, now);
      if (signature === null) return change({ problem: 'by_missing' });
      change({ busy: true, problem: null, failure: null });
      const reply = await api.call('day.close', {
        business_date: now.businessDate,
        ...signature,
        acknowledged_open: openCount,
      });
      if (!reply.ok) return change({ busy: false, failure: reply.error, pin: '' });
      switch (reply.value.kind) {
        case 'closed':
          round += 1;
          take(reply.value.day);
          closing.value = null;
          void readCloses(null);
          return;
        case 'already_closed':
          round += 1;
          take(reply.value.day);
          change({ busy: false, refused: { kind: 'already', close: reply.value.close } });
          void readCloses(null);
          return;
        case 'needs_acknowledgement':
          change({ busy: false, open: reply.value.open, hasSeen: false, problem: 'more_open' });
          return;
        case 'not_begun':
          change({ busy: false, refused: { kind: 'not_begun' } });
          return;
      }
    },
    leave() {
      round += 1;
      cancelTimer?.();
      endEvents();
    },
  };
}

/** @param date `2026-11-20` */
function dayBeside(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}
