import type { Identifier } from '../../shared/contract/identifier.ts';
import { type CardEntry, type CustomerProfile, readBalances } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { dropOldest } from '../../shared/lib/drop-oldest.ts';
import { isAlone } from '../../shared/till/alone.ts';
import type { Balance } from '../../shared/till/balances.ts';
import { gainOf } from '../../shared/till/gain.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { CustomerNames } from '../store/tables/customer-rows.ts';
import type { RewardPrice } from '../store/tables/reward-price-store.ts';
import { rewardPriceOf } from './reward-price.ts';
import { freshMs } from './used-cards.ts';

const mostLooks = 500;
const mostPrices = 24;

interface CardLooksOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** What this till took for a customer lately; null where it cannot be read. */
  readonly operationsOf: (theirs: CustomerNames) => readonly Operation[] | null;
  /** What was learned before. */
  readonly prices: readonly RewardPrice[];
  readonly onLearned: (prices: readonly RewardPrice[]) => void;
}

interface Look {
  readonly card: CardEntry;
  readonly theirs: CustomerNames;
  /** When the service was asked, on the operations' clock: its answer may be as old as the question. */
  readonly askedAtMs: number;
  /** On the machine's own clock. */
  readonly atMs: number;
}

/**
 * What cards held right before something was done with them. The service tells only what they hold afterwards; from the
 * two it follows how much a purchase brought, and what a reward costs. One look counts for the one operation after it.
 */
export class CardLooks {
  readonly #options: CardLooksOptions;
  readonly #looks = new Map<string, Look>();
  readonly #before = new Map<number, Look>();
  /** What a reward of a kind of card has cost once: another till may have changed the card meanwhile. */
  readonly #seenOnce = new Map<string, number>();
  #prices: readonly RewardPrice[];

  constructor(options: CardLooksOptions) {
    this.#options = options;
    this.#prices = options.prices;
  }

  get prices(): readonly RewardPrice[] {
    return this.#prices;
  }

  /** The service has told a customer's cards, to who asked for `identifier`. */
  seen({ cards, customer_id, phone, email }: CustomerProfile, identifier: Identifier, askedAtMs: number): void {
    const atMs = this.#options.clock.monotonicMs();
    const names = [
      identifier,
      { customer_id },
      ...(phone === null ? [] : [{ phone }]),
      ...(email === null ? [] : [{ email }]),
    ];
    const theirs = { identifiers: names, cardIds: cards.map(({ card_id }) => card_id) };
    for (const card of cards) {
      this.#looks.delete(card.card_id);
      this.#looks.set(card.card_id, { card, theirs, askedAtMs, atMs });
    }
    dropOldest(this.#looks, mostLooks);
  }

  /** An operation with a card was taken. */
  taken({ rowId, cardId }: Pick<Operation, 'rowId' | 'cardId'>): void {
    if (cardId === null) return;
    const look = this.#looks.get(cardId);
    this.#looks.delete(cardId);
    if (look === undefined || this.#options.clock.monotonicMs() - look.atMs > freshMs) return;
    this.#before.set(rowId, look);
    dropOldest(this.#before, mostLooks);
  }

  /** What a purchase brought; null where that is not known. */
  gainOf(operation: Operation): Balance | null {
    const { rowId, intent, state, newBalances, requestedAtMs, updatedAtMs } = operation;
    const before = this.#before.get(rowId);
    const balances = readBalances(newBalances);
    if (before === undefined || intent !== 'earn' || state !== 'applied' || balances === null) return null;
    // What waited long came upon a card that others have used meanwhile.
    return updatedAtMs - requestedAtMs <= freshMs && this.#isAlone(before, operation)
      ? gainOf(operation, before.card, balances)
      : null;
  }

  /** A reward was given: what two in a row have cost is known from then on. */
  learn(operation: Operation): void {
    const before = this.#before.get(operation.rowId);
    const each = before === undefined ? null : rewardPriceOf(before.card, operation);
    if (before === undefined || each === null || !this.#isAlone(before, operation)) return;
    const card = before.card.template_name;
    const isSeenTwice = this.#seenOnce.get(card) === each;
    this.#seenOnce.delete(card);
    if (this.#prices.some((price) => price.card === card && price.each === each)) return;
    if (!isSeenTwice) {
      this.#seenOnce.set(card, each);
      dropOldest(this.#seenOnce, mostPrices);
      return;
    }
    this.#prices = [{ card, each }, ...this.#prices.filter((price) => price.card !== card)].slice(0, mostPrices);
    this.#options.onLearned(this.#prices);
  }

  /** Whether nothing else of this till can have changed the card from the look on until the operation was done. */
  #isAlone({ card, theirs, askedAtMs }: Look, { operationId, updatedAtMs }: Operation): boolean {
    const theirOperations = this.#options.operationsOf(theirs);
    if (theirOperations === null) return false;
    const others = theirOperations.filter((other) => {
      const cardId = other.cardId ?? other.serviceCardId;
      // One without a card goes to the one that the service chooses.
      return other.operationId !== operationId && (cardId === null || cardId === card.card_id);
    });
    return isAlone({ fromMs: askedAtMs, untilMs: updatedAtMs }, others);
  }
}
