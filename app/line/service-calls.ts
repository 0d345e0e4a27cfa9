import type { AnswerOf } from '../../shared/contract/endpoints.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { Intent } from '../../shared/contract/primitives.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Transaction, TransactionList, TransactionPage } from '../../shared/contract/transaction.ts';
import type { ServiceClient } from '../client/client.ts';
import type { AnswerFacts, CallOutcome, Refused, Unknown } from '../client/outcome.ts';
import { answerAboutAnother } from '../client/read-answer.ts';
import type { SendableOperation } from '../store/rows/delivery.ts';
import type { OperationStore } from '../store/tables/operation-store.ts';
import { callOfPath, type WriteAnswer } from './call-of-path.ts';

type HistoryPage = { readonly cursor?: string | undefined; readonly limit: number };

/** Remembers customers whom the service has told of. */
interface CustomerMemory {
  keep(identifier: Identifier, profile: CustomerProfile): void;
  /** Null: nobody was seen under that name. */
  find(identifier: Identifier): CustomerProfile | null;
  forget(identifier: Identifier): void;
}

/** What this till knows to stand in the service's books. */
interface KnownRecord {
  readonly externalRef: string;
  readonly serviceTransactionId: string;
}

/** Told of the outcome of each call before its caller is. */
interface OutcomeObserver {
  observe(outcome: CallOutcome<unknown>): void;
}

export interface ServiceCallsOptions {
  readonly client: ServiceClient;
  /** Knows what the answer to a reversal has to name. */
  readonly operations: Pick<OperationStore, 'provenOriginalId'>;
  readonly customers: CustomerMemory;
}

/** Every call to the service that the agent makes. None of them rejects: what goes wrong is an outcome. */
export class ServiceCalls {
  readonly #options: ServiceCallsOptions;
  readonly #observer: OutcomeObserver;
  /** Ids of known records that the service said not to have, as after it was put back: a few until the next sale. */
  readonly #goneIds = new Set<string>();

  constructor(options: ServiceCallsOptions, observer: OutcomeObserver) {
    this.#options = options;
    this.#observer = observer;
  }

  /** Sends the frozen bytes of any write: the same ones at every attempt. */
  async send(row: SendableOperation): Promise<CallOutcome<WriteAnswer>> {
    return this.#send(callOfPath(row.path).name, row);
  }

  /** Sends the frozen bytes of a write that waits in the queue: an earn, or a reversal. */
  sendQueued(row: SendableOperation): Promise<CallOutcome<AnswerOf<'earn' | 'reverse'>>> {
    return this.#send(row.intent === 'reverse' ? 'reverse' : 'earn', row);
  }

  /**
   * What the service's books show under a reference. Nobody asks again about an operation that has ended. So when the books
   * show an end, they are asked once more, and prove nothing unless the second answer agrees.
   *
   * @param intent what is looked for; left out: anything
   * @param known see `lookUpListed`
   */
  async lookUp(
    externalRef: string,
    intent?: Intent,
    known: KnownRecord | null = null,
  ): Promise<CallOutcome<TransactionList>> {
    const listed = await this.lookUpListed(externalRef, intent, known);
    if (listed.kind !== 'done') return listed;
    const ended = listed.answer.data.filter((one) => isMeant(one, intent) && isEnded(one));
    if (ended.length === 0) return listed;
    const again = await this.lookUpOnce(externalRef);
    if (again.kind === 'unknown') return again;
    const saidAgain = again.kind === 'done' ? again.answer.data : [];
    const isSaidAgain = ended.every(({ transaction_id, status }) =>
      saidAgain.some((one) => one.transaction_id === transaction_id && one.status === status),
    );
    return isSaidAgain ? listed : noAnswerToLookUp('status', again.facts);
  }

  /**
   * As `lookUp`, for a caller to whom the list is enough: an end in it does not matter, or the caller asks once more. The
   * caller may act on an absence, and a list without the record may be out of date. So such a list is asked for once more,
   * and one that a cache has kept proves nothing absent.
   *
   * @param intent what is looked for; left out: anything
   * @param known a record that is asked for as well. Where the books do not show that one either, they prove nothing absent: a
   *   cache may answer all look-ups alike. Null: there is no such record
   */
  async lookUpListed(
    externalRef: string,
    intent?: Intent,
    known: KnownRecord | null = null,
  ): Promise<CallOutcome<TransactionList>> {
    const isShown = ({ data }: TransactionList) => data.some((one) => isMeant(one, intent));
    const first = await this.lookUpOnce(externalRef);
    if (first.kind !== 'done' || isShown(first.answer)) return first;
    // Asked between the two: a cache that now fetches this list gives it to the second look-up, too, which shows the mistake.
    const unproven = known === null ? null : await this.#unprovenBy(known);
    if (unproven !== null) return unproven;
    const second = await this.lookUpOnce(externalRef);
    if (second.kind !== 'done' || isShown(second.answer) || second.facts.isKept !== true) return second;
    return noAnswerToLookUp('age', second.facts);
  }

  /** @returns null when look-ups show the record, or it is known to be gone; any other answer proves nothing */
  async #unprovenBy({ externalRef, serviceTransactionId }: KnownRecord): Promise<Unknown | null> {
    if (this.#goneIds.has(serviceTransactionId)) return null;
    const listed = await this.lookUpOnce(externalRef);
    if (listed.kind === 'unknown') return listed;
    if (listed.kind === 'done' && listed.answer.data.length > 0) return null;
    // A service that was put back has lost the record. Its id is part of the path, so that no cache can mistake it.
    const own = await this.transaction(serviceTransactionId);
    const isGone = own.kind === 'refused' && own.facts.httpStatus === 404;
    if (!isGone) return noAnswerToLookUp('external_ref', listed.facts);
    this.#goneIds.add(serviceTransactionId);
    return null;
  }

  /** As `lookUp`, for a caller to whom any answer is enough. */
  lookUpOnce(externalRef: string): Promise<CallOutcome<TransactionList>> {
    return this.#lookedUp(
      this.#options.client.call('transactionsByReference', { query: { external_ref: externalRef } }),
    );
  }

  /** What the service's books show under its own id. */
  transaction(serviceTransactionId: string): Promise<CallOutcome<Transaction>> {
    return this.#lookedUp(
      this.#options.client.call('transaction', { params: { transaction_id: serviceTransactionId } }),
    );
  }

  /**
   * Who a customer is. An answer that comes too late for the one who asked is kept all the same. One about somebody else,
   * or about another customer than this till knows under that name, or nobody there, is asked for once more: it may have
   * been swapped, or the card be another customer's by now. Who is said twice not to be there is forgotten.
   *
   * @param onDoubted told of a refusal before that is asked for once more: it stands where no second answer comes in time.
   *   Absent: for whoever proves something by the answer, a refusal counts with its second one alone
   */
  async identify(
    identifier: Identifier,
    onDoubted?: (refusal: Refused) => void,
  ): Promise<CallOutcome<CustomerProfile>> {
    const { customers } = this.#options;
    const first = await this.#whoIs(identifier);
    const outcome = this.#isDoubted(identifier, first) ? await this.#askedAgain(identifier, first, onDoubted) : first;
    if (outcome.kind === 'done') customers.keep(identifier, outcome.answer);
    return outcome;
  }

  async #askedAgain(
    identifier: Identifier,
    first: CallOutcome<CustomerProfile>,
    onDoubted: ((refusal: Refused) => void) | undefined,
  ): Promise<CallOutcome<CustomerProfile>> {
    if (first.kind === 'refused') onDoubted?.(first);
    const second = await this.#whoIs(identifier);
    if (isNobody(first) && isNobody(second)) this.#options.customers.forget(identifier);
    const isTold = first.kind === 'refused' && onDoubted !== undefined;
    return isTold && second.kind === 'unknown' && !this.#isDoubted(identifier, second)
      ? first
      : this.#believed(identifier, first, second);
  }

  #whoIs(identifier: Identifier): Promise<CallOutcome<CustomerProfile>> {
    return this.#lookedUp(this.#options.client.call('identify', { body: JSON.stringify(identifier) }));
  }

  #isDoubted(identifier: Identifier, outcome: CallOutcome<CustomerProfile>): boolean {
    if (outcome.kind === 'unknown') return outcome.isAboutAnother === true;
    const known = this.#options.customers.find(identifier);
    return known !== null && (outcome.kind === 'refused' || known.customer_id !== outcome.answer.customer_id);
  }

  /** A customer who is new under a name is believed when two answers say so. */
  #believed(
    identifier: Identifier,
    first: CallOutcome<CustomerProfile>,
    second: CallOutcome<CustomerProfile>,
  ): CallOutcome<CustomerProfile> {
    if (second.kind !== 'done' || !this.#isDoubted(identifier, second)) return second;
    const isSaidTwice = first.kind === 'done' && first.answer.customer_id === second.answer.customer_id;
    return isSaidTwice ? second : answerAboutAnother('identify', ['customer_id'], second.facts);
  }

  history(customerId: string, page: HistoryPage): Promise<CallOutcome<TransactionPage>> {
    return this.#lookedUp(this.#options.client.call('history', { params: { customer_id: customerId }, query: page }));
  }

  /** Sends a row, and tells the client what this till knows that the answer must agree with. */
  #send<N extends ReturnType<typeof callOfPath>['name']>(
    name: N,
    row: SendableOperation,
  ): Promise<CallOutcome<AnswerOf<N>>> {
    const { client, operations } = this.#options;
    if (row.intent !== 'reverse') return this.#observed(client.send(name, row));
    const known = { reversesTransactionId: operations.provenOriginalId(row.rowId) };
    return this.#observed(client.send(name, row, known));
  }

  #lookedUp<Answer>(calling: Promise<CallOutcome<Answer>>): Promise<CallOutcome<Answer>> {
    return this.#observed(
      calling.then((outcome) => (outcome.kind === 'unknown' ? { ...outcome, isLookUp: true } : outcome)),
    );
  }

  async #observed<Answer>(calling: Promise<CallOutcome<Answer>>): Promise<CallOutcome<Answer>> {
    const outcome = await calling;
    this.#observer.observe(outcome);
    return outcome;
  }
}

function isMeant({ intent }: Transaction, meant: Intent | undefined): boolean {
  return meant === undefined || intent === meant;
}

function isNobody(outcome: CallOutcome<CustomerProfile>): boolean {
  return outcome.kind === 'refused' && outcome.error.code === 'CUSTOMER_NOT_FOUND';
}

function isEnded({ status }: Transaction): boolean {
  return status === 'failed' || status === 'reversed';
}

/** A list that proves nothing, because of one of its fields. */
function noAnswerToLookUp(field: string, facts: AnswerFacts): Unknown {
  return { ...answerAboutAnother('transactionsByReference', [field], facts), isLookUp: true };
}
