import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { OperationView } from '../../../shared/till/views.ts';

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
  readonly forget: () => void;
  /** Takes the news of an operation. */
  readonly takeNews: (operation: OperationView) => void;
}

export function createPassedSale(): PassedSale {
  const passed: Signal<Passed | null> = signal(null);
  return {
    passed,
    tell(news) {
      passed.value = news;
    },
    forget() {
      passed.value = null;
    },
    takeNews(operation) {
      const now = passed.value;
      if (now?.kind !== 'done' || now.operation.operation_id !== operation.operation_id) return;
      if (operation.updated_at >= now.operation.updated_at) passed.value = { kind: 'done', operation };
    },
  };
}
