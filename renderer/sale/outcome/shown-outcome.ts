import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import type { TillError } from '../../../shared/till/api.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { cardOperationsOf } from '../../operation/other-card.ts';
import { isOpenState, stateLooks } from '../../operation/outcome.ts';
import type { Sounds } from '../../shell/sound.ts';

/** What became of the sale that was just taken. */
export interface Outcome {
  readonly operation: OperationView;
  readonly card: CardEntry | null;
  /** The card as the service told it right before; null where that is not known. */
  readonly cardBefore: CardEntry | null;
  /** By which of the card's operations it was taken. */
  readonly takenBy: CardOperation;
  readonly duplicate: boolean;
  /** How long the screen waits before it clears itself; null once the cashier asked it to stay. */
  readonly clearsAfterMs: number | null;
  /** Changes whenever the wait starts again. */
  readonly round: number;
  /** Why what was asked since did not happen. */
  readonly failure: TillError | null;
  /** It was looked up in Recent, whoever stands in front: it tells what became of it, and ends nobody's sale. */
  readonly isEarlier: boolean;
}

/** What an entry ends with. */
export type Sold = Pick<Outcome, 'operation' | 'card' | 'cardBefore' | 'takenBy' | 'duplicate'>;

/** The screen clears for the next customer so long after the last news of a sale. */
const clearAfterMs = 6_000;

/** The outcome in front of the customer: shown, followed to its end, and cleared. */
export interface ShownOutcome {
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly show: (sold: Sold) => void;
  /** Shows an operation of before. */
  readonly showEarlier: (operation: OperationView, card: CardEntry | null) => void;
  /** Takes the outcome off the screen. @returns what brings it back, with its newest state; null when none was shown */
  readonly putAway: () => (() => void) | null;
  /** The cashier asked the outcome to stay. */
  readonly keep: () => void;
  /** Clears the screen after a while, unless the outcome has to be read first. */
  readonly clearSoon: () => void;
  /** A redemption was done. */
  readonly spent: () => void;
  /** What was asked of the operation since did not happen. Does nothing when another outcome is shown. */
  readonly fail: (operationId: string, error: TillError) => void;
  /** An operation has moved on. */
  readonly takeNews: (operation: OperationView) => void;
}

interface ShownOutcomeParts {
  readonly clock: Clock;
  readonly sounds: Sounds;
  /** The newest view of an operation that the agent has told of; null when it did not yet. */
  readonly newest: (operationId: string) => OperationView | null;
  /** The customer leaves: the screen is cleared. */
  readonly leave: () => void;
  /** A redemption was done: what waited for it may come. */
  readonly onSpent: () => void;
}

export function createShownOutcome({ clock, sounds, newest, leave, onSpent }: ShownOutcomeParts): ShownOutcome {
  const outcome: Signal<Outcome | null> = signal(null);
  let cancelClearing: CancelTimer = () => undefined;

  const clearSoon = (): void => {
    const now = outcome.value;
    if (now === null) return;
    cancelClearing();
    const { state } = now.operation;
    // A refusal has to be read and acted upon: it stays until somebody moves on.
    const stays = state === 'refused' || state === 'failed';
    outcome.value = { ...now, clearsAfterMs: stays ? null : clearAfterMs, round: now.round + 1 };
    if (!stays) cancelClearing = clock.setTimer(leave, clearAfterMs);
  };

  const spent = (): void => {
    sounds.success();
    clearSoon();
    onSpent();
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
      const sold = { operation, card, cardBefore: null, takenBy, duplicate: false };
      outcome.value = { ...sold, clearsAfterMs: null, round: 0, failure: null, isEarlier: true };
    },
    putAway() {
      cancelClearing();
      const news = outcome.value;
      outcome.value = null;
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
      if (operation.updated_at < now.operation.updated_at) return;
      const before = now.operation.state;
      const { state } = operation;
      outcome.value = { ...now, operation };
      if (before === state || now.isEarlier) return;
      // Somebody waits for these at the till, as for what is held for an order.
      if (operation.intent !== 'earn') {
        if (!isOpenState(before)) return;
        // Paid in full meanwhile: that it counted is no success, and it is taken back.
        if (state === 'applied' && operation.decision === 'take_full_payment') return;
        if (state === 'applied') spent();
        else if (!isOpenState(state)) sounds.failure();
        return;
      }
      if (state === 'refused' || state === 'failed') sounds.failure();
      if (now.clearsAfterMs !== null && stateLooks[state].settled) clearSoon();
    },
  };
}
