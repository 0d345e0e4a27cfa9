import type { ReceivedError } from '../../../shared/contract/errors.ts';
import type { EarnReplay, Transaction, TransactionAccepted } from '../../../shared/contract/transaction.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { fullJitterMs } from '../../../shared/lib/backoff.ts';
import type { OperationEvent } from '../../../shared/machines/operation.ts';
import { changedOnDiskCode } from '../../../shared/till/own-errors.ts';
import type { CallOutcome, Refused, Unknown } from '../../client/outcome.ts';
import { causeRules, isLimitedLookUp, rowBackoff } from '../../line/causes.ts';
import type { OperationChange, SendableOperation } from '../../store/rows/delivery.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OriginalThere } from '../ownership/reversal-ownership.ts';

/** What the service may say of an earn. */
export type EarnAnswer = TransactionAccepted | EarnReplay;

/** What the retry policy has to know beside the outcome. */
interface AttemptFacts {
  readonly nowMs: number;
  /** In [0, 1). */
  readonly random: number;
  /** Only this row fails: reads and other rows passed meanwhile. */
  readonly isRowAlone: boolean;
}

export type SentRow = Pick<SendableOperation, 'rowId' | 'send' | 'attempts' | 'maybeSent'>;

/**
 * What an attempt's outcome makes of the row: the retry policy, as a pure function. A cause that is not the row's own
 * costs it no attempt.
 */
export function settle(
  row: SentRow,
  outcome: CallOutcome<EarnAnswer | Transaction>,
  facts: AttemptFacts,
): OperationChange {
  switch (outcome.kind) {
    case 'done':
      return {
        ...stepOfSend(row, facts.nowMs),
        ...learnedFrom(outcome.answer),
        httpStatus: outcome.facts.httpStatus,
        requestId: outcome.facts.requestId,
      };
    case 'refused':
      return settleRefused(row, outcome, facts.nowMs);
    case 'unknown':
      return settleUnknown(row, outcome, facts);
    default:
      return assertNever(outcome);
  }
}

/** What a proven refusal makes of a row: the service has recorded nothing of it. */
export function settleRefused(row: SentRow, refused: Refused, nowMs: number): OperationChange {
  return {
    ...stepOfSend(row, nowMs),
    event: 'refuse',
    cause: 'refused',
    error: refused.error,
    httpStatus: refused.facts.httpStatus,
    requestId: refused.error.request_id,
    attempts: row.attempts + 1,
    maybeSent: false,
  };
}

function settleUnknown(row: SentRow, outcome: Unknown, facts: AttemptFacts): OperationChange {
  const canBeTheRow = causeRules[outcome.cause].canBeTheRow && outcome.recorded === 'maybe';
  const stepsAside = facts.isRowAlone && (canBeTheRow || isLimitedLookUp(outcome));
  const attempts = row.attempts + (stepsAside ? 1 : 0);
  const waitMs = Math.max(outcome.retryAfterMs ?? 0, fullJitterMs(rowBackoff, attempts, 0.5 + facts.random / 2));
  return {
    ...stepOfUnknown(row, outcome, facts.nowMs),
    attempts,
    nextAttemptAtMs: stepsAside ? facts.nowMs + Math.min(rowBackoff.capMs, waitMs) : 0,
  };
}

/** What every outcome that is not known makes of a row; the caller says whether it costs an attempt, and the wait. */
export function stepOfUnknown(row: SentRow, outcome: Unknown, nowMs: number): OperationChange {
  const maybeSent = row.maybeSent || outcome.recorded === 'maybe';
  return {
    ...stepOfSend(row, nowMs),
    event: maybeSent ? 'lose' : 'not_sent',
    cause: outcome.cause,
    error: outcome.error,
    httpStatus: outcome.facts?.httpStatus ?? null,
    requestId: outcome.facts?.requestId ?? null,
    maybeSent,
  };
}

/** A row that was marked and then not sent after all: it goes back to where it was. */
export function putBack(row: SentRow, nowMs: number): OperationChange {
  return { ...stepOfSend(row, nowMs), event: row.maybeSent ? 'lose' : 'not_sent' };
}

/** How long until a row is looked for again that was sent under another key and is not to be seen with this one. */
export const withheldLookMs = 300_000;

/**
 * What becomes of a row when the books of this key do not show it, or the original that it takes back: the row stays
 * unknown, is not sent, and is looked for again.
 */
export function withhold(row: SentRow, nowMs: number): OperationChange {
  return {
    ...stepOfSend(row, nowMs),
    event: 'lose',
    cause: 'unauthenticated',
    nextAttemptAtMs: nowMs + withheldLookMs,
  };
}

/** The error of a row whose request was changed on the disk. */
export const changedOnDisk: ReceivedError = {
  code: changedOnDiskCode,
  message: 'Changed on the disk, or saved by another till. Not sent: this operation needs attention.',
  retryable: false,
  request_id: '',
};

/**
 * A row that is not as this till saved it was not sent. It waits for a person: as refused where no byte of it ever went
 * out, else as unknown.
 */
export function settleChanged(row: SentRow, nowMs: number): OperationChange {
  const change = { ...stepOfSend(row, nowMs), cause: 'refused' as const, error: changedOnDisk };
  if (!row.maybeSent) return { ...change, event: 'refuse' };
  return { ...change, event: 'lose', nextAttemptAtMs: nowMs + withheldLookMs };
}

/**
 * The waits before a reversal is sent again that was refused as "reversed already" though its original stands. The first
 * is short, because another till's reversal is applied within seconds. All waits together last about an hour. None is
 * longer than `rowBackoff` allows: it would be taken for a clock that was set.
 */
const standingWaitsMs: readonly number[] = [5_000, 120_000, ...Array.from({ length: 12 }, () => rowBackoff.capMs)];

/**
 * What a refusal as "reversed already" makes of a reversal. While its original stands it goes out again, which does
 * nothing where somebody else takes it back after all; in the end it waits for a person.
 */
export function settleReversedBefore(
  row: SentRow,
  refused: Refused,
  { nowMs, original }: { readonly nowMs: number; readonly original: OriginalThere },
): OperationChange {
  const refusal = settleRefused(row, refused, nowMs);
  if (original === 'reversed') return { ...refusal, isOriginalReversed: true };
  const waitMs = standingWaitsMs[row.attempts];
  if (waitMs === undefined) return refusal;
  return { ...refusal, event: 'lose', maybeSent: true, nextAttemptAtMs: nowMs + waitMs };
}

/** A row that a crash left marked: its bytes may have gone out. */
export function recover(row: SentRow, nowMs: number): OperationChange {
  return { ...stepOfSend(row, nowMs), event: 'lose', maybeSent: true };
}

/** Taking back a row of which no byte was sent; the table allows it nowhere else. */
export function cancellation(operation: Operation, nowMs: number): OperationChange {
  return { ...stepWithoutSend(operation, nowMs), event: 'cancel' };
}

/** What the service has told of its transaction. Null leaves what is known already. */
type ServiceRecord = Pick<
  OperationChange,
  'serviceTransactionId' | 'serviceCustomerId' | 'serviceCardId' | 'newBalances' | 'completedAtMs'
>;

export const nothingTold: ServiceRecord = {
  serviceTransactionId: null,
  serviceCustomerId: null,
  serviceCardId: null,
  newBalances: null,
  completedAtMs: null,
};

type Learned = ServiceRecord & Pick<OperationChange, 'event' | 'error'>;

const eventOfStatus = {
  pending: 'accept',
  processing: 'accept',
  success: 'apply',
  failed: 'fail',
  reversed: 'reverse',
} as const satisfies Record<Transaction['status'], OperationEvent>;

/** What an answer, or a read, that has the transaction in it says of the operation. */
export function learnedFrom(answer: EarnAnswer | Transaction): Learned {
  return {
    event: eventOfStatus[answer.status],
    error: ('error' in answer ? answer.error : null) ?? null,
    serviceTransactionId: answer.transaction_id,
    serviceCustomerId: ('customer_id' in answer ? answer.customer_id : null) ?? null,
    serviceCardId: ('card_id' in answer ? answer.card_id : null) ?? null,
    newBalances: ('new_balances' in answer ? answer.new_balances : null) ?? null,
    completedAtMs:
      'completed_at' in answer && typeof answer.completed_at === 'string' ? Date.parse(answer.completed_at) : null,
  };
}

/** A failed or reversed status ends the polling. One wrong answer would therefore stay, so a second answer must agree. */
export function needsSecondAnswer({ event }: Pick<OperationChange, 'event'>): boolean {
  return event === 'fail' || event === 'reverse';
}

/** As `stepWithoutSend`, but about the row's send (see `OperationChange.send`). */
export function stepOfSend(row: SentRow, nowMs: number): Omit<OperationChange, 'event'> {
  return { ...stepWithoutSend(row, nowMs), send: row.send };
}

/**
 * A step, about none of the row's sends, that tells nothing new of the service's record. It clears cause, error and the
 * wait; `attempts` and `maybeSent` become what is given.
 */
export function stepWithoutSend(row: Omit<SentRow, 'send'>, nowMs: number): Omit<OperationChange, 'event'> {
  return {
    rowId: row.rowId,
    atMs: nowMs,
    send: null,
    cause: null,
    error: null,
    httpStatus: null,
    requestId: null,
    attempts: row.attempts,
    maybeSent: row.maybeSent,
    nextAttemptAtMs: 0,
    ...nothingTold,
  };
}
