import { expect } from 'vitest';
import { expectError, expectExactFields, expectTransaction, type Shape } from '../../support/exact-fields.ts';
import { cardsOf, makeCustomer, type TestCard, type TestCustomer } from '../../support/service-customers.ts';
import { type Answer, type CallOptions, type TestFace, testStartMs } from '../../support/service-faces.ts';

/** What stands in a body besides the identifier and the reference. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The calls of one customer's purchases, with the reference first. A field that is undefined is not sent. Every good
 * answer is checked to have exactly the specification's fields.
 */
export interface Till {
  readonly customer: TestCustomer;
  /** The card at this place, as the customer was made. */
  cardId(place?: number): string;
  earn(externalRef: string, fields: Fields, options?: CallOptions): Promise<Answer>;
  /** Earns and lets it be applied. @returns the transaction's id */
  earned(externalRef: string, fields: Fields): Promise<string>;
  redeem(externalRef: string, fields: Fields, options?: CallOptions): Promise<Answer>;
  reserve(externalRef: string, fields: Fields, options?: CallOptions): Promise<Answer>;
  /** Reserves. @returns the reservation's id */
  reserved(externalRef: string, fields: Fields): Promise<string>;
  commit(reservationId: string, externalRef: string, options?: CallOptions): Promise<Answer>;
  release(reservationId: string, options?: CallOptions): Promise<Answer>;
  reverse(externalRef: string, intent: 'earn' | 'redeem', fields?: Fields, options?: CallOptions): Promise<Answer>;
  reverseById(transactionId: string, fields?: Fields, options?: CallOptions): Promise<Answer>;
  read(transactionId: string): Promise<Answer['body']>;
  byReference(externalRef: string): Promise<Answer['body']>;
  /** Balances of the card at this place, as identify shows them. */
  balances(place?: number): Promise<Answer['body']>;
  operations(place?: number): Promise<readonly string[]>;
  /** The customer's transactions, newest first. */
  history(): Promise<Answer['body']>;
}

/** A till with a customer who was made for one test, with these cards. */
export async function openTill(face: TestFace, cards: readonly TestCard[], facts: Fields = {}): Promise<Till> {
  const customer = await makeCustomer(face, cards, facts);
  const identifier = { customer_id: customer.customer_id };
  const till: Till = {
    customer,
    cardId(place = 0) {
      const card = customer.cards[place];
      if (card === undefined) throw new Error(`The customer has no card at place ${place}`);
      return card.card_id;
    },
    async earn(externalRef, fields, options) {
      const body = { identifier, external_ref: externalRef, ...fields };
      const answer = await face.post('/transactions/earn', body, options);
      return answer.status === 200 ? written(answer) : shaped(answer, 'TransactionAccepted');
    },
    async earned(externalRef, fields) {
      const answer = await till.earn(externalRef, fields);
      if (answer.status !== 202) throw new Error(`Not accepted: ${JSON.stringify(answer.body)}`);
      await face.advance(1000);
      return answer.body.transaction_id;
    },
    redeem: async (externalRef, fields, options) =>
      written(await face.post('/transactions/redeem', { identifier, external_ref: externalRef, ...fields }, options)),
    async reserve(externalRef, fields, options) {
      const body = { identifier, external_ref: externalRef, ...fields };
      return shaped(await face.post('/redemptions/reserve', body, options), 'Reservation');
    },
    async reserved(externalRef, fields) {
      const answer = await till.reserve(externalRef, fields);
      if (answer.status !== 201) throw new Error(`Not reserved: ${JSON.stringify(answer.body)}`);
      return answer.body.reservation_id;
    },
    commit: async (reservationId, externalRef, options) =>
      written(await face.post(`/redemptions/${reservationId}/commit`, { external_ref: externalRef }, options)),
    release: async (reservationId, options) =>
      shaped(await face.post(`/redemptions/${reservationId}/release`, undefined, options), 'Reservation'),
    async reverse(externalRef, intent, fields = {}, options = {}) {
      const body = { external_ref: externalRef, intent, ...fields };
      return shaped(await face.post('/transactions/reverse', body, options), 'ReversalAccepted');
    },
    reverseById: async (transactionId, fields, options) =>
      shaped(await face.post(`/transactions/${transactionId}/reverse`, fields, options), 'ReversalAccepted'),
    async read(transactionId) {
      const { body } = await face.get(`/transactions/${transactionId}`);
      expectTransaction(body, 'read');
      return body;
    },
    async byReference(externalRef) {
      const answer = await face.get(`/transactions?external_ref=${encodeURIComponent(externalRef)}`);
      for (const one of shaped(answer, 'TransactionList').body.data) expectTransaction(one, 'read');
      return answer.body.data;
    },
    balances: async (place = 0) => (await cardsOf(face, customer))[place].balances,
    operations: async (place = 0) => (await cardsOf(face, customer))[place].allowed_operations,
    async history() {
      const answer = await face.get(`/customers/${customer.customer_id}/transactions?limit=100`);
      for (const one of shaped(answer, 'TransactionPage').body.data) expectTransaction(one, 'read');
      return answer.body.data;
    },
  };
  return till;
}

function shaped(answer: Answer, shape: Shape): Answer {
  if (answer.status < 400) expectExactFields(answer.body, shape);
  return answer;
}

function written(answer: Answer): Answer {
  if (answer.status < 400) expectTransaction(answer.body, 'write');
  return answer;
}

/** A whole balances object: "a dimension the card does not have is null". */
export function balances(own: Readonly<Record<string, number | string>>) {
  const none = { points: null, cashback_minor: null, stamps: null, visits: null, rewards_available: null };
  return { ...none, currency: null, ...own };
}

/** The service's clock after so much of it has passed, as an answer shows it. */
export function instantAfter(durationMs: number): string {
  return new Date(testStartMs + durationMs).toISOString();
}

/**
 * A whole Transaction, for `toEqual`: every field of the specification's table and no other. Values that a transaction
 * was not sent with are null. `duplicate` stands in answers to writes only, so it is there when `facts` has it.
 */
export function transaction(facts: Fields) {
  return {
    transaction_id: expect.stringMatching(/^txn_/),
    status: 'success',
    amount_minor: null,
    currency: null,
    points: null,
    stamps: null,
    visits: null,
    error: null,
    ...facts,
  };
}

interface ExpectedRefusal {
  readonly status: number;
  readonly code: string;
  /** Compared when it is given. */
  readonly details?: readonly string[];
  /** What the message says, for people. */
  readonly message?: RegExp;
}

/** An error body, whole: "an object with one property, error". Of these codes only an upstream's may be sent again. */
export function expectRefusal(answer: Answer, { status, code, details, message }: ExpectedRefusal): void {
  expectError(answer, { status, code, details, retryable: code === 'UPSTREAM_TIMEOUT' });
  expectExactFields(answer.body, 'ErrorBody');
  if (message !== undefined) expect(answer.body.error.message).toMatch(message);
}

/** Refused, and "a write that is refused (4xx) records nothing": neither cards nor history have changed. */
export async function expectNothingRecorded(
  face: TestFace,
  till: Till,
  act: () => Promise<Answer>,
  expected: ExpectedRefusal,
): Promise<void> {
  const before = { cards: await cardsOf(face, till.customer), history: await till.history() };
  expectRefusal(await act(), expected);
  expect({ cards: await cardsOf(face, till.customer), history: await till.history() }).toEqual(before);
}
