import { fieldOf, isOther, type ToldValues } from '../../../shared/contract/differing-fields.ts';
import { isOfOtherCalls } from '../../../shared/contract/endpoints.ts';
import type { Identifier } from '../../../shared/contract/identifier.ts';
import { isOnItsWay } from '../../../shared/contract/transaction.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { intentInBooks, isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import type { CallOutcome, Done, Refused, Unknown } from '../../client/outcome.ts';
import type { KeptProfiles } from '../../customers/kept-profiles.ts';
import { callOfPath, type WriteAnswer } from '../../line/call-of-path.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import type { RowStore } from '../../store/tables/row-store.ts';
import type { SealStore } from '../../store/tables/seal-store.ts';
import { identifierOf, requestOf } from '../requests/row-request.ts';
import { sameSaleMs } from '../requests/same-request.ts';
import { anothersRecord, isConflict, notAboutThis } from './anothers-record.ts';
import { ofEnrollment, otherInRefusedCode } from './enrollment-ownership.ts';
import { RecordTimes } from './record-time.ts';
import { ofReservation } from './reservation-ownership.ts';
import {
  isOfItsOriginal,
  isOfOurReversal,
  isOriginalUnderKey,
  type OriginalSources,
  type OriginalThere,
  originalThere,
} from './reversal-ownership.ts';
import { type ComparedRow, differingFromRow, isOfItsVeryTime, msFromItsTime, type ToldRecord } from './same-record.ts';
import { isReplay, type OwnedRow, ours, type Verdict, verdictOf } from './verdict.ts';
import { type CustomerQuestion, WhoseCustomer } from './whose-customer.ts';

interface OwnershipOptions extends OriginalSources {
  /** Of the API key of this run. */
  readonly keyFingerprint: string;
  readonly rows: Pick<RowStore, 'sent'>;
  readonly seals: Pick<SealStore, 'isSealIntactOrEnded'>;
  /** Customers seen before, known without asking. */
  readonly customers: Pick<KeptProfiles, 'find'>;
}

/** How it is asked whose a record is. */
interface Asking {
  /** Somebody waits for the verdict: no silent answer about the customer keeps them for long. */
  readonly isWaitedFor: boolean;
  /** False: a customer whom the service does not know now is not the record's either. */
  readonly isStrangerOurs?: boolean;
}

/**
 * Tells whether what the service holds under a row's reference is that row, or another till's with the same number
 * (design "Promises", 6; "References").
 */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #times: RecordTimes;
  readonly #whose: WhoseCustomer;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#times = new RecordTimes(options);
    this.#whose = new WhoseCustomer(options);
  }

  /** Of a record in the books. @param nowMs by the service's clock */
  async ofRecord(
    row: OwnedRow,
    record: ToldRecord,
    { nowMs, ...asking }: Asking & { readonly nowMs: number },
  ): Promise<Verdict> {
    const verdict = await this.#ofReplay(row, record, nowMs, asking);
    if (verdict.kind !== 'ours') return verdict;
    switch (row.intent) {
      case 'reverse':
        return isOfOurReversal(row, record, this.#options);
      case 'commit':
        return this.#ofCommit(row, record);
      case 'earn':
      case 'redeem':
      case 'enroll':
      case 'verify':
      case 'reserve':
      case 'release':
        return verdict;
      default:
        return assertNever(row.intent);
    }
  }

  /**
   * Whether a record that is read later is of the write that was accepted. The acceptance told only an id, and may have
   * been meant for another till's sale with the same number and value.
   */
  async ofAccepted(
    row: Omit<OwnedRow, 'body' | 'maybeSent'> & Pick<ComparedRow, 'body'>,
    record: ToldRecord,
    { nowMs, isWaitedFor }: Pick<Asking, 'isWaitedFor'> & { readonly nowMs: number },
  ): Promise<Verdict> {
    const fields = differingFromRow(row, record);
    if (fields.length > 0) return verdictOf(fields);
    // Nothing is learned from one that is on its way, so that nobody has to be asked about it.
    if (row.intent !== 'earn' || isOnItsWay(record.status)) return ours;
    const { body } = row;
    if (body === null || isOfItsVeryTime(row, record) === true) return ours;
    return this.ofRecord({ ...row, body, maybeSent: true }, record, { nowMs, isWaitedFor });
  }

  /**
   * Whether the record in the answer to our own request is this row's. What the request's path names is not compared again:
   * the service has looked it up by that id.
   */
  async #ofReplay(
    row: OwnedRow,
    record: ToldRecord,
    nowMs: number,
    { isWaitedFor, isStrangerOurs = row.maybeSent }: Asking,
  ): Promise<Verdict> {
    const fields = this.differing(row, record, nowMs);
    if (fields.length > 0 || row.intent === 'reverse') return verdictOf(fields);
    const identifier = this.#identifierOf(row);
    const whoIs = identifier === null ? null : () => this.#whose.whoIs(identifier, { isWaitedFor });
    const time = await this.#times.settle(row, record, { nowMs, whoIs });
    if (time.kind !== 'ours') return time;
    // Of a customer whom the service does not know the time of the sale has to tell.
    const isOfItsTime = (msFromItsTime(row, record) ?? 0) <= sameSaleMs;
    const isSurelyNew = !isStrangerOurs || !isOfItsTime;
    return this.#ofCustomerId(row, record.customer_id ?? null, { isSurelyNew, isWaitedFor });
  }

  /** In which fields a record cannot be a row's, as far as values and times are sure. @param nowMs by the service's clock */
  differing(row: OwnedRow, record: ToldRecord, nowMs: number): readonly string[] {
    const fields = differingFromRow(row, record, this.#reservationOf(row));
    // A reversal is told by its original.
    if (fields.length > 0 || row.intent === 'reverse') return fields;
    return this.#times.judge(row, record, nowMs) === 'other' ? ['occurred_at'] : [];
  }

  /** Whether what says no time of its own, a redemption or a commit, can have been noted when bytes of the row left the till. */
  mayBeOfOwnSend(row: OwnedRow, record: ToldRecord): boolean {
    return intentInBooks[row.intent] !== 'redeem' || this.#times.isOfOwnSend(row, record) !== false;
  }

  /** Whether the time of a row's record says so surely that it is the row's that the till reverses it by itself. */
  isSurelyOwn(row: OwnedRow, record: ToldRecord): boolean {
    if (intentInBooks[row.intent] === 'redeem') return this.#times.isSurelyOfOwnSend(row, record);
    return isOfItsVeryTime(row, record) !== false;
  }

  /**
   * Somebody waits: who the customer is is asked only where this till knows another one. The card may be this one's by now.
   */
  async #ofFirstAnswer(row: OwnedRow, customerId: string | null): Promise<Verdict> {
    const identifier = this.#identifierOf(row);
    const known = identifier === null ? null : this.#whose.known(identifier);
    if (known === null || !isOther(known.customer_id, customerId)) return ours;
    const verdict = await this.#ofCustomerId(row, customerId, { isSurelyNew: false, isWaitedFor: true });
    return verdict.kind === 'unknown' ? { ...verdict, isDoubtful: true } : verdict;
  }

  #identifierOf(row: OwnedRow): Identifier | null {
    return row.intent === 'commit'
      ? (this.#options.knownOriginals.reservationOf(row.path)?.identifier ?? null)
      : identifierOf(requestOf(row));
  }

  async #ofCustomerId(
    row: OwnedRow,
    customerId: string | null,
    asking: Pick<CustomerQuestion, 'isSurelyNew' | 'isWaitedFor'>,
  ): Promise<Verdict> {
    const identifier = this.#identifierOf(row);
    if (identifier === null || customerId === null || row.serviceCustomerId === customerId) return ours;
    return this.#whose.judge(identifier, {
      field: 'identifier',
      isTheirs: (profile) => profile.customer_id === customerId,
      ...asking,
    });
  }

  /**
   * A record names no reservation, so that another one's commit under the same order number looks like ours. The same
   * request once more tells: it is answered as a replay, or as a conflict, and it does nothing, since the order number
   * is taken either way (decisions "Reservations"). An answer with another id leaves it open: of two sources that have the
   * order number ours may be done only now, and the books show it at the next look.
   */
  async #ofCommit(row: OwnedRow, record: ToldRecord): Promise<Verdict> {
    const { rows, seals, line } = this.#options;
    const sent = rows.sent(row.rowId);
    // Erased after the retention time, or changed on the disk: there are no bytes to repeat.
    if (sent === null || !seals.isSealIntactOrEnded(sent)) return ours;
    const outcome = await line.unjudged.send(sent);
    switch (outcome.kind) {
      case 'done': {
        const isOfRecord = fieldOf(outcome.answer, 'transaction_id') === fieldOf(record, 'transaction_id');
        return isOfRecord ? ours : { kind: 'undecided' };
      }
      case 'refused':
        return { kind: 'anothers', fields: ['reservation_id'] };
      case 'unknown':
        return { ...outcome, recorded: 'maybe' };
      default:
        return assertNever(outcome);
    }
  }

  /**
   * Of a reversal that was refused as "reversed already": that may be said while another till's reversal is under way,
   * which can still fail, or to somebody else's request. And of one that an earlier attempt may have done, which the
   * service may have filed under its original's reference. Only the books tell.
   *
   * @returns null when the refusal says something else and the original stands, or the reversal is not of an operation of ours
   */
  async originalOfRefused(row: OwnedRow, { error }: Refused): Promise<OriginalThere | null> {
    const isSaid = error.code === 'ALREADY_REVERSED';
    if (row.intent !== 'reverse' || !(isSaid || row.maybeSent)) return null;
    if (this.#options.knownOriginals.originalOfReversal(row.rowId) === null) return null;
    const there = await this.originalThere(row);
    return isSaid || there !== 'stands' ? there : null;
  }

  /** What the books show of what a reversal takes back. */
  originalThere(row: OwnedRow): Promise<OriginalThere> {
    return originalThere(row, this.#options);
  }

  /** Whether a row may be sent under the API key of this run: a reversal must take back the till's own operation. */
  maySend(row: Pick<OwnedRow, 'rowId' | 'intent'>): Promise<boolean | Unknown> {
    return isOriginalUnderKey(row, this.#options.keyFingerprint, this.#options);
  }

  /** Whether a row is a reversal of what was sent under the API key of this run. */
  isOfOriginalOfThisKey({ rowId, intent }: Pick<OwnedRow, 'rowId' | 'intent'>): boolean {
    const { knownOriginals, keyFingerprint } = this.#options;
    return intent === 'reverse' && knownOriginals.sentOriginal(rowId)?.keyFingerprint === keyFingerprint;
  }

  /** What an answer means to a row for which somebody waits: a replay may be of another till's request. */
  async believed(
    row: SendableOperation,
    outcome: CallOutcome<WriteAnswer>,
    nowMs: number,
  ): Promise<CallOutcome<WriteAnswer>> {
    const believed = await this.#believed(row, outcome, nowMs);
    const isDoubted = outcome.kind !== 'unknown' && believed.kind === 'refused' && isShownByNoBooks(row, outcome);
    if (!isDoubted) return believed;
    // The same request once more does nothing new, and is answered alike where it is another till's, or refused.
    const again = await this.#options.line.unjudged.send(row);
    if (again.kind !== 'unknown') return this.#believed(row, again, nowMs);
    // A hold that is not let go keeps the customer's points, and nobody has to wait: it is asked for again by itself.
    const isLeftOpen = outcome.kind === 'done' || row.maybeSent || row.intent === 'release';
    return isLeftOpen ? { ...again, recorded: 'maybe' } : believed;
  }

  async #believed(
    row: SendableOperation,
    outcome: CallOutcome<WriteAnswer>,
    nowMs: number,
  ): Promise<CallOutcome<WriteAnswer>> {
    if (outcome.kind === 'refused' && row.intent === 'verify') {
      const fields = otherInRefusedCode(row, outcome, this.#options.knownOriginals);
      return fields.length === 0 ? outcome : notAboutThis(fields, outcome.facts);
    }
    if (outcome.kind !== 'done') return outcome;
    const verdict = await this.#ofAnswer(row, outcome, nowMs);
    switch (verdict.kind) {
      case 'ours':
        return outcome;
      case 'anothers':
        // A first answer about somebody else's request was meant for that one; a replay is a conflict. Of a reversal the
        // service says itself that its reference is another's.
        return row.intent !== 'reverse' && (isReplay(row, outcome) || verdict.isProven === true)
          ? anothersRecord(row, outcome.facts, verdict.fields)
          : notAboutThis(verdict.fields, outcome.facts);
      case 'unknown':
        if (row.intent === 'reverse' || verdict.isDoubtful === true || isReplay(row, outcome)) return verdict;
        // That the customer could not be asked for says nothing against a first answer, nor for it.
        return (await this.#isSaidAgain(row, outcome)) ? outcome : verdict;
      case 'undecided':
      case 'standing':
        return outcome;
      default:
        return assertNever(verdict);
    }
  }

  /**
   * Whether the same request once more, which does nothing new, is answered with a repeat of the same hold or enrollment. Then
   * the service has it under the request's own reference, and a first answer to another request would have named another.
   */
  async #isSaidAgain(row: SendableOperation, { answer }: Done<WriteAnswer>): Promise<boolean> {
    const again = await this.#options.line.unjudged.send(row);
    return again.kind === 'done' && isReplay(row, again) && isAboutSame(answer, again.answer);
  }

  async #ofAnswer(row: OwnedRow, done: Done<WriteAnswer>, nowMs: number): Promise<Verdict> {
    const { answer, facts } = done;
    const sources = { knownOriginals: this.#options.knownOriginals, whose: this.#whose };
    switch (row.intent) {
      case 'redeem':
      case 'commit': {
        if (!('external_ref' in answer)) return ours;
        const differing = differingFromRow(row, answer, this.#reservationOf(row));
        if (differing.length > 0) return verdictOf(differing);
        // A first answer is of now: an older one was kept from an earlier request.
        if (answer.duplicate !== true) {
          if (this.#times.isOtherOfFirstAnswer(row, answer, nowMs)) return verdictOf(['occurred_at']);
          return this.#ofFirstAnswer(row, answer.customer_id ?? null);
        }
        const askedMs = facts.serviceDateMs ?? nowMs;
        return this.#ofReplay(row, answer, askedMs, { isWaitedFor: true });
      }
      case 'reserve':
        return 'reservation_id' in answer ? ofReservation(row, { done, nowMs }, answer, sources) : ours;
      case 'enroll':
      case 'verify':
        return ofEnrollment(row, done, sources);
      case 'reverse':
        return isOfItsOriginal(row, answer, this.#options);
      // Their answers name what they are about: the client has compared it.
      case 'earn':
      case 'release':
        return ours;
      default:
        return assertNever(row.intent);
    }
  }

  /** Whether this till knows for whom a row is, and of what value: of a commit its hold alone tells, which another may have made. */
  knowsItsValues(row: OwnedRow): boolean {
    return row.intent !== 'commit' || this.#reservationOf(row) !== null;
  }

  #reservationOf({ intent, path }: OwnedRow): ToldValues | null {
    return intent === 'commit' ? (this.#options.knownOriginals.reservationOf(path)?.held ?? null) : null;
  }
}

/** Whether two answers are about the same hold, or the same customer's card. */
function isAboutSame(one: WriteAnswer, other: WriteAnswer): boolean {
  return ['reservation_id', 'customer_id', 'card_id'].every((field) => fieldOf(one, field) === fieldOf(other, field));
}

/** A refusal that no books can tell to be somebody else's: of what is not in them, or of what they do not name. */
function isShownByNoBooks(row: OwnedRow, outcome: Done<WriteAnswer> | Refused): boolean {
  if (outcome.kind === 'done') return !isInTheBooks(row.intent);
  const { code } = outcome.error;
  // The client has asked once more already, and such a code was said both times.
  if (isOfOtherCalls(callOfPath(row.path).name, code)) return false;
  // A code must not be tried twice.
  return row.intent === 'reserve' || row.intent === 'release' || isConflict(row, code);
}
