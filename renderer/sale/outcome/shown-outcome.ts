import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { needsPerson } from '../../../shared/machines/operation.ts';
import type { TillError } from '../../../shared/till/api.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { isOlder } from '../../operation/older.ts';
import { cardOperationsOf } from '../../operation/other-card.ts';
import { isOpenState, stateLooks } from '../../operation/outcome.ts';
import type { Presses } from '../../shell/presses.ts';
import type { Sounds } from '../../shell/sound.ts';
import { createEndsRead } from './ends-read.ts';

/** What became of the sale that was just taken. */
export interface Outcome {
  readonly operation: OperationView;
  readonly card: CardEntry | null;
  /** The card as the service reported it just before the sale; null when that is unknown. */
  readonly cardBefore: CardEntry | null;
  /** Which of the card's operations the cashier used. */
  readonly takenBy: CardOperation;
  /** For how many minutes it was to be held; null: it is no hold. */
  readonly heldForMinutes: number | null;
  readonly duplicate: boolean;
  /** How long the screen waits before it clears itself; null when it stays. */
  readonly clearsAfterMs: number | null;
  /** Changes whenever the wait starts again. */
  readonly round: number;
  /** Why a later request about this operation failed; null when none did. */
  readonly failure: TillError | null;
  /** The cashier opened it in Recent. It may be another customer's, and the customer in front stays. */
  readonly isEarlier: boolean;
}

/** What is known of an operation when its entry ends. */
export type Sold = Pick<Outcome, 'operation' | 'card' | 'cardBefore' | 'takenBy' | 'heldForMinutes' | 'duplicate'>;

/** How long after the last news of a sale the screen clears for the next customer. */
const clearAfterMs = 6_000;

/** Shows an outcome, follows it to its end, and clears it. */
export interface ShownOutcome {
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly show: (sold: Sold) => void;
  /** Shows an earlier operation. */
  readonly showEarlier: (operation: OperationView, card: CardEntry | null) => void;
  /**
   * Takes the outcome off the screen.
   *
   * @returns a function that shows it again in its newest state; null when none was shown
   */
  readonly putAway: () => (() => void) | null;
  /** The cashier asked the outcome to stay. */
  readonly keep: () => void;
  /** Clears the screen after a while, unless the outcome has to be read first. */
  readonly clearSoon: () => void;
  /** A redemption is completed. */
  readonly spent: () => void;
  /** Shows why a later request about the operation failed. Does nothing when another outcome is shown. */
  readonly fail: (operationId: string, error: TillError) => void;
  /** Takes the news of an operation. */
  readonly takeNews: (operation: OperationView) => void;
}

/** What else happens when the outcome changes. */
export interface OutcomeConsequences {
  /**
   * An outcome was taken off the screen.
   *
   * @param end `isUnread`: it is the end of a redemption, which nobody can have read yet
   */
  readonly onAway: (news: Outcome, end: { readonly isUnread: boolean }) => void;
  /** A redemption is completed: a card that waited for it may come. */
  readonly onSpent: () => void;
}

interface ShownOutcomeParts {
  readonly clock: Clock;
  readonly presses: Presses;
  readonly sounds: Sounds;
  /** The newest view of an operation; null when the agent has not reported the operation yet. */
  readonly newest: (operationId: string) => OperationView | null;
  /** Whether another screen is shown, so that nobody reads this one. */
  readonly isHidden: () => boolean;
  /** Clears the screen, because the customer leaves. */
  readonly leave: () => void;
  /** A function, because they are made of parts that need the outcome. */
  readonly consequences: () => OutcomeConsequences;
}

export function createShownOutcome({
  clock,
  presses,
  sounds,
  newest,
  isHidden,
  leave,
  consequences,
}: ShownOutcomeParts): ShownOutcome {
  const outcome: Signal<Outcome | null> = signal(null);
  let cancelClearing: CancelTimer = () => undefined;
  const read = createEndsRead({ clock, presses }, () => {
    const end = isHidden() ? null : endOf(outcome.value);
    return end === null ? null : end.operation_id;
  });

  const clearSoon = (): void => {
    const now = outcome.value;
    if (now === null) return;
    cancelClearing();
    const { state } = now.operation;
    // A refusal has to be read and acted upon, so it stays until the cashier moves on.
    const stays = needsPerson(state);
    outcome.value = { ...now, clearsAfterMs: stays ? null : clearAfterMs, round: now.round + 1 };
    if (!stays) cancelClearing = clock.setTimer(leave, clearAfterMs);
  };

  const spent = (): void => {
    sounds.success();
    clearSoon();
    consequences().onSpent();
  };

  const bringBack = (news: Outcome): void => {
    const { operation } = news;
    outcome.value = { ...news, operation: newest(operation.operation_id) ?? operation };
    if (news.clearsAfterMs !== null) clearSoon();
  };

  return {
    outcome,
    clearSoon,
    spent,
    show(sold) {
      outcome.value = { ...sold, clearsAfterMs: null, round: 0, failure: null, isEarlier: false };
    },
    showEarlier(operation, card) {
      const [takenBy = 'earn_amount'] = cardOperationsOf(operation);
      const sold = { operation, card, cardBefore: null, takenBy, heldForMinutes: null, duplicate: false };
      outcome.value = { ...sold, clearsAfterMs: null, round: 0, failure: null, isEarlier: true };
    },
    putAway() {
      cancelClearing();
      const news = outcome.value;
      outcome.value = null;
      const end = endOf(news);
      if (news !== null) consequences().onAway(news, { isUnread: end !== null && !read.has(end.operation_id) });
      return news === null ? null : () => bringBack(news);
    },
    keep() {
      cancelClearing();
      if (outcome.value !== null) outcome.value = { ...outcome.value, clearsAfterMs: null };
    },
    fail(operationId, error) {
      const now = outcome.value;
      if (now?.operation.operation_id === operationId) outcome.value = { ...now, failure: error };
    },
    takeNews(operation) {
      const now = outcome.value;
      if (now === null || now.operation.operation_id !== operation.operation_id) return;
      if (isOlder(operation, now.operation)) return;
      const before = now.operation.state;
      const { state } = operation;
      outcome.value = { ...now, operation };
      if (before === state) return;
      if (now.isEarlier) return;
      // The cashier waits for the outcome of everything but an earn.
      if (operation.intent !== 'earn') {
        if (!isOpenState(before)) return;
        // The customer has paid in full meanwhile, and the redemption will be reversed. Or an earlier press made it,
        // perhaps with another value. Neither is a success of this press.
        const isNoSuccess = operation.decision === 'take_full_payment' || now.duplicate;
        if (state === 'applied' && isNoSuccess) return;
        if (state === 'applied') spent();
        else if (!isOpenState(state)) sounds.failure();
        return;
      }
      if (needsPerson(state)) sounds.failure();
      if (now.clearsAfterMs !== null && stateLooks[state].settled) clearSoon();
    },
  };
}

/** The operation of the outcome when it has ended; null: it has not, or it is an earn, for which nobody waits. */
function endOf(outcome: Outcome | null): OperationView | null {
  if (outcome === null || outcome.operation.intent === 'earn') return null;
  return isOpenState(outcome.operation.state) ? null : outcome.operation;
}
