import { differingFields } from '../../shared/contract/differing-fields.ts';
import { isOnItsWay, type Transaction } from '../../shared/contract/transaction.ts';
import { deadStates, isWaiting } from '../../shared/machines/operation.ts';
import { intentInBooks } from '../../shared/machines/operation-intents.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Verdict } from '../operations/ownership/verdict.ts';
import { knownValues } from '../operations/requests/known-values.ts';
import type { Operation } from '../store/schema/operation.ts';
import { toldRecord } from './transaction-view.ts';

/**
 * Whose a record of the service is. The service may have one of ours whose answer never came. Another till may have used
 * the same number for the same value, so its customer and its time have to be ours, too.
 */
export async function whose(
  core: Pick<AgentCore, 'whoseRecord'>,
  ours: Operation,
  theirs: Transaction,
  options?: { readonly patienceMs?: number },
): Promise<Verdict['kind']> {
  if (!maybeSame(ours, theirs)) return 'anothers';
  return isWaiting(ours.state) ? core.whoseRecord(ours, theirs, options) : 'ours';
}

/**
 * Whether a record of the service can be an operation of this till: it has its id, or its reference, intent and values.
 */
export function maybeSame(ours: Operation, theirs: Transaction): boolean {
  if (intentInBooks[ours.intent] !== theirs.intent) return false;
  const hasItsId = ours.serviceTransactionId === theirs.transaction_id;
  // The service may file a reversal under its original's reference.
  if (ours.externalRef !== theirs.external_ref) return hasItsId && theirs.intent === 'reverse';
  // The id of an accepted operation is not proven yet.
  if (hasItsId && ours.state !== 'accepted') return true;
  if (deadStates.has(ours.state)) return false;
  return !namesValues(ours) || differingFields(requestOf(ours), theirs).length === 0;
}

/**
 * Whether the values of a record can be compared. A reversal has its original's values, or none. A commit's values are
 * known after its answer.
 */
function namesValues(operation: Operation): boolean {
  const { amountMinor, points } = knownValues(operation);
  if (operation.intent === 'commit') return amountMinor !== null || points !== null;
  return operation.intent === 'earn' || operation.intent === 'redeem';
}

/** The request, as far as the row keeps it. */
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
 * Our record, with the service's facts where they are newer (it was applied meanwhile, or reversed at another till) and
 * where only the service has them. A reversal sends no time, so its time is the one in the service's record (spec
 * "Transaction").
 *
 * @param theirs proven to be ours
 */
export function joined(operation: Operation, own: Transaction, theirs: Transaction): Transaction {
  const word = newerWord(own, theirs);
  const isOurReversal = operation.intent === 'reverse' && operation.serviceTransactionId === theirs.transaction_id;
  return isOurReversal ? { ...word, occurred_at: theirs.occurred_at } : word;
}

function newerWord(own: Transaction, theirs: Transaction): Transaction {
  const isReversed = own.status === 'success' && theirs.status === 'reversed';
  const isDone = own.status === 'pending' && !isOnItsWay(theirs.status);
  if (!isReversed && !isDone) return own;
  return { ...toldRecord(theirs), transaction_id: own.transaction_id, external_ref: own.external_ref };
}
