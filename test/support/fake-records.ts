import type { AnswerFacts, CallOutcome, Unknown } from '../../app/client/outcome.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillState } from '../../shared/till/views.ts';

export const fakeNowMs = Date.parse('2026-11-20T18:13:00.000Z');

/** How many operations are in each state that is counted. */
export const noOperations: TillState['operations'] = {
  queued: 0,
  sending: 0,
  unknown: 0,
  accepted: 0,
  refused: 0,
  failed: 0,
  found: 0,
  changed: 0,
  checking: 0,
};

export const answeredFacts: AnswerFacts = { httpStatus: 200, requestId: 'req_1', serviceDateMs: fakeNowMs };

export const offlineOutcome: Unknown = {
  kind: 'unknown',
  cause: 'offline',
  recorded: 'no',
  message: 'connect ECONNREFUSED',
  error: null,
  facts: null,
  retryAfterMs: null,
};

export function doneOutcome<Answer>(answer: Answer): CallOutcome<Answer> {
  return { kind: 'done', answer, facts: answeredFacts };
}

export function refusedOutcome(httpStatus: number, code: string, details?: readonly unknown[]): CallOutcome<never> {
  const error = {
    code,
    message: `refused: ${code}`,
    retryable: false,
    request_id: 'req_service',
    ...(details === undefined ? {} : { details: [...details] }),
  };
  return { kind: 'refused', error, facts: { ...answeredFacts, httpStatus }, body: { error } };
}

export function fakeOperation(part: Partial<Operation> = {}): Operation {
  return {
    rowId: 1,
    version: 1,
    operationId: 'op-1',
    transactionId: 'txn_local_1',
    intent: 'earn',
    origin: 'bridge',
    posName: null,
    employeeRef: null,
    delivery: 'deferred',
    state: 'queued',
    externalRef: 'R-1',
    identifier: { kind: 'loyalty_id', value: 'LC-1001' },
    customerName: null,
    givenName: null,
    givenKind: null,
    cardId: null,
    amountMinor: 12500,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    occurredAtMs: fakeNowMs,
    savedAtMs: fakeNowMs,
    requestedAtMs: part.savedAtMs ?? fakeNowMs,
    updatedAtMs: fakeNowMs,
    attempts: 0,
    maybeSent: false,
    cause: null,
    error: null,
    serviceTransactionId: null,
    serviceCustomerId: null,
    serviceCardId: null,
    newBalances: null,
    completedAtMs: null,
    decision: null,
    answer: null,
    reversesRowId: null,
    replacesRowId: null,
    found: null,
    ...part,
  };
}

export function fakeProfile(part: Partial<CustomerProfile> = {}): CustomerProfile {
  return {
    customer_id: 'cus_1',
    name: 'Fatima Al-Sabah',
    phone: '+96550001234',
    email: 'fatima@example.com',
    verified: true,
    balances_as_of: '2026-11-20T18:00:00.000Z',
    cards: [
      {
        card_id: 'card_1',
        template_name: 'Rewards',
        card_type: 7,
        balances: {
          points: 120,
          cashback_minor: null,
          stamps: null,
          visits: null,
          rewards_available: 1,
          currency: null,
        },
        available_rewards: [],
        allowed_operations: ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'],
      },
    ],
    ...part,
  };
}
