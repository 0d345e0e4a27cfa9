import { z } from 'zod';
import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { Transaction, TransactionStatus } from '../../shared/contract/transaction.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import { intentInBooks } from '../../shared/machines/operation-intents.ts';
import { paidInFullError } from '../operations/immediate/desk-answers.ts';
import { knownValues } from '../operations/requests/known-values.ts';
import { type Operation, wasTakenBackUnsent } from '../store/schema/operation.ts';

/** The status that a POS program reads for each state (design "Status in answers"). */
const statusOfState: Readonly<Record<OperationState, TransactionStatus>> = {
  queued: 'pending',
  sending: 'pending',
  unknown: 'pending',
  accepted: 'pending',
  applied: 'success',
  refused: 'failed',
  failed: 'failed',
  written_off: 'failed',
  cancelled: 'reversed',
  reversed: 'reversed',
};

/**
 * An operation in the specification's shape (spec "Transaction"), under the agent's own id. @returns null for a write
 * that makes no transaction
 */
export function transactionView(operation: Operation): Transaction | null {
  const intent = intentInBooks[operation.intent];
  if (intent === null) return null;
  const status = statusOf(operation);
  const values = knownValues(operation);
  const completedAtMs = status === 'pending' ? null : (operation.completedAtMs ?? operation.updatedAtMs);
  return {
    transaction_id: operation.transactionId,
    intent,
    status,
    external_ref: operation.externalRef,
    customer_id:
      operation.serviceCustomerId ?? (operation.identifier?.kind === 'customer_id' ? operation.identifier.value : null),
    card_id: operation.serviceCardId ?? operation.cardId,
    amount_minor: values.amountMinor,
    currency: values.currency,
    points: values.points,
    stamps: values.stamps,
    visits: values.visits,
    new_balances: status === 'success' || status === 'reversed' ? operation.newBalances : null,
    error: status === 'failed' ? (operation.error ?? errorWithoutAnswer(operation)) : null,
    occurred_at: occurredAtOf(operation),
    completed_at: completedAtMs === null ? null : toInstant(completedAtMs),
  };
}

const timedAnswer = z.object({ occurred_at: z.iso.datetime({ offset: true }) });

/** A redemption or a commit sends no time, so the time of the service's record counts. */
function occurredAtOf(operation: Operation): string {
  const answered = intentInBooks[operation.intent] === 'redeem' ? timedAnswer.safeParse(operation.answer) : null;
  return answered?.success === true ? answered.data.occurred_at : toInstant(operation.occurredAtMs);
}

/**
 * The status of an operation. Cancelled counts as reversed, with two exceptions that are failed: a write that somebody
 * waited for and that was never recorded, and what ended with an error: a sale that the service refused, and the reversal
 * of one that failed.
 */
export function statusOf(operation: Operation): TransactionStatus {
  const neverHappened = operation.state === 'cancelled' && !wasTakenBackUnsent(operation);
  return neverHappened ? 'failed' : statusOfState[operation.state];
}

// The error when the service gave none, because a manager may write off such an operation.
function errorWithoutAnswer(operation: Operation): ReceivedError {
  // As a repeat is told. Another one under another number would be paid for twice.
  if (operation.decision === 'take_full_payment') return paidInFullError(operation);
  if (operation.state === 'cancelled') {
    return {
      code: 'UPSTREAM_TIMEOUT',
      message: 'The request never reached the service, and is not sent.',
      retryable: true,
      request_id: operation.transactionId,
      details: ['not_sent'],
    };
  }
  const writtenOff = operation.state === 'written_off';
  return {
    code: 'INTERNAL',
    message: writtenOff ? 'Written off at the till.' : 'The service gave no reason.',
    retryable: false,
    request_id: operation.transactionId,
    details: [writtenOff ? 'written_off' : 'no_reason_given'],
  };
}

/** A service's record as a POS program reads it: with a currency only when there is an amount (decisions "Money, time, ids"). */
export function toldRecord<Record extends Pick<Transaction, 'amount_minor' | 'currency'>>(record: Record): Record {
  return record.amount_minor === null ? { ...record, currency: null } : record;
}
