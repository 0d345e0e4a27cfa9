import type { Transaction } from '../../../shared/contract/transaction.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { fullJitterMs } from '../../../shared/lib/backoff.ts';
import type { CallOutcome } from '../../client/outcome.ts';
import { rowBackoff } from '../../line/causes.ts';
import type { AcceptedOperation, OperationChange } from '../../store/rows/delivery.ts';
import type { Verdict } from '../ownership/verdict.ts';
import { learnedFrom, stepOfSend } from '../settlement/settlement.ts';

/**
 * What a poll has told of an accepted row.
 *
 * @param moment.verdict whose record was read
 * @returns null when there is nothing new: still on its way, no answer, or not known whose it is
 */
export function learnFromPoll(
  row: AcceptedOperation,
  outcome: CallOutcome<Transaction>,
  { verdict, nowMs }: { readonly verdict: Verdict; readonly nowMs: number },
): OperationChange | null {
  switch (outcome.kind) {
    case 'done': {
      const { httpStatus, requestId } = outcome.facts;
      if (verdict.kind === 'anothers') {
        return { ...missed(row, nowMs), cause: 'not_the_service', httpStatus, requestId };
      }
      if (verdict.kind !== 'ours') return null;
      const learned = learnedFrom(outcome.answer);
      if (learned.event === 'accept') return null;
      return { ...polled(row, nowMs), ...learned, httpStatus, requestId };
    }
    case 'refused': {
      // Only "not found" says anything about the transaction: the service lost what it had accepted. It is sent again.
      const { error, facts } = outcome;
      if (facts.httpStatus !== 404) return null;
      return { ...missed(row, nowMs), error, httpStatus: facts.httpStatus, requestId: error.request_id };
    }
    case 'unknown':
      return null;
    default:
      return assertNever(outcome);
  }
}

function polled(row: AcceptedOperation, nowMs: number): Omit<OperationChange, 'event'> {
  return stepOfSend({ ...row, maybeSent: true }, nowMs);
}

/** There is no such transaction of this row: the same bytes go out again. */
function missed(row: AcceptedOperation, nowMs: number): OperationChange {
  const attempts = row.attempts + 1;
  return {
    ...polled(row, nowMs),
    event: 'miss',
    attempts,
    nextAttemptAtMs: nowMs + fullJitterMs(rowBackoff, attempts, 0.5),
  };
}
