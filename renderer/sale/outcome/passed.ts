import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { repeatWindowMs } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { isBeingFoundOut } from '../../recent/recent-rows.ts';

/** Why an amount became no sale, although it was entered for a customer who was looked up. */
export type NotTakenReason = 'nobody' | 'cannot_earn' | 'left';

/** News of the last customer's sale, while the next customer is in front. */
export type Passed =
  | { readonly kind: 'done'; readonly operation: OperationView }
  /** @property text the amount as it was entered, in plain digits */
  | { readonly kind: 'not_taken'; readonly text: string; readonly reason: NotTakenReason };

export interface PassedSale {
  readonly passed: ReadonlySignal<Passed | null>;
  readonly tell: (passed: Passed) => void;
  /**
   * Forgets the news. A redemption that is still checked is told of again, until its end is known, the cashier has
   * decided, or nobody would repeat it any more.
   */
  readonly forget: () => void;
  /** Takes the news of an operation. */
  readonly takeNews: (operation: OperationView) => void;
}

interface PassedSaleParts {
  /** The operation in the middle of the screen, beside which nothing is told of itself; null: none. */
  readonly shown: () => OperationView | null;
  /** The agent's time in epoch milliseconds. */
  readonly nowMs: () => number;
}

export function createPassedSale({ shown, nowMs }: PassedSaleParts): PassedSale {
  const news: Signal<Passed | null> = signal(null);
  /** The last redemption that was put away while it was checked. */
  const checked: Signal<Passed | null> = signal(null);
  const told = [news, checked];
  const isOpen = (one: Passed): boolean =>
    one.kind === 'done' &&
    isBeingFoundOut(one.operation) &&
    one.operation.decision === null &&
    nowMs() - Date.parse(one.operation.saved_at) < repeatWindowMs;
  const isShown = (one: Passed): boolean => one.kind === 'done' && one.operation.operation_id === shown()?.operation_id;
  return {
    passed: computed(() => {
      const [first = null] = told.flatMap(({ value }) => (value === null || isShown(value) ? [] : [value]));
      return first;
    }),
    tell(passed) {
      const isChecked = passed.kind === 'done' && isBeingFoundOut(passed.operation);
      (isChecked ? checked : news).value = passed;
    },
    forget() {
      news.value = null;
      if (checked.value !== null && !isOpen(checked.value)) checked.value = null;
    },
    takeNews(operation) {
      for (const one of told) {
        const now = one.value;
        if (now?.kind !== 'done' || now.operation.operation_id !== operation.operation_id) continue;
        if (operation.updated_at >= now.operation.updated_at) one.value = { kind: 'done', operation };
      }
    },
  };
}
