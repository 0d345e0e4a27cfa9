import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import { isOnItsWay, type Transaction } from '../../../shared/contract/transaction.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import type { AnswerFacts, CallOutcome, Done, Refused, Unknown } from '../../client/outcome.ts';
import type { Line } from '../../line/line.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { anothersRecord, isConflict, notAboutThis, nothingSure, notLookedUp } from '../ownership/anothers-record.ts';
import { ownAmong } from '../ownership/own-record.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { OriginalThere } from '../ownership/reversal-ownership.ts';
import type { ToldRecord } from '../ownership/same-record.ts';
import type { Verdict } from '../ownership/verdict.ts';
import { type EarnAnswer, learnedFrom, needsSecondAnswer } from '../settlement/settlement.ts';

export interface CourierOptions {
  readonly keyFingerprint: string;
  /** Knows whether a row is as this till saved it, and the service's id of a reversal's original. */
  readonly operations: Pick<OperationStore, 'seals' | 'provenOriginalId'>;
  /** The courier does not judge the line. The sender does, by what the courier's outcome says of line and row. */
  readonly line: Line;
  readonly ownership: Ownership;
}

/** What an attempt at a row that is sent by itself can learn. */
export type Outcome = CallOutcome<EarnAnswer | Transaction>;

/** What the books show under a row's reference: nothing, what is decided, or what is not yet (see Verdict). */
type Found = Outcome | 'absent' | 'undecided' | 'standing';

/** What became of one attempt. */
export interface Carried {
  /** The row as it is known now: once its bytes went out it may be at the service, whatever is learned later. */
  readonly row: SendableOperation;
  /**
   * `withheld`: the row must not be sent under this key, whose books do not show it, or do not show the original that it
   * takes back. `changed`: the row was changed on the disk, so it was not sent.
   */
  readonly outcome: Outcome | { readonly kind: 'withheld' } | { readonly kind: 'changed' } | ReversedBefore;
}

/** A reversal that was refused as "reversed already", and what the books show of its original. */
export interface ReversedBefore {
  readonly kind: 'reversed_before';
  readonly original: OriginalThere;
  readonly refused: Refused;
}

/**
 * Carries one row to the service and makes sure that the answer is about this row: what could be the record of an
 * earlier attempt, of another key or of another till is looked up in the service's books before it is believed.
 */
export class Courier {
  readonly #options: CourierOptions;
  /** Rows that were found to be as this till saved them. A row that was read does not change: one check is enough. */
  readonly #whole = new WeakSet<SendableOperation>();

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** Looks at a row while it has to wait, so that it goes out sooner when its turn comes. */
  prepare(row: SendableOperation): void {
    if (this.#isWhole(row)) this.#whole.add(row);
  }

  #isWhole(row: SendableOperation): boolean {
    return this.#whole.has(row) || this.#options.operations.seals.isSealIntact(row);
  }

  async carry(row: SendableOperation): Promise<Carried> {
    if (!this.#isWhole(row)) return { row, outcome: { kind: 'changed' } };
    const { ownership, keyFingerprint } = this.#options;
    // A reversal goes out under its original's key, even if it was marked under another one: it takes back that original only,
    // and once. The agent may have ended before it knew whether the reversal could be sent under the other key.
    const isOnlySeen = isOfAnotherKey(row, keyFingerprint) && !ownership.isOfOriginalOfThisKey(row);
    if (isOnlySeen) return { row, outcome: await this.#seeUnderThisKey(row) };
    // A reversal is not sent if it could take back another shop's operation, nor while the books that tell cannot be read.
    if (row.intent === 'reverse' && (await ownership.maySend(row)) !== true) {
      return { row, outcome: { kind: 'withheld' } };
    }
    const outcome = await this.#options.line.unjudged.sendQueued(row);
    switch (outcome.kind) {
      case 'refused': {
        // A refusal does not say which request it answers. It may belong to another call, or the service may have recorded
        // an earlier attempt and refuse because of that record. So the books are read first.
        const { code } = outcome.error;
        const found = await this.#find(row);
        // Whether somebody else takes the same original back is told by the books of the original.
        const isTold = code === 'ALREADY_REVERSED' || (found === 'standing' && isConflict(row, code));
        if ((found === 'undecided' || found === 'standing') && !isTold)
          return { row: asSent(row), outcome: nothingSure(`the refusal ${code}`) };
        const isFirst = !row.maybeSent && code !== 'DUPLICATE_TRANSACTION';
        if (isFirst && (typeof found === 'string' || found.kind === 'refused')) {
          return { row, outcome: await this.#withOriginal(row, outcome) };
        }
        const told = outcomeOr(outcome, found);
        return { row: asSent(row), outcome: told.kind === 'refused' ? await this.#withOriginal(row, told) : told };
      }
      case 'done':
        if (isPlain(outcome.answer)) return { row, outcome };
        return {
          row: asSent(row),
          outcome: this.#namesItsOriginal(row, outcome.answer) ? outcome : await this.#verified(row, outcome),
        };
      case 'unknown':
        // After it lost its books, the service may know the original by another id. So such an answer is looked up in them.
        return row.intent === 'reverse' && isAboutAnother(outcome)
          ? { row: asSent(row), outcome: outcomeOr(outcome, await this.#find(row)) }
          : { row, outcome };
    }
  }

  /** Whether an answer names the proven id of the original of a reversal that is on its way: a poll will tell its end. */
  #namesItsOriginal(row: SendableOperation, answer: EarnAnswer): boolean {
    const toldId = fieldOf(answer, 'reverses_transaction_id');
    if (toldId === undefined || !isOnItsWay(answer.status)) return false;
    return this.#options.operations.provenOriginalId(row.rowId) === toldId;
  }

  async #withOriginal(row: SendableOperation, refused: Refused): Promise<Refused | ReversedBefore> {
    const original = await this.#options.ownership.originalOfRefused(row, refused);
    return original === null ? refused : { kind: 'reversed_before', original, refused };
  }

  /**
   * Another key may be another source, for which the service knows no such reference and would take the sale a second
   * time. Its books prove a sale that they show, and nothing about one that they do not.
   */
  async #seeUnderThisKey(row: SendableOperation): Promise<Carried['outcome']> {
    const found = await this.#find(row);
    return typeof found === 'string' || found.kind === 'refused' ? { kind: 'withheld' } : found;
  }

  /**
   * A replay tells of the first request under the reference, which may have been another till's. A replay that tells no more
   * than an id may be about anything: the books tell whose it is, and without them only a poll.
   */
  async #verified(row: SendableOperation, outcome: Done<EarnAnswer>): Promise<Outcome> {
    const { answer } = outcome;
    const isWhole = 'amount_minor' in answer && answer.amount_minor !== undefined && answer.external_ref !== undefined;
    const find = () => this.#find(row, answer.transaction_id);
    const told = await (isWhole ? this.#aboutThisRow(row, outcome, answer) : find());
    // A first answer about another sale was meant for that sale. It does not say what the service holds of this row.
    const isMisled = isWhole && !answer.duplicate && typeof told !== 'string' && told.kind === 'refused';
    const needsSecond = isWhole && needsSecondAnswer(learnedFrom(answer));
    const found = isMisled || needsSecond ? await find() : told;
    if (typeof found !== 'string') return found;
    if (needsSecond && typeof told !== 'string') return told;
    return isOnItsWay(answer.status) ? outcome : notAboutThis(['external_ref'], outcome.facts);
  }

  /** @param namedId the id that the service's answer to the row has named */
  async #find(row: SendableOperation, namedId: string | null = null): Promise<Found> {
    const { line } = this.#options;
    if (line.lookUps.leftMs > 0) return notLookedUp(line.lookUps.leftMs);
    const booksIntent = intentInBooks[row.intent];
    const outcome = await line.unjudged.lookUp(row.externalRef, booksIntent ?? undefined);
    if (outcome.kind === 'unknown') return outcome;
    if (outcome.kind === 'refused') return 'absent';
    // The books may show an earn, a redemption and reversals of one receipt.
    const records = outcome.answer.data.filter(({ intent }) => intent === booksIntent);
    const own = await ownAmong(records, (record) => this.#whose(row, record), namedId);
    if (own.kind === 'own') return { ...outcome, answer: own.record };
    return own.kind === 'absent' ? own.kind : notOwn(row, outcome.facts, own);
  }

  async #aboutThisRow(row: SendableOperation, outcome: Done<EarnAnswer>, record: ToldRecord): Promise<Found> {
    const verdict = await this.#whose(row, record);
    return verdict.kind === 'ours' ? outcome : notOwn(row, outcome.facts, verdict);
  }

  #whose(row: SendableOperation, record: ToldRecord): Promise<Verdict> {
    const { ownership, line } = this.#options;
    return ownership.ofRecord(row, record, { nowMs: line.serviceNowMs(), isWaitedFor: false });
  }
}

/** What becomes of a row when a record is not surely its own. Another's record is a refusal: ours is not recorded. */
function notOwn(
  row: SendableOperation,
  facts: AnswerFacts,
  verdict: Exclude<Verdict, { readonly kind: 'ours' }>,
): Refused | Unknown | 'undecided' | 'standing' {
  switch (verdict.kind) {
    case 'anothers':
      return anothersRecord(row, facts, verdict.fields);
    case 'unknown':
      return verdict;
    case 'undecided':
    case 'standing':
      return verdict.kind;
  }
}

/**
 * Whether this is the first answer to this very request, as far as it can tell. Its values were compared when it was read.
 * A customer that it names has to be asked for.
 */
function isPlain(answer: EarnAnswer): boolean {
  if (answer.duplicate || needsSecondAnswer(learnedFrom(answer))) return false;
  // A poll finds out whose record it is before anybody is told that it was applied.
  if (isOnItsWay(answer.status)) return true;
  return 'external_ref' in answer && answer.external_ref !== undefined && answer.customer_id == null;
}

/** Whether a good answer was disbelieved, because it is about something else. */
function isAboutAnother(outcome: Extract<Outcome, { kind: 'unknown' }>): boolean {
  return outcome.cause === 'not_the_service' && outcome.facts !== null && outcome.facts.httpStatus < 300;
}

function outcomeOr(outcome: Refused | Unknown, found: Found): Outcome {
  return typeof found === 'string' ? outcome : found;
}

function asSent(row: SendableOperation): SendableOperation {
  return { ...row, maybeSent: true };
}

/** Whether a row may be at the service under another key. Until the books show it, it is looked up and not sent. */
export function isOfAnotherKey(row: SendableOperation, keyFingerprint: string): boolean {
  return row.maybeSent && row.lastKeyFingerprint !== null && row.lastKeyFingerprint !== keyFingerprint;
}
