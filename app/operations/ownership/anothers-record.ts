import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import type { AnswerFacts, Refused, Unknown } from '../../client/outcome.ts';
import { requestOf } from '../requests/row-request.ts';
import type { OwnedRow } from './verdict.ts';

/** What is told in place of the outcome of a row whose reference stands for somebody else's record. */
export function anothersRecord(
  row: Pick<OwnedRow, 'externalRef' | 'body'>,
  facts: AnswerFacts,
  fields: readonly string[],
): Refused {
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `Nothing was done: the service has another request under ${toldReference(row)}. Differing: ${fields.join(', ')}.`,
    retryable: false,
    request_id: facts.requestId ?? '',
    details: [...fields],
  };
  return { kind: 'refused', error, facts, body: { error } };
}

/** The reference that the caller knows: some rows are kept under one with an id of the agent's own behind it. */
function toldReference(row: Pick<OwnedRow, 'externalRef' | 'body'>): string {
  const request = requestOf(row);
  const sent = fieldOf(request, 'external_ref') ?? fieldOf(request, 'enrollment_id');
  return typeof sent === 'string' && row.externalRef.startsWith(`${sent}#`) ? sent : row.externalRef;
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
  const message = `An answer that is about something else: ${fields.join(', ')}`;
  return {
    kind: 'unknown',
    cause: 'not_the_service',
    recorded: 'maybe',
    message,
    error: null,
    facts,
    retryAfterMs: null,
  };
}

/** The books are not asked while the service takes no look-ups, however long that is. */
export function notLookedUp(retryAfterMs: number): Unknown {
  const message = 'Not looked up: the service has asked to wait with look-ups';
  return {
    kind: 'unknown',
    cause: 'throttled',
    recorded: 'maybe',
    message,
    error: null,
    facts: null,
    isLookUp: true,
    retryAfterMs,
  };
}

/** What was answered cannot be told from the answer to another call, and the books leave it open, too. */
export function nothingSure(answer: string): Unknown {
  const message = `Answered with ${answer}, and the service's books say nothing sure`;
  return {
    kind: 'unknown',
    cause: 'service',
    recorded: 'maybe',
    message,
    error: null,
    facts: null,
    retryAfterMs: null,
  };
}
