import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { TillError } from '../../shared/till/api.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { Advice } from '../copy/advice.ts';
import type { RefusalWords } from '../copy/en/refusals.ts';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import { earnInWords } from '../copy/format.ts';
import { type EarnValue, earnValueOfCount } from './entry.ts';
import { isOpenState, refusalReason } from './outcome.ts';
import { rowKind } from './standing.ts';

/** The one value of an operation; null when it has none. */
export function valueOfOperation(operation: OperationView): EarnValue | null {
  const counted = carriedCount(operation);
  if (counted !== null) return earnValueOfCount(counted);
  if (operation.amount_minor === null) return null;
  return { amount_minor: operation.amount_minor, currency: operation.currency ?? '' };
}

/** `KWD 12.500`, `25 points`, `Free cake`; an operation without a value is called by its kind. */
export function operationAmount(operation: OperationView, words: Words, format: Format): string {
  const value = valueOfOperation(operation);
  if (value !== null) return earnInWords(value, words, format);
  if (operation.given_name !== null) return operation.given_name;
  return operation.intent === 'earn' ? words.operations.names.earn_amount : words.recent.otherIntents[operation.intent];
}

/** Whether the customer has another card that offers the same operation, as far as is known. */
export interface OtherCard {
  readonly hasOther: boolean;
}

/**
 * Why the service refused. Another card is advised only when there is one. @param error null: the service gave no
 * reason
 */
export function refusalAdvice(
  error: Pick<ReceivedError, 'code' | 'details'> | null,
  table: RefusalWords,
  { hasOther }: OtherCard,
): Advice {
  const { title, next, withOtherCard } = table[error === null ? 'other' : refusalReason(error)];
  return { title, next: hasOther ? (withOtherCard ?? next) : next };
}

/**
 * Why something was not done: the service's reason when it gave one, else the agent's own words.
 *
 * @param notSent what it means that it was not sent; the usual words are those for a redemption
 */
export function failureWords(
  failure: TillError,
  words: Words,
  otherCard: OtherCard,
  notSent = words.errors.not_sent.next,
): Advice {
  if (failure.code === 'not_sent') return { title: words.errors.not_sent.title, next: notSent };
  if (failure.code !== 'refused' || failure.service_code === undefined) return words.errors[failure.code];
  const error = { code: failure.service_code, ...(failure.details === undefined ? {} : { details: failure.details }) };
  return refusalAdvice(error, words.spendRefusals, otherCard);
}

/** What a reward is called; one without a name is called by its kind. */
export function rewardName({ name }: { readonly name: string }, words: Words): string {
  return name === '' ? words.entry.namelessReward : name;
}

/** `40 points`, `KWD 1.250`. */
export function heldAmount({ points, amount_minor, currency }: HoldView, words: Words, format: Format): string {
  return earnInWords(
    points === null ? { amount_minor: amount_minor ?? 0, currency: currency ?? '' } : { points },
    words,
    format,
  );
}

/**
 * An operation's state in the glossary's word. A redemption is never shown as waiting: its outcome is being checked.
 */
export function rowState(operation: OperationView, words: Words): string {
  const kind = rowKind(operation);
  const isAwaited = kind === 'spend' || kind === 'errand';
  if (isAwaited && isOpenState(operation.state)) return words.stateWords.unknown;
  // Nobody has cancelled it. It failed while the cashier waited for it.
  if (isAwaited && operation.state === 'cancelled') return words.stateWords.failed;
  return words.stateWords[operation.state];
}

/** The words for the states of an operation right after it: of a sale, of a hold, or of what is spent. */
export function statesAfter({ intent }: OperationView, words: Words): Words['states' | 'spendStates'] {
  if (intent === 'earn') return words.states;
  return intent === 'reserve' ? words.holds.after : words.spendStates;
}

/** The words for an undo: points are deducted again, a sale is undone, and a redemption is given back. */
export function undoingOf(operation: OperationView, words: Words): Words['recent']['undoing']['sale'] {
  if (rowKind(operation) === 'spend') return words.recent.undoing.spend;
  return words.recent.undoing[operation.amount_minor === null ? 'earn' : 'sale'];
}

/** The end of a reference, which is enough to tell receipts apart. The whole reference is in `data-ref`. */
export function shortReference(externalRef: string): string {
  const characters = Array.from(externalRef);
  return characters.length <= shownCharacters ? externalRef : `\u2026${characters.slice(-shownCharacters).join('')}`;
}

const shownCharacters = 14;

export function operationCustomer(operation: OperationView, words: Words): string {
  return operation.customer_name ?? operation.identifier_hint ?? words.customer.nameless;
}
