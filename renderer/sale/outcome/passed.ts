import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../../shared/lib/clock.ts';
import { repeatWindowMs } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { isOlder } from '../../operation/older.ts';
import { isEndAwaited, wasNotDone } from '../../operation/standing.ts';
import type { Presses } from '../../shell/presses.ts';
import type { Sounds } from '../../shell/sound.ts';
import { createEndsRead } from './ends-read.ts';
import type { Outcome } from './shown-outcome.ts';

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
  /** The end of an operation was read elsewhere, so it is told of no more. */
  readonly wasRead: (operation: OperationView) => void;
  /**
   * Forgets the news. A redemption, a hold or a paid order that is still checked is told of again, and so is an end that
   * nobody can have read yet, until the cashier has decided, or nobody would repeat it any more.
   */
  readonly forget: () => void;
  /** Forgets only what nobody would repeat any more, because the cashier has decided, or it is too old. */
  readonly forgetOver: () => void;
  /** Takes the news of an operation. */
  readonly takeNews: (operation: OperationView) => void;
}

interface PassedSaleParts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly presses: Presses;
  readonly sounds: Sounds;
  /** Whether another screen is shown, so that nobody reads this one. */
  readonly isHidden: () => boolean;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly waitingScan: ReadonlySignal<string | null>;
}

/** An operation, and when it was told of first, by the page's own time: the till's clock may be set at any moment. */
interface Kept {
  readonly operation: OperationView;
  readonly sinceMs: number;
}

export function createPassedSale({ clock, presses, sounds, outcome, ...parts }: PassedSaleParts): PassedSale {
  const news: Signal<Passed | null> = signal(null);
  /** What is spent or held and was put away before anybody can have read its end, and paid orders; the last one first. */
  const kept: Signal<readonly Kept[]> = signal([]);
  /** Beside an operation in the middle of the screen nothing is told of itself. */
  const isShown = ({ operation_id }: OperationView): boolean => operation_id === outcome.value?.operation.operation_id;
  /** Whether something that is more urgent, or another screen, stands where the news would. */
  const isCovered = (): boolean =>
    parts.isHidden() || parts.waitingScan.value !== null || outcome.value?.isEarlier === false;
  const passed = computed((): Passed | null => {
    const now = news.value;
    if (now !== null && (now.kind !== 'done' || !isShown(now.operation))) return now;
    const others = kept.value.map(({ operation }) => operation).filter((one) => !isShown(one));
    // There is room for one. An end comes first, because it is told once.
    const operation = others.find((one) => !isEndAwaited(one)) ?? others[0];
    return operation === undefined ? null : { kind: 'done', operation };
  });
  const read = createEndsRead({ clock, presses }, () => {
    const legible = isCovered() ? null : passed.value;
    return legible?.kind === 'done' && !isEndAwaited(legible.operation) ? legible.operation.operation_id : null;
  });
  const isOver = ({ operation, sinceMs }: Kept): boolean =>
    operation.decision !== null || clock.monotonicMs() - sinceMs >= repeatWindowMs;
  const forgetOver = (): void => {
    kept.value = kept.value.filter((one) => !isOver(one));
  };
  /** An order is paid for whoever is not in front: no other part of the screen sounds for its end. */
  const soundForPaid = (before: OperationView, now: OperationView): void => {
    if (now.intent !== 'commit' || !isEndAwaited(before) || isEndAwaited(now)) return;
    if (wasNotDone(now)) sounds.failure();
    // Beside another customer it would sound like their success.
    else if (isShown(now)) sounds.success();
  };
  return {
    passed,
    forgetOver,
    tell(next) {
      if (next.kind !== 'done' || !isKept(next.operation)) {
        news.value = next;
        return;
      }
      const { operation } = next;
      const before = kept.value.find((one) => isSame(one.operation, operation));
      const others = kept.value.filter((one) => one !== before);
      kept.value = [{ operation, sinceMs: before?.sinceMs ?? clock.monotonicMs() }, ...others];
    },
    wasRead(operation) {
      kept.value = kept.value.filter((one) => !isSame(one.operation, operation));
    },
    forget() {
      news.value = null;
      forgetOver();
      kept.value = kept.value.filter(({ operation }) => !read.has(operation.operation_id));
      read.forget();
    },
    takeNews(operation) {
      const newer = (one: OperationView): OperationView =>
        isSame(one, operation) && !isOlder(operation, one) ? operation : one;
      const now = news.value;
      if (now?.kind === 'done') news.value = { kind: 'done', operation: newer(now.operation) };
      const before = kept.value.find((one) => isSame(one.operation, operation))?.operation;
      kept.value = kept.value.map((one) => ({ ...one, operation: newer(one.operation) }));
      if (before !== undefined) soundForPaid(before, newer(before));
    },
  };
}

/** Redemptions, holds and paid orders: what the customer was told must be known to whoever told it. */
const isKept = ({ intent }: OperationView): boolean =>
  intent === 'redeem' || intent === 'reserve' || intent === 'commit';
const isSame = (one: OperationView, other: OperationView): boolean => one.operation_id === other.operation_id;
