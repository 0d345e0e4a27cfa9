import type { CardEntry } from '../../../shared/contract/profile.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import { type Balance, balancesMainFirst, balancesOf, earnedDimension } from '../../../shared/till/balances.ts';
import type { HoldView } from '../../../shared/till/hold-views.ts';
import { type RewardGoal, stampGoalOf } from '../../../shared/till/progress.ts';
import type { ConnectionState, OperationView } from '../../../shared/till/views.ts';
import { leftToRight } from '../../../shared/words/direction.ts';
import type { Advice } from '../../copy/advice.ts';
import type { Words } from '../../copy/en/start.ts';
import { balanceInWords, type Format, moneyOrNumber } from '../../copy/format.ts';
import type { WordsOf } from '../../copy/parts.ts';
import { nextStep } from '../../operation/next-step.ts';
import {
  failureWords,
  type OtherCard,
  operationAmount,
  operationCustomer,
  refusalAdvice,
  shortReference,
} from '../../operation/operation-words.ts';
import { counts } from '../../operation/outcome.ts';
import { rowWords } from '../../operation/row-words.ts';
import { isBeingFoundOut, wasNotDone, waysWith } from '../../operation/standing.ts';
import { gained } from './gained.ts';
import { refusedOperation } from './refused.ts';
import type { Outcome } from './shown-outcome.ts';

/** What the words depend on, apart from the outcome itself. */
export interface Telling {
  readonly words: Words;
  readonly decide: WordsOf<'past'>['decide'];
  readonly format: Format;
  readonly connection: ConnectionState;
  readonly nowMs: number;
  /** The cards of the customer in front. */
  readonly cards: readonly CardEntry[];
  /** The last operations of this till. */
  readonly recent: readonly OperationView[];
  readonly past: WordsOf<'past'>;
  /** What is held for orders. */
  readonly held: readonly HoldView[];
  readonly goals: readonly RewardGoal[];
}

/** What became of a sale, in words, for the screen and for a screen reader. */
interface OutcomeWords {
  /** The line above the sentence: the kind of outcome, or the customer of the operation. */
  readonly kind: string;
  /** The sentence that a customer would understand. */
  readonly hero: string;
  /** The sentence names a thing that the customer is given. */
  readonly isGift: boolean;
  /** The hold has expired. */
  readonly isOver: boolean;
  /** The balance now, or what happens next. */
  readonly next: string | null;
  /** Why it was not done, and what to do. */
  readonly why: Advice | null;
}

type Sentence = Pick<OutcomeWords, 'kind' | 'hero' | 'next'> & { readonly isGift?: boolean; readonly isOver?: boolean };

export function outcomeWords(outcome: Outcome, telling: Telling): OutcomeWords {
  const { operation } = outcome;
  const isEarn = operation.intent === 'earn';
  const tell = isEarn ? earnWords : isSpend(operation) ? spendWords : otherWords;
  const sentence = decided(operation, telling) ?? doneBefore(outcome, telling) ?? tell(outcome, telling);
  return {
    isGift: false,
    isOver: false,
    ...sentence,
    ...(outcome.isEarlier ? ofBefore(outcome, telling) : {}),
    why: isEarn ? whyRefused(outcome, telling) : whyNotSpent(outcome, telling),
  };
}

/** Whether something was spent or given. */
function isSpend({ intent }: OperationView): boolean {
  return intent === 'redeem' || intent === 'commit';
}

/** The words for a reversal, a hold or an enrollment: the text of its row in the list, and its state. */
function otherWords({ operation }: Outcome, { words, past, format, recent, held }: Telling): Sentence {
  const original = recent.find(({ row_id }) => row_id === operation.reverses_row_id) ?? null;
  const { detail } = (operation.intent === 'reserve' ? words.holds.after : words.states)[operation.state];
  const hold = held.find(({ hold_id }) => hold_id === operation.operation_id);
  if (hold?.state === 'reserved' && hold.expires_at !== null) {
    const minutes = Math.round((Date.parse(hold.expires_at) - Date.parse(operation.occurred_at)) / minuteMs);
    return {
      kind: operationCustomer(operation, words),
      hero: rowWords(operation, original, words, format).text,
      next: past.heldFor(format.number(minutes), leftToRight(shortReference(hold.cart_ref))),
    };
  }
  const isOver = hold?.state === 'expired';
  return {
    kind: operationCustomer(operation, words),
    hero: rowWords(operation, original, words, format).text,
    next: isOver ? words.holds.states.expired : operation.state === 'applied' ? words.states.applied.title : detail,
    isOver,
  };
}

/**
 * The words that are different for an earlier operation: its customer and its time, and no balance, which is out of
 * date.
 */
function ofBefore({ operation }: Outcome, { words, format, nowMs }: Telling): Partial<Sentence> {
  const when = format.when(Date.parse(operation.occurred_at), nowMs);
  const kind = `${operationCustomer(operation, words)} · ${when}`;
  return operation.new_balances === null ? { kind } : { kind, next: null };
}

function earnWords(outcome: Outcome, telling: Telling): Sentence {
  const { operation, duplicate } = outcome;
  const { words, format } = telling;
  const said = words.outcome;
  const value = operationAmount(operation, words, format);
  const valueFor = said.valueFor(value, operationCustomer(operation, words));
  const isSavedBefore = duplicate && counts(operation.state);
  if (isSavedBefore) return { kind: said.kinds.before, hero: value, next: said.duplicate(value) };
  switch (operation.state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return { kind: said.kinds.saved, hero: value, next: laterWords(outcome, telling) };
    case 'accepted':
      return { kind: said.kinds.sent, hero: value, next: laterWords(outcome, telling) };
    case 'applied':
      return { kind: said.kinds.added, hero: addedWords(outcome, telling), next: balanceNow(outcome, telling) };
    case 'refused':
    case 'failed':
      return { kind: valueFor, hero: said.notAdded, next: null };
    case 'cancelled':
      // The service refused it, and its POS program has taken it back.
      if (wasNotDone(operation)) return { kind: valueFor, hero: said.notAdded, next: null };
      return { kind: valueFor, hero: words.states.cancelled.title, next: said.nothingSent };
    case 'reversed':
      return { kind: valueFor, hero: said.reversed(value), next: balanceNow(outcome, telling) };
    case 'written_off':
      return { kind: valueFor, hero: words.states.written_off.title, next: words.states.written_off.detail };
  }
}

/** What was added to the card when that is known, else for which amount. */
function addedWords(outcome: Outcome, { words, format, recent }: Telling): string {
  const { operation } = outcome;
  const value = operationAmount(operation, words, format);
  if (operation.visits === 1) return words.outcome.visitAdded;
  if (operation.amount_minor === null) return words.outcome.plus(value);
  const gain = gained(outcome, recent);
  if (gain === null) return words.outcome.added(value);
  const isMoney = gain.dimension === 'cashback';
  const written = format.number(gain.value);
  return words.outcome.plus(isMoney ? moneyOrNumber(gain, format) : words.amounts[gain.dimension](gain.value, written));
}

/** When the earned value will be on the card. */
function laterWords({ card }: Outcome, { words, connection }: Telling): string {
  const { outcome } = words;
  const dimension = earnedDimension(card);
  if (connection === 'key_refused' || connection === 'suspended') return outcome.savedStopped;
  if (connection === 'offline') return dimension === null ? outcome.whenBackPlain : outcome.whenBack[dimension];
  return dimension === null ? outcome.inAMomentPlain : outcome.inAMoment[dimension];
}

function spendWords(outcome: Outcome, telling: Telling): Sentence {
  const { operation } = outcome;
  const { words, decide, format, nowMs } = telling;
  const said = words.outcome;
  const value = operationAmount(operation, words, format);
  const who = operationCustomer(operation, words);
  const { state } = operation;
  if (state === 'queued' || state === 'sending' || state === 'unknown') {
    const { title, detail } = words.spendStates[state];
    const isLong = waysWith(operation, nowMs) === 'decide';
    return {
      kind: isLong ? said.doNotRepeat(value) : said.valueFor(value, who),
      hero: isLong ? decide.title : title,
      next: isLong ? null : detail,
    };
  }
  switch (state) {
    case 'reversed':
      return { kind: said.valueFor(value, who), hero: said.givenBack(value), next: balanceNow(outcome, telling) };
    case 'applied':
    case 'accepted':
      return doneWords(outcome, telling);
    case 'cancelled':
    case 'failed':
    case 'refused':
    case 'written_off': {
      const { detail } = words.spendStates[operation.state];
      return {
        kind: said.valueFor(value, who),
        hero: operation.one_shot ? said.notGiven : said.notSpent,
        next: detail,
      };
    }
  }
}

function doneWords(outcome: Outcome, telling: Telling): Sentence {
  const { operation } = outcome;
  const { words, format } = telling;
  const said = words.outcome;
  const value = operationAmount(operation, words, format);
  const next = balanceNow(outcome, telling);
  if (operation.one_shot) {
    return {
      kind: operation.is_coupon ? said.kinds.coupon : said.kinds.given,
      hero: value,
      isGift: true,
      next: next ?? said.couponUsed,
    };
  }
  const hero =
    operation.amount_minor !== null
      ? said.off(value)
      : operation.visits === 1
        ? said.visitUsed
        : operation.points !== null
          ? said.spent(value)
          : said.used(value);
  return {
    kind: said.kinds[operation.points === null && operation.amount_minor === null ? 'used' : 'spent'],
    hero,
    next,
  };
}

/** The words for what an earlier press has spent or held, perhaps with another value than this one; null: this one has. */
function doneBefore({ operation, duplicate }: Outcome, { words, format }: Telling): Sentence | null {
  const { intent, state, one_shot: isOneShot } = operation;
  if (!duplicate || intent === 'earn' || (state !== 'applied' && state !== 'accepted' && state !== 'reversed')) {
    return null;
  }
  const { kinds, byEarlierPress: said } = words.outcome;
  const done = intent === 'reserve' ? said.held : isOneShot ? said.given : said.spent;
  const next = state === 'reversed' ? said.givenBack : done;
  return { kind: kinds.before, hero: operationAmount(operation, words, format), next };
}

/** The words after the cashier has decided about an unknown outcome; null when they have not. */
function decided(operation: OperationView, { words, decide, format }: Telling): Sentence | null {
  const { decision } = operation;
  if (decision === null) return null;
  // The service completed the redemption after all, so it is being reversed.
  const isTooLate = decision === 'take_full_payment' && operation.state === 'applied';
  if (!isTooLate && !isBeingFoundOut(operation)) return null;
  const value = operationAmount(operation, words, format);
  return {
    kind: words.outcome.valueFor(value, operationCustomer(operation, words)),
    hero: decide.chosen[decision],
    next: decide.chosenNext[decision],
  };
}

/** The whole outcome as one text for a screen reader, which reads it again only when the text changes. */
export function outcomeAloud(outcome: Outcome, telling: Telling): string {
  const { words } = telling;
  const { kind, hero, next, why } = outcomeWords(outcome, telling);
  const who = operationCustomer(outcome.operation, words);
  const parts = [kind, hero, next, why?.title, why?.next, kind.includes(who) ? null : who];
  return aloud(parts.flatMap((part) => part ?? []));
}

/** Joins sentences, each with one full stop. */
function aloud(sentences: readonly string[]): string {
  return sentences.map((sentence) => sentence.replace(/[.\u06d4]$/u, '')).join('. ');
}

/** The balance that the sale changed, as the service reports it now. */
function balanceNow(outcome: Outcome, { words, format, goals }: Telling): string | null {
  const balance = newBalance(outcome);
  if (balance === null) return null;
  if (balance.dimension === 'cashback') return words.outcome.toSpend(moneyOrNumber(balance, format));
  const { card, operation } = outcome;
  const { new_balances: balances } = operation;
  const goal = card === null || balances === null ? null : stampGoalOf({ ...card, balances }, goals);
  return words.outcome.now(balanceInWords(balance, words, format, goal));
}

function newBalance({ operation, card }: Outcome): Balance | null {
  if (operation.new_balances === null) return null;
  const balances = balancesOf(operation.new_balances);
  if (card === null) return balances[0] ?? null;
  return balancesMainFirst({ ...card, balances: operation.new_balances })[0] ?? null;
}

/** Another card is advised only when the screen offers it, too. */
function otherCard(outcome: Outcome, { cards }: Telling): OtherCard {
  const refused = refusedOperation(outcome, cards);
  return { hasOther: refused !== null && nextStep(refused).kind === 'other_card' };
}

function whyRefused(outcome: Outcome, telling: Telling): Advice | null {
  const { state, error } = outcome.operation;
  if (!wasNotDone(outcome.operation) || state === 'written_off') return null;
  return refusalAdvice(error, telling.words.refusals, otherCard(outcome, telling));
}

function whyNotSpent(outcome: Outcome, telling: Telling): Advice | null {
  const { operation, failure } = outcome;
  const { state, error } = operation;
  if (isBeingFoundOut(operation)) return null;
  const notSent = operation.intent === 'reserve' ? telling.words.holds.notSent.making : undefined;
  if (failure !== null) return failureWords(failure, telling.words, otherCard(outcome, telling), notSent);
  if (error === null || (state !== 'refused' && state !== 'cancelled')) return null;
  return refusalAdvice(error, telling.words.spendRefusals, otherCard(outcome, telling));
}
