import type { Transaction } from '../../shared/contract/transaction.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import { type CallOutcome, type Unknown, unknownOutcome } from '../client/outcome.ts';
import type { KeptProfiles } from '../customers/kept-profiles.ts';
import { lastTransactionsCount, newestOf } from '../customers/last-transactions.ts';
import type { Line } from '../line/line.ts';
import type { Settler } from '../operations/delivery/settler.ts';
import { lateArrivalMs } from '../operations/immediate/immediate-settlement.ts';
import { notAboutThis } from '../operations/ownership/anothers-record.ts';
import type { Ownership } from '../operations/ownership/ownership.ts';
import { ours, type Verdict } from '../operations/ownership/verdict.ts';
import { newerState } from '../operations/settlement/newer-state.ts';
import { needsSecondAnswer } from '../operations/settlement/settlement.ts';
import type { OperationChange } from '../store/rows/delivery.ts';
import type { Store } from '../store/store.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
import type { AgentCore, ToldTransactions } from './agent-core.ts';

type ServiceReads = Pick<
  AgentCore,
  | 'identify'
  | 'keptProfile'
  | 'lastTransactions'
  | 'operationsOfCustomer'
  | 'readTransaction'
  | 'readTransactionsByReference'
  | 'readHistory'
  | 'whoseRecord'
  | 'agreesWith'
>;

/** Three look-ups, one after another, are waited for: somewhat longer than others, and less than a POS program waits. */
const countedReadMs = 7_500;

/** Reads of the service's books for somebody who waits. What they tell of our own operations is kept. */
export function serviceReads(parts: {
  readonly store: OperationStores & Pick<Store, 'customerRows'>;
  readonly line: Line;
  readonly settler: Settler;
  readonly ownership: Ownership;
  readonly customers: KeptProfiles;
  readonly clock: Clock;
  /** Of the API key of this run. */
  readonly keyFingerprint: string;
}): ServiceReads {
  const { line, settler, ownership, customers, clock, keyFingerprint } = parts;
  const { operations, rows, customerRows } = parts.store;

  /**
   * What a read tells of our own is written down before it is told, so that no later answer goes back behind it: what
   * was accepted is applied by now, or another till has reversed it.
   */
  async function learning<Answer>(
    reading: Promise<CallOutcome<Answer>>,
    recordsOf: (answer: Answer) => readonly Transaction[],
  ): Promise<CallOutcome<Answer>> {
    const outcome = await reading;
    // One that comes after the agent has gone down is told to nobody.
    if (outcome.kind !== 'done' || !operations.isOpen) return outcome;
    const learned = recordsOf(outcome.answer).flatMap((record) => {
      const change = newerState(parts.store, record, clock.now());
      return change === null ? [] : [{ record, change }];
    });
    const saidAgain = await Promise.all(learned.map(({ record, change }) => isSaidAgain(record, change)));
    if (saidAgain.includes(false)) return notAboutThis(['status'], outcome.facts);
    if (!operations.isOpen) return outcome;
    await Promise.all(learned.map(({ change }) => settler.record(change)));
    return outcome;
  }

  /** What tells no end needs no second answer. */
  async function isSaidAgain({ transaction_id, status }: Transaction, change: OperationChange): Promise<boolean> {
    if (!needsSecondAnswer(change)) return true;
    const again = await line.unjudged.transaction(transaction_id);
    return again.kind === 'done' && again.answer.status === status;
  }

  /** What is told too late for the one who asked is kept all the same. */
  async function toldTransactions(customerId: string): Promise<ToldTransactions | null> {
    const page = { limit: lastTransactionsCount };
    const outcome = await learning(line.unjudged.history(customerId, page), ({ data }) => data);
    const transactions = outcome.kind === 'done' ? newestOf(outcome.answer, customerId) : null;
    if (transactions === null) return null;
    const history = { as_of: toInstant(clock.now()), transactions };
    if (operations.isOpen) customers.keepHistory(customerId, history);
    return { ...history, source: 'service' };
  }

  return {
    operationsOfCustomer: (theirs, limit) => customerRows.newest(theirs, limit),
    async lastTransactions(customerId) {
      // On a line that is down it would bring nothing but another call.
      const fromService = line.downCause === null ? await line.within(toldTransactions(customerId)) : null;
      if (fromService !== null) return fromService;
      const kept = customers.history(customerId);
      return kept === null ? null : { ...kept, source: 'kept' };
    },
    identify: (identifier) => line.askWho(line.judged, identifier),
    keptProfile: (identifier) => customers.find(identifier),
    readTransaction(id, options) {
      const reading = learning(line.judged.transaction(id), (record) => [record]);
      return line.ask(reading, options);
    },
    readTransactionsByReference(externalRef, { countedOn, ...options } = {}) {
      const settledBeforeMs = clock.now() - lateArrivalMs;
      const known =
        countedOn === undefined
          ? null
          : operations.newestInBooks({ exceptReference: externalRef, keyFingerprint, settledBeforeMs });
      const reading = learning(line.judged.lookUpListed(externalRef, countedOn, known), ({ data }) => data);
      return line.ask(reading, countedOn === undefined ? options : { patienceMs: countedReadMs, ...options });
    },
    async whoseRecord({ rowId, intent, state, maybeSent }, record, options) {
      const mayBeThere = maybeSent || state === 'sending' || state === 'accepted';
      // A commit is told from another one by sending it again, which a look does not do.
      const row = mayBeThere && intent !== 'commit' ? rows.sent(rowId) : null;
      if (row === null) return 'undecided';
      const asking = { nowMs: line.serviceNowMs(), isWaitedFor: true };
      const judging =
        state === 'accepted'
          ? ownership.ofAccepted(row, record, asking)
          : ownership.ofRecord({ ...row, maybeSent: true }, record, asking);
      return (await line.within(judging, options))?.kind ?? 'undecided';
    },
    async agreesWith({ rowId, intent, externalRef }, record) {
      // What says no time of its own may be the row's also where it was taken back by now: then nothing is done.
      const compared = intent === 'earn' ? record : { ...record, status: undefined };
      const asking = { nowMs: line.serviceNowMs(), isWaitedFor: true };
      for (const { path, body } of operations.watches.versions(rowId)) {
        // Nothing of it is at the service for all that is known, so that no time but its own speaks for a record.
        const row = { rowId, intent, externalRef, path, body, maybeSent: false };
        const differs = ownership.differing(row, compared, asking.nowMs).length > 0;
        if (differs || !ownership.mayBeOfOwnSend(row, compared) || !ownership.knowsItsValues(row)) continue;
        // To tell a commit from another one by sending it again would spend: what it held names the card.
        const verdict = intent === 'commit' ? ours : await line.within(ownership.ofRecord(row, compared, asking));
        if (verdict?.kind === 'ours') return true;
        if (verdict?.kind !== 'anothers') return unasked(verdict);
      }
      return false;
    },
    readHistory(customerId, page) {
      return line.ask(learning(line.judged.history(customerId, page), ({ data }) => data));
    },
  };
}

/** It is not known whose a record is, and nothing is sent for that. @param verdict null: it did not come in time */
function unasked(verdict: Verdict | null): Unknown {
  const why = 'It is not known whose the record under this reference is';
  return verdict?.kind === 'unknown'
    ? { ...verdict, recorded: 'no' }
    : unknownOutcome('timeout', why, { recorded: 'no' });
}
