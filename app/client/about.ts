import {
  differingFields,
  fieldOf,
  isOther,
  isOtherThanHeld,
  type ToldValues,
} from '../../shared/contract/differing-fields.ts';
import type { AnswerOf, EndpointName } from '../../shared/contract/endpoints.ts';
import { otherCustomer, otherPerson } from '../../shared/contract/other-customer.ts';
import type { Intent } from '../../shared/contract/primitives.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';

/** A call in the parts that its answer can be held against. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body; null when there is none, or none that is JSON. Parsed when it is read, as most answers need none. */
  readonly body: unknown;
  /** The service's id of what a reversal takes back, when that is known. */
  readonly reversesTransactionId: string | null;
}

/** @returns the fields in which a good answer is about something else than was asked; empty when it is about it */
type AboutRule<N extends EndpointName> = (asked: Asked, answer: AnswerOf<N>) => readonly string[];

/**
 * THE table of what ties a good answer to its question (design "Promises", 6). An answer that is tied to another one
 * was swapped, kept from earlier, or comes from somebody else's books: it is no answer.
 *
 * A replay tells of the first request under its reference, which may be another till's with other values: that is a
 * conflict, not a swapped answer, and those who keep the row compare it (app/operations/ownership/same-record.ts).
 */
const aboutRules: { readonly [N in EndpointName]: AboutRule<N> } = {
  identify: ({ body }, answer) => otherCustomer(body, answer),
  // Neither the pending enrollment nor its result names the person it is for (spec "EnrollPending", "EnrollResult").
  enroll: () => [],
  verify: () => [],
  history: ({ params }, { data }) => otherIn(data, 'customer_id', params.customer_id),
  transaction: ({ params }, answer) => other('transaction_id', params.transaction_id, answer.transaction_id),
  transactionsByReference: ({ query }, { data }) => otherIn(data, 'external_ref', query.external_ref),
  earn: (asked, answer) => {
    if (!('external_ref' in answer || 'intent' in answer)) return [];
    const fields = otherTransaction('earn', asked.body, answer);
    return fields.length > 0 || answer.duplicate ? fields : differingFields(asked.body, toldBy(answer));
  },
  redeem: ({ body }, answer) => {
    const fields = otherTransaction('redeem', body, answer);
    return fields.length > 0 || answer.duplicate === true ? fields : differingFields(body, answer);
  },
  // What it spends is the reservation's to say, and the answer does not name that.
  commit: ({ body }, answer) => otherTransaction('redeem', body, answer),
  reverse: ({ reversesTransactionId }, answer) =>
    other('reverses_transaction_id', reversesTransactionId, answer.reverses_transaction_id),
  reverseById: ({ params }, answer) =>
    other('reverses_transaction_id', params.transaction_id, answer.reverses_transaction_id),
  reserve: ({ body }, answer) => {
    if (answer.duplicate) return [];
    return [...differingFields(body, answer, isOtherThanHeld), ...other('state', 'reserved', answer.state)];
  },
  release: ({ params }, answer) => [
    ...other('reservation_id', params.reservation_id, answer.reservation_id),
    // What still holds, or was spent, was not released.
    ...(answer.state === 'reserved' || answer.state === 'committed' ? ['state'] : []),
  ],
};

/** In which fields a good answer is about something else than was asked. */
export function aboutAnother<N extends EndpointName>(name: N, asked: Asked, answer: AnswerOf<N>): readonly string[] {
  const rule: AboutRule<N> = aboutRules[name];
  return rule(asked, answer);
}

/** In which fields a refusal is about somebody else: one has a customer beside its error (spec "AlreadyEnrolled"). */
export function refusalAboutAnother(name: EndpointName, asked: Asked, refusal: unknown): readonly string[] {
  switch (name) {
    case 'enroll':
      return otherPerson(asked.body, fieldOf(refusal, 'customer'));
    // The enrollment alone is named by what is asked, and the customer alone by the refusal: who keeps the enrollment
    // compares the two (app/operations/ownership/enrollment-ownership.ts).
    case 'verify':
    case 'identify':
    case 'history':
    case 'transaction':
    case 'transactionsByReference':
    case 'earn':
    case 'redeem':
    case 'commit':
    case 'reverse':
    case 'reverseById':
    case 'reserve':
    case 'release':
      return [];
    default:
      return assertNever(name);
  }
}

function other(field: string, asked: unknown, told: unknown): readonly string[] {
  return isOther(asked, told) ? [field] : [];
}

function otherIn(entries: readonly unknown[], field: string, asked: unknown): readonly string[] {
  return entries.some((entry) => isOther(asked, fieldOf(entry, field))) ? [field] : [];
}

function otherTransaction(intent: Intent, body: unknown, answer: unknown): readonly string[] {
  return [
    ...other('external_ref', fieldOf(body, 'external_ref'), fieldOf(answer, 'external_ref')),
    ...other('intent', intent, fieldOf(answer, 'intent')),
  ];
}

/** An accepted earn tells no more than its id, a replay may tell all of it. */
function toldBy(answer: AnswerOf<'earn'>): ToldValues {
  return 'external_ref' in answer ? answer : {};
}
