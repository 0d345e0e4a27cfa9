import { errorObject } from '../../../shared/contract/errors.ts';
import type { TransactionStatus } from '../../../shared/contract/transaction.ts';
import { advance } from '../../../shared/machines/machine.ts';
import { type TransactionEvent, transactionMachine } from '../../../shared/machines/transaction.ts';
import type { Card } from '../store/card-store.ts';
import type { Store } from '../store/store.ts';
import type { DueTransaction, PlannedFailure } from '../store/transaction-store.ts';
import { earnValueOf } from './earn.ts';
import {
  addDeltas,
  type Deltas,
  earnDeltas,
  type Holds,
  type StoredBalances,
  shownBalances,
  undoingDeltas,
} from './mechanics.ts';
import { holdsOnRewards } from './reward-holds.ts';
import { findTemplate, type Mechanics } from './templates.ts';

/** Applied in one transaction of the store. */
const batchSize = 250;

/** Applies the pending transactions whose time has come, oldest first, a batch at a time. */
export function applyDue(store: Store, nowMs: number): void {
  store.write(() => {
    const cards = new Map<string, CardInBatch>();
    for (const transaction of store.transactions.due(nowMs, batchSize)) {
      apply(store, transaction, { card: cardInBatch(store, transaction.cardId, { cards, nowMs }), nowMs });
    }
    for (const { card, balances } of cards.values()) {
      if (balances !== card.balances) store.cards.setBalances(card.cardId, balances);
    }
  });
}

/** A card that many of them are for is read and written once, and what is held of it is asked for once. */
interface CardInBatch {
  readonly card: Card;
  readonly mechanics: Mechanics;
  readonly holds: Holds;
  /** After those that have been applied by now. */
  balances: StoredBalances;
}

/** @returns null for one that nobody knows how to change */
function cardInBatch(
  store: Store,
  cardId: string | null,
  { cards, nowMs }: { readonly cards: Map<string, CardInBatch>; readonly nowMs: number },
): CardInBatch | null {
  if (cardId === null) return null;
  const known = cards.get(cardId);
  if (known !== undefined) return known;
  const card = store.cards.byId(cardId);
  const mechanics = card === null ? null : (findTemplate(card.templateId)?.mechanics ?? null);
  if (card === null || mechanics === null) return null;
  const inBatch = { card, mechanics, holds: holdsOnRewards(store, card, nowMs), balances: card.balances };
  cards.set(cardId, inBatch);
  return inBatch;
}

function apply(
  store: Store,
  transaction: DueTransaction,
  { card: inBatch, nowMs }: { readonly card: CardInBatch | null; readonly nowMs: number },
): void {
  if (transaction.plannedFailure !== null) {
    fail(store, transaction, { ...transaction.plannedFailure, nowMs });
    return;
  }
  if (inBatch === null) {
    const message = 'The service does not know how cards of this template work.';
    fail(store, transaction, { code: 'TEMPLATE_MECHANICS_UNKNOWN', message, nowMs });
    return;
  }
  const { card, mechanics, holds } = inBatch;
  const deltas = deltasOf(store, transaction, mechanics);
  const balances = addDeltas(inBatch.balances, deltas);
  if (balances === null) {
    const message = 'The balance would be too large to count.';
    fail(store, transaction, { code: 'VALIDATION_ERROR', message, nowMs });
    return;
  }
  inBatch.balances = balances;
  store.transactions.complete(transaction.position, {
    status: statusAfter(transaction.status, 'succeed'),
    completedAtMs: nowMs,
    deltas,
    newBalances: shownBalances(mechanics, { balances, currency: card.currency, holds }),
    error: null,
  });
  if (transaction.reversesTransactionId !== null) markReversed(store, transaction.reversesTransactionId);
}

/** An earn gives by its card's mechanics; a reversal undoes exactly what the original did (gap: Transactions). */
function deltasOf(store: Store, transaction: DueTransaction, mechanics: Mechanics): Deltas {
  if (transaction.reversesTransactionId !== null) {
    return undoingDeltas(store.transactions.byId(transaction.reversesTransactionId)?.deltas ?? {});
  }
  return earnDeltas(mechanics, earnValueOf(transaction));
}

function markReversed(store: Store, transactionId: string): void {
  const original = store.transactions.byId(transactionId);
  if (original !== null) store.transactions.setStatus(transactionId, statusAfter(original.status, 'reverse'));
}

function fail(
  store: Store,
  transaction: DueTransaction,
  { code, message, nowMs }: PlannedFailure & { readonly nowMs: number },
): void {
  store.transactions.complete(transaction.position, {
    status: statusAfter(transaction.status, 'fail'),
    completedAtMs: nowMs,
    deltas: null,
    newBalances: null,
    error: errorObject(code, { message, requestId: transaction.requestId }),
  });
}

function statusAfter(status: TransactionStatus, event: TransactionEvent): TransactionStatus {
  const next = advance(transactionMachine, status, event);
  if (next === null) throw new Error(`A transaction that is ${status} cannot ${event}`);
  return next;
}
