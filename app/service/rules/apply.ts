import { errorObject } from '../../../shared/contract/errors.ts';
import type { TransactionStatus } from '../../../shared/contract/transaction.ts';
import { advance } from '../../../shared/machines/machine.ts';
import { type TransactionEvent, transactionMachine } from '../../../shared/machines/transaction.ts';
import type { Card } from '../store/card-store.ts';
import type { Store } from '../store/store.ts';
import type { DueTransaction, PlannedFailure } from '../store/transaction-store.ts';
import { earnValueOf } from './earn.ts';
import { addDeltas, type Deltas, earnDeltas, shownBalances, undoingDeltas } from './mechanics.ts';
import { holdsOnRewards } from './reward-holds.ts';
import { findTemplate, type Mechanics } from './templates.ts';

/** Applied in one transaction of the store. */
const batchSize = 250;

/** Applies the pending transactions whose time has come, oldest first, a batch at a time. */
export function applyDue(store: Store, nowMs: number): void {
  store.write(() => {
    // A card that many of them are for is read and written once.
    const cards = new Map<string, Card>();
    const changed = new Set<string>();
    for (const transaction of store.transactions.due(nowMs, batchSize)) {
      const card = apply(store, transaction, { cards, nowMs });
      if (card === null) continue;
      cards.set(card.cardId, card);
      changed.add(card.cardId);
    }
    for (const cardId of changed) {
      const card = cards.get(cardId);
      if (card !== undefined) store.cards.setBalances(cardId, card.balances);
    }
  });
}

interface Batch {
  readonly cards: Map<string, Card>;
  readonly nowMs: number;
}

/** @returns the card as it is after, or null when nothing changed on it */
function apply(store: Store, transaction: DueTransaction, batch: Batch): Card | null {
  const { nowMs } = batch;
  if (transaction.plannedFailure !== null) return fail(store, transaction, { ...transaction.plannedFailure, nowMs });
  const card = findCard(store, transaction.cardId, batch.cards);
  const mechanics = card === null ? null : (findTemplate(card.templateId)?.mechanics ?? null);
  if (card === null || mechanics === null) {
    const message = 'The service does not know how cards of this template work.';
    return fail(store, transaction, { code: 'TEMPLATE_MECHANICS_UNKNOWN', message, nowMs });
  }
  const deltas = deltasOf(store, transaction, mechanics);
  const balances = addDeltas(card.balances, deltas);
  if (balances === null) {
    const message = 'The balance would be too large to count.';
    return fail(store, transaction, { code: 'VALIDATION_ERROR', message, nowMs });
  }
  store.transactions.complete(transaction.position, {
    status: statusAfter(transaction.status, 'succeed'),
    completedAtMs: nowMs,
    deltas,
    newBalances: shownBalances(mechanics, {
      balances,
      currency: card.currency,
      holds: holdsOnRewards(store, card, nowMs),
    }),
    error: null,
  });
  if (transaction.reversesTransactionId !== null) markReversed(store, transaction.reversesTransactionId);
  return { ...card, balances };
}

function findCard(store: Store, cardId: string | null, cards: ReadonlyMap<string, Card>): Card | null {
  return cardId === null ? null : (cards.get(cardId) ?? store.cards.byId(cardId));
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
): null {
  store.transactions.complete(transaction.position, {
    status: statusAfter(transaction.status, 'fail'),
    completedAtMs: nowMs,
    deltas: null,
    newBalances: null,
    error: errorObject(code, { message, requestId: transaction.requestId }),
  });
  return null;
}

function statusAfter(status: TransactionStatus, event: TransactionEvent): TransactionStatus {
  const next = advance(transactionMachine, status, event);
  if (next === null) throw new Error(`A transaction that is ${status} cannot ${event}`);
  return next;
}
