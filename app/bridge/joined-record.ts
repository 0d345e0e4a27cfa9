import { differingFields } from '../../shared/contract/differing-fields.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import { knownValues } from '../operations/known-values.ts';
import type { Operation } from '../store/operation.ts';
import { intentOfOperation, toldRecord } from './transaction-view.ts';

/** States in which the service is proven to hold nothing of ours: what it has under the reference is another's. */
const provenAbsent: ReadonlySet<OperationState> = new Set(['refused', 'cancelled', 'written_off']);

/**
 * Whether a record in the service's books is an operation of ours. The service may hold one whose answer we never got,
 * or under an id that a swapped answer hid from us: reference, intent and values tell it then, as they tell a replay
 * there (spec "What the service does", 4).
 */
export function isSame(ours: Operation, theirs: Transaction): boolean {
  if (intentOfOperation[ours.intent] !== theirs.intent) return false;
  const hasItsId = ours.serviceTransactionId === theirs.transaction_id;
  // A reversal may be filed under its original's reference.
  if (ours.externalRef !== theirs.external_ref) return hasItsId && theirs.intent === 'reverse';
  // Of what is only accepted the id is not proven yet.
  if (hasItsId && ours.state !== 'accepted') return true;
  if (provenAbsent.has(ours.state)) return false;
  return !namesValues(ours) || differingFields(requestOf(ours), theirs).length === 0;
}

/** A reversal's record has its original's values, or none; of a commit they are known once it was answered. */
function namesValues(operation: Operation): boolean {
  const { amountMinor, points } = knownValues(operation);
  if (operation.intent === 'commit') return amountMinor !== null || points !== null;
  return operation.intent === 'earn' || operation.intent === 'redeem';
}

/** As far as the row has kept it. */
function requestOf(operation: Operation): object {
  const { amountMinor, currency, points, stamps, visits } = knownValues(operation);
  const { cardId, identifier } = operation;
  return {
    amount_minor: amountMinor,
    currency,
    points,
    stamps,
    visits,
    card_id: cardId,
    identifier: identifier === null ? null : { [identifier.kind]: identifier.value },
  };
}

/**
 * Our record, with the service's word where that is newer (it was applied meanwhile, or reversed at another till) and
 * where only the service knows: a reversal sends no time, so the one in its books is when it happened (spec
 * "Transaction").
 */
export function joined(operation: Operation, own: Transaction, theirs: Transaction): Transaction {
  const word = newerWord(operation, own, theirs);
  const isOurReversal = operation.intent === 'reverse' && operation.serviceTransactionId === theirs.transaction_id;
  return isOurReversal ? { ...word, occurred_at: theirs.occurred_at } : word;
}

function newerWord(operation: Operation, own: Transaction, theirs: Transaction): Transaction {
  const isReversed = own.status === 'success' && theirs.status === 'reversed';
  // What was never sent under this reference is not ours, however alike it is.
  const isProven = operation.serviceTransactionId === theirs.transaction_id || operation.maybeSent;
  const isDone = own.status === 'pending' && isProven && theirs.status !== 'pending' && theirs.status !== 'processing';
  if (!isReversed && !isDone) return own;
  return { ...toldRecord(theirs), transaction_id: own.transaction_id, external_ref: own.external_ref };
}
