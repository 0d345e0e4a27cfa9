import type { CardEntry } from '../../shared/contract/profile.ts';
import type { ConnectionState, OperationView } from '../../shared/till/views.ts';
import type { Advice } from '../copy/advice.ts';
import type { Words } from '../copy/en/start.ts';
import { balanceInWords, type Format } from '../copy/format.ts';
import { decideAfterMs } from '../recent/recent.ts';
import { isBeingFoundOut } from '../recent/recent-rows.ts';
import { type Balance, balancesMainFirst, balancesOf, earnedDimension } from './balances.ts';
import { failureWords, type OtherCard, operationAmount, operationCustomer, refusalAdvice } from './operation-words.ts';
import { cardOperationsOf, hasOtherCard } from './other-card.ts';
import type { Outcome } from './shown-outcome.ts';

/** What the words depend on, beside the outcome itself. */
export interface Telling {
  readonly words: Words;
  readonly format: Format;
  readonly connection: ConnectionState;
  readonly nowMs: number;
  /** Of the customer in front. */
  readonly cards: readonly CardEntry[];
}

/** What became of a sale, in words: for the eye and for the ear alike. */
interface OutcomeWords extends Advice {
  readonly title: string;
  /** The balance now, or what happens next. */
  readonly next: string;
  /** Why it was not done, and what to do. */
  readonly why: Advice | null;
  /** Nobody knows yet, and the cashier may go on in one of two ways. */
  readonly offersWays: boolean;
}

export function outcomeWords(outcome: Outcome, telling: Telling): OutcomeWords {
  const { operation } = outcome;
  const { words, nowMs } = telling;
  const isSpend = operation.intent !== 'earn';
  const chosen = decided(operation, words);
  const { title, detail } = chosen ?? (isSpend ? words.spendStates : words.states)[operation.state];
  return {
    title: (chosen === null ? doneWords(outcome, telling) : null) ?? title,
    next: (chosen !== null ? null : nextWords(outcome, telling)) ?? detail,
    why: isSpend ? whyNotSpent(outcome, telling) : whyRefused(operation, telling),
    offersWays: offersWays(operation, nowMs),
  };
}

/** For the customer, once it is done: what the card got or gave. Null as long as it is not done. */
function doneWords({ operation, card }: Outcome, { words, format }: Telling): string | null {
  const { state, intent } = operation;
  if (intent !== 'earn') {
    const isDone = state === 'applied' || state === 'accepted';
    return isDone ? words.outcome.used(operationAmount(operation, words, format)) : null;
  }
  if (state !== 'applied') return null;
  // What a purchase brings is the service's to count: the kind of it is known, not how much.
  const isCounted = operation.points !== null || operation.stamps !== null || operation.visits !== null;
  if (isCounted) return words.outcome.added(operationAmount(operation, words, format));
  const dimension = earnedDimension(card);
  return dimension === null ? null : words.outcome.addedPlain[dimension];
}

/** What counts at the till from then on, whatever is still being found out. */
function decided(operation: OperationView, words: Words): { readonly title: string; readonly detail: string } | null {
  const { decision } = operation;
  if (decision === null) return null;
  // It counted after all, and is being taken back.
  const isTooLate = decision === 'take_full_payment' && operation.state === 'applied';
  if (!isTooLate && !isBeingFoundOut(operation)) return null;
  return { title: words.decide.chosen[decision], detail: words.decide.chosenNext[decision] };
}

/** For the ear: all of it in one breath, told again only when some of it has changed. */
export function outcomeAloud(outcome: Outcome, telling: Telling): string {
  const { words, format } = telling;
  const { operation } = outcome;
  const { title, next, why, offersWays } = outcomeWords(outcome, telling);
  const what = `${operationAmount(operation, words, format)}, ${operationCustomer(operation, words)}`;
  const parts = [title, next, what, why?.title, why?.next, offersWays ? words.decide.title : undefined];
  return parts.filter((part) => part !== undefined).join('. ');
}

/** After a while with no answer, and before anybody has chosen. */
export function offersWays(operation: OperationView, nowMs: number): boolean {
  if (!isBeingFoundOut(operation) || operation.decision !== null) return false;
  return nowMs - Date.parse(operation.saved_at) >= decideAfterMs;
}

function nextWords(outcome: Outcome, { words, format, connection }: Telling): string | null {
  const { operation, card, duplicate } = outcome;
  if (duplicate) return words.outcome.duplicate(operationAmount(operation, words, format));
  if (operation.state === 'applied') {
    const balance = newBalance(outcome);
    return balance === null ? null : words.outcome.now(balanceInWords(balance, words, format));
  }
  if (operation.intent !== 'earn') return null;
  if (operation.state === 'accepted') {
    const dimension = earnedDimension(card);
    return dimension === null ? words.outcome.onTheWayPlain : words.outcome.onTheWay[dimension];
  }
  if (operation.state !== 'queued' || connection === 'online') return null;
  const isStopped = connection === 'key_refused' || connection === 'suspended';
  return isStopped ? words.outcome.savedStopped : words.outcome.savedOffline;
}

/** The balance that the sale moved, as the service tells it now. */
function newBalance({ operation, card }: Outcome): Balance | null {
  if (operation.new_balances === null) return null;
  const balances = balancesOf(operation.new_balances);
  if (card === null) return balances[0] ?? null;
  return balancesMainFirst({ ...card, balances: operation.new_balances })[0] ?? null;
}

function otherCard(operation: OperationView, { cards }: Telling): OtherCard {
  return { hasOther: hasOtherCard(cards, operation.card_id, cardOperationsOf(operation)) };
}

function whyRefused(operation: OperationView, telling: Telling): Advice | null {
  const { state, error } = operation;
  if (state !== 'refused' && state !== 'failed') return null;
  return refusalAdvice(error, telling.words.refusals, otherCard(operation, telling));
}

function whyNotSpent({ operation, failure }: Outcome, telling: Telling): Advice | null {
  const { state, error } = operation;
  if (isBeingFoundOut(operation)) return null;
  if (failure !== null) return failureWords(failure, telling.words, otherCard(operation, telling));
  if (error === null || (state !== 'refused' && state !== 'cancelled')) return null;
  return refusalAdvice(error, telling.words.spendRefusals, otherCard(operation, telling));
}
