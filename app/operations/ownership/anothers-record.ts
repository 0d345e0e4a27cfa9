import { type AnswerFacts, type Refused, type Unknown, unknownOutcome } from '../../client/outcome.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import { askedReference } from '../requests/asked-reference.ts';
import type { OwnedRow } from './verdict.ts';

/** What is told in place of the outcome of a row whose reference stands for somebody else's record. */
export function anothersRecord(
  row: Pick<SendableOperation, 'externalRef' | 'operationId'>,
  facts: AnswerFacts,
  fields: readonly string[],
): Refused {
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `Nothing was done: the service has another request under ${askedReference(row)}. Differing: ${fields.join(', ')}.`,
    retryable: false,
    request_id: facts.requestId ?? '',
    details: [...fields],
  };
  return { kind: 'refused', error, facts, body: { error } };
}

/**
 * The service itself says that the reference stands for something else: it compares what a reversal takes back and what a
 * commit spends, which its books do not show.
 */
export function isConflict({ intent }: Pick<OwnedRow, 'intent'>, code: string): boolean {
  return (intent === 'reverse' || intent === 'commit') && code === 'DUPLICATE_TRANSACTION';
}

/** An answer, or a record, that cannot be this row's. */
export function notAboutThis(fields: readonly string[], facts: AnswerFacts): Unknown {
  return unknownOutcome('not_the_service', `An answer that is about something else: ${fields.join(', ')}`, { facts });
}

/** The books are not asked while the service takes no look-ups, however long that is. */
export function notLookedUp(retryAfterMs: number): Unknown {
  const message = 'Not looked up: the service has asked to wait with look-ups';
  return unknownOutcome('throttled', message, { isLookUp: true, retryAfterMs });
}

/** What was answered cannot be told from the answer to another call, and the books leave it open, too. */
export function nothingSure(answer: string): Unknown {
  return unknownOutcome('service', `Answered with ${answer}, and the service's books say nothing sure`);
}
