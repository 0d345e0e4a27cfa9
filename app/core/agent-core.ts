import type { Identifier } from '../../shared/contract/identifier.ts';
import type { Intent } from '../../shared/contract/primitives.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Transaction, TransactionList, TransactionPage } from '../../shared/contract/transaction.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { Balance } from '../../shared/till/balances.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { Connection, Notice, OperationCounts } from '../../shared/till/views.ts';
import type { CallOutcome, Unknown } from '../client/outcome.ts';
import type { Settings } from '../config/settings.ts';
import type { LastTransactions } from '../customers/last-transactions.ts';
import type { LineState } from '../line/line-history.ts';
import type {
  AttentionOutcome,
  CorrectDecider,
  Correction,
  CorrectOutcome,
  Decider,
  ReplaceOutcome,
  ResendDecider,
} from '../operations/attention-outcome.ts';
import type { DayCommands } from '../operations/days/day-books.ts';
import type { Hold } from '../operations/days/holds.ts';
import type { DecideOutcome, ImmediateOutcome } from '../operations/immediate/immediate-outcome.ts';
import type { CancelOutcome, NewEarn, SaveOutcome } from '../operations/intake/save-outcome.ts';
import type { Verdict } from '../operations/ownership/verdict.ts';
import type { PersonData } from '../operations/personal-data/person-data.ts';
import type { BusinessCalendar } from '../operations/requests/business-date.ts';
import type { NonEarnWrite } from '../operations/requests/write.ts';
import type { ReversalOriginal } from '../operations/reversals/reversal-original.ts';
import type { Approval, ReversalRequest } from '../operations/reversals/reversal-row.ts';
import type { ReverseOutcome } from '../operations/reversals/reversals.ts';
import type { VerifyPart, VerifyRequest } from '../operations/watch/verifier.ts';
import type { PeopleCommands } from '../people/people.ts';
import type { Operation, OperationHistoryEntry } from '../store/schema/operation.ts';
import type { Decision } from '../store/schema/operation-values.ts';
import type { ActivityFilter, ActivityPart, SentRequest } from '../store/tables/activity.ts';
import type { CustomerNames } from '../store/tables/customer-rows.ts';
import type { HourlyCounts } from '../store/tables/hour-counts.ts';
import type { ErasedProfiles } from '../store/tables/kept-profile-store.ts';
import type { ReferencePrefixes } from '../store/tables/reference-prefixes.ts';
import type { ScreenSale } from './screen-sale.ts';

/** What `/v1/agent/status` and the top bar are made from (design "The local bridge"). */
export interface AgentStatus {
  readonly mode: Mode;
  readonly connection: Connection;
  readonly operations: OperationCounts;
  readonly oldestWaitingAtMs: number | null;
  /** The sending deadline of the oldest sale that the service may not have yet; null: there is none. */
  readonly windowEndsAtMs: number | null;
  /** The same as seconds from now; negative when it is past. */
  readonly windowSecondsLeft: number | null;
  readonly windowHours: number;
  /** How far the service's clock is ahead of ours; null before any answer. */
  readonly clockSkewMs: number | null;
  readonly deviceId: string;
  readonly serviceBaseUrl: string;
  readonly lastAnswerAtMs: number | null;
  readonly notices: readonly Notice[];
}

/** What a customer did last, and who says so. */
export interface ToldTransactions extends LastTransactions {
  readonly source: 'service' | 'kept';
}

/** Names what has changed; who tells it to somebody reads it then. */
export type AgentChange = { readonly type: 'operation'; readonly rowId: number } | { readonly type: 'status' };

/**
 * The agent behind its doors: the till's screen (`app/till`) and the bridge for POS programs (`app/bridge`) both speak
 * to it, and only to it. Writes are answered when they are durable.
 */
export interface AgentCore {
  readonly clock: Clock;
  /** By which a caller waits for an answer: no tester moves it. */
  readonly machineClock: Pick<Clock, 'setTimer'>;
  readonly settings: Settings;
  readonly referencePrefixes: ReferencePrefixes;
  readonly calendar: BusinessCalendar;
  /** What is read or made with its first use, and a sale would wait for: each a piece of some milliseconds. Saves nothing. */
  readonly firstUses: readonly (() => void)[];

  /** Saves an earn and sends it when it can. Answered when it is on the disk. */
  saveEarn(earn: NewEarn): Promise<SaveOutcome>;
  /** Takes back an operation of which no byte was sent. @param approval where it is another cashier's */
  cancel(operationId: string, approval?: Approval): Promise<CancelOutcome>;
  /** A reference that nobody has had, with a receipt's number or the next of a sequence (design "References"). */
  newReference(receiptNumber: string | null): string;
  /** Carries a write for which somebody waits. @param options.waitMs how long, for an outcome that is not known at once */
  perform(write: NonEarnWrite, options: { readonly waitMs: number }): Promise<ImmediateOutcome>;
  /** The POS program that asked for an operation has read how it ended, or was told by an event. */
  heardTheEnd(rowId: number): void;
  /** Stores what was chosen while the outcome was not known. */
  decide(operationId: string, decision: Decision): Promise<DecideOutcome>;
  /** What this till's screen holds on customers' cards for orders, newest first. */
  holds(): readonly Hold[];
  /** Takes an operation of ours back, by its row. */
  reverse(rowId: number, request: ReversalRequest): Promise<ReverseOutcome>;
  /** Operations that wait for a person, and those whose outcome is not known for long; oldest first. */
  needingAttention(page: { readonly limit: number; readonly afterRowId?: number }): readonly Operation[];
  /** Sends a refused one again as it is, or at the time that a person says. */
  resend(operationId: string, decider: ResendDecider): Promise<AttentionOutcome>;
  /** Sends a refused sale again, corrected; a failed one in a new operation, which takes its place. */
  correct(operationId: string, correction: Correction, decider: CorrectDecider): Promise<CorrectOutcome>;
  /**
   * Puts a new operation in the place of a failed one.
   *
   * @param receiptNumber of the new operation; without one its reference is made from the old one's
   */
  replace(operationId: string, decider: Decider, receiptNumber?: string | null): Promise<ReplaceOutcome>;
  /** Gives an operation up. */
  writeOff(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  /** Leaves an operation as it stands that was found at the service after the till had said otherwise. */
  keep(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  /** Takes such a one back at the service. */
  takeBack(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  /** Compares a part of what was applied or taken back with the service's books. @throws StoreError, SqliteError */
  verify(request: VerifyRequest): Promise<VerifyPart>;
  /** Asks the service now, whatever it has asked to wait for. @returns how the line is then */
  tryLine(): Promise<Connection>;
  /** The reversal of an operation that is under way or done. */
  reversalOf(rowId: number): Operation | null;
  /** Reversals by the service's id that were passed on, or may be of it; those that are known first. */
  passedOnReversals(serviceTransactionId: string): readonly Operation[];
  /** What a reversal by reference means; null when nothing of ours has the reference on that side of the receipt. */
  originalOf(externalRef: string, intent: 'earn' | 'redeem'): ReversalOriginal | null;
  operation(rowId: number): Operation | null;
  /** The row that stands for this one: itself, or the one that a person has put in its place. */
  standingFor(operation: Operation): Operation;

  /** An earn of the same customer and values saved in the last ten minutes, from either door. */
  findRepeat(request: NewEarn['request']): Operation | null;

  operationById(operationId: string): Operation | null;
  /** By the agent's own `txn_local_...` or by the service's id. */
  operationByTransactionId(transactionId: string): Operation | null;
  /** All that were answered with this id of the service's: of a reservation, of an enrollment. Oldest first. */
  operationsByServiceTransactionId(id: string): readonly Operation[];
  operationsByReference(externalRef: string): readonly Operation[];
  /** Enrollments, which are kept under a reference with an id behind it, by the caller's own. Newest first. */
  enrollmentsUnder(externalRef: string): readonly Operation[];
  /** Newest first; `beforeRowId` pages on by key. */
  recentOperations(page: { readonly limit: number; readonly beforeRowId?: number }): readonly Operation[];
  /** Redemptions that must not be repeated unasked: of the last ten minutes, or of unknown outcome. One may come twice. */
  redemptionsToMind(): readonly Operation[];
  /** Looks through the operations, newest first; a part at a time (see ActivityPart). */
  activity(filter: ActivityFilter, page: { readonly limit: number; readonly beforeRowId?: number }): ActivityPart;
  /** What an operation was sent as. */
  sentRequest(rowId: number): SentRequest | null;
  /** How many refused tries of the same came before a refused one. */
  triesBefore(rowId: number): number;
  /** Oldest first. */
  history(rowId: number): readonly OperationHistoryEntry[];

  identify(identifier: Identifier): Promise<CallOutcome<CustomerProfile>>;
  /** A profile kept from an earlier look: by card number, customer_id or external_id only. */
  keptProfile(identifier: Identifier): CustomerProfile | null;
  /**
   * What a customer did last: from the service, else as it was told last; null where neither is known. No sale waits for
   * it, and the line is not judged by it.
   */
  lastTransactions(customerId: string): Promise<ToldTransactions | null>;
  /** What this till itself took for a customer lately, newest first. */
  operationsOfCustomer(theirs: CustomerNames, limit: number): readonly Operation[];
  /** Forgets every saved customer, of the other mode and on the disk too. @param by who asks @throws StoreError, SqliteError */
  eraseKeptProfiles(by: string | null): Promise<ErasedProfiles>;
  /** Reads learn: what was applied here and reads as reversed becomes reversed. @param options.patienceMs at most 5 s */
  readTransaction(
    serviceTransactionId: string,
    options?: { readonly patienceMs?: number },
  ): Promise<CallOutcome<Transaction>>;
  /**
   * @param options.countedOn what the caller counts on where it is not listed: then the look-ups have to show what the books are
   *   known to hold, too, if this till knows of anything. They are waited for 7.5 s when options.patienceMs says nothing
   */
  readTransactionsByReference(
    externalRef: string,
    options?: { readonly patienceMs?: number; readonly countedOn?: Intent },
  ): Promise<CallOutcome<TransactionList>>;
  /**
   * Whose a record is that has the reference and the values of an operation whose outcome is not known yet. Another till
   * may have used the number, today or yesterday, for anybody.
   */
  whoseRecord(
    operation: Operation,
    record: Transaction,
    options?: { readonly patienceMs?: number },
  ): Promise<Verdict['kind']>;
  /**
   * Whether a record agrees with an operation that came to nothing here, in customer, value and time, as it is or as it was
   * sent before. False also of one whose request is erased: nothing of it can be compared.
   */
  agreesWith(operation: Operation, record: Transaction): Promise<boolean | Unknown>;
  readHistory(
    customerId: string,
    page: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<CallOutcome<TransactionPage>>;

  /** Customers' rights. */
  readonly persons: PersonData;
  /** The books of business days. */
  readonly days: DayCommands;
  /** What a comparison of a card's balances before and after a sale tells. */
  readonly cards: {
    /** What a purchase brought; null where nobody knows what the card held before. */
    gainOf(operation: Operation): Balance | null;
    /** What rewards cost: as the settings say, else the sandbox, else as was learned from those that were given. */
    goals(): readonly RewardGoal[];
  };
  /** What a POS program has handed over to the screen. */
  readonly screenSale: Omit<ScreenSale, 'close'>;
  /** Managers and cashiers of this till. */
  readonly people: PeopleCommands;
  /** How many operations are in each state. */
  counts(): Readonly<Record<OperationState, number>>;
  /** The last 24 hours, from the history of the operations. */
  hourlyCounts(): HourlyCounts;
  /** How the line was since the agent began, oldest first. */
  lineHistory(): readonly LineState[];
  status(): AgentStatus;
  /** @returns a function that ends the subscription */
  onChange(listener: (change: AgentChange) => void): () => void;
  /** The machine has slept, and its timers with it: the line is looked at now, and what fell due is done. */
  wake(): void;
  /** When a customer or a sale was asked for last, at either door, on the machine's monotonic clock; null: not yet. */
  servedAtMs(): number | null;
  /** Lets what is in flight end (bounded by a timeout), keeps everything, closes the database. */
  close(): Promise<void>;
}
