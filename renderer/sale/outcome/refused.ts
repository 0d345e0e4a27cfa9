import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { TillError } from '../../../shared/till/api.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { noLimits, readEntry } from '../../operation/entry.ts';
import type { Refused } from '../../operation/next-step.ts';
import { valueOfOperation } from '../../operation/operation-words.ts';
import { cardOperationsOf } from '../../operation/other-card.ts';
import { type RefusalReason, refusalReason } from '../../operation/outcome.ts';
import { isBeingFoundOut } from '../../operation/standing.ts';
import type { Entry } from '../entry/entry-flow.ts';
import type { Outcome } from './shown-outcome.ts';

/** What the service refused of an operation, with the cards of the customer in front; null when nothing was refused. */
export function refusedOperation(
  { operation, failure, takenBy, isEarlier }: Pick<Outcome, 'operation' | 'failure' | 'takenBy' | 'isEarlier'>,
  cards: readonly CardEntry[],
): Refused | null {
  const { intent, card_id } = operation;
  const reason = reasonOf(operation, failure);
  if (reason === null || (intent !== 'earn' && intent !== 'redeem' && intent !== 'reserve')) return null;
  // An earlier operation does not record which of the card's operations the cashier used.
  const operations = isEarlier ? cardOperationsOf(operation) : [takenBy];
  return { reason, operations, value: valueOfOperation(operation), cardId: card_id, cards };
}

function reasonOf(operation: OperationView, failure: TillError | null): RefusalReason | null {
  if (isBeingFoundOut(operation)) return null;
  const { state, error } = operation;
  const isRefused = state === 'refused' || (operation.intent !== 'earn' && state === 'cancelled');
  return reasonOfFailure(failure) ?? (isRefused && error !== null ? refusalReason(error) : null);
}

function reasonOfFailure(failure: TillError | null): RefusalReason | null {
  if (failure?.code !== 'refused' || failure.service_code === undefined) return null;
  const { service_code: code, details } = failure;
  return refusalReason({ code, ...(details === undefined ? {} : { details }) });
}

/** What the service refused of an entry that is still open; null when nothing was refused. */
export function refusedEntry(entry: Entry, cards: readonly CardEntry[]): Refused | null {
  const reason = reasonOfFailure(entry.failure);
  if (reason === null) return null;
  const read = readEntry(entry.text, entry.kind, noLimits);
  return {
    reason,
    operations: [entry.operation],
    value: read.ok ? read.value : null,
    cardId: entry.entryFor.card?.card_id ?? null,
    cards,
  };
}
