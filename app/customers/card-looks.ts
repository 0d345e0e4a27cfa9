import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type Balance, gainOf } from '../../shared/till/balances.ts';
import type { Operation } from '../store/operation.ts';
import type { RewardPrice } from '../store/reward-price-store.ts';
import { rewardPriceOf } from './reward-price.ts';

/** Another till may have used the card since: what was told so long ago counts no more. */
const freshMs = 10 * 60_000;
const mostLooks = 500;
const mostPrices = 24;

interface CardLooksOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** What was learned before. */
  readonly prices: readonly RewardPrice[];
  readonly onLearned: (prices: readonly RewardPrice[]) => void;
}

/**
 * What cards held right before something was done with them. The service tells only what they hold afterwards; from the
 * two it follows how much a purchase brought, and what a reward costs. One look counts for the one operation after it.
 */
export class CardLooks {
  readonly #options: CardLooksOptions;
  readonly #looks = new Map<string, { readonly card: CardEntry; readonly atMs: number }>();
  readonly #before = new Map<number, CardEntry>();
  #prices: readonly RewardPrice[];

  constructor(options: CardLooksOptions) {
    this.#options = options;
    this.#prices = options.prices;
  }

  get prices(): readonly RewardPrice[] {
    return this.#prices;
  }

  /** The service has told a customer's cards. */
  seen({ cards }: CustomerProfile): void {
    const atMs = this.#options.clock.monotonicMs();
    for (const card of cards) {
      this.#looks.delete(card.card_id);
      this.#looks.set(card.card_id, { card, atMs });
    }
    dropOldest(this.#looks, mostLooks);
  }

  /** An operation with a card was taken. */
  taken({ rowId, cardId }: Pick<Operation, 'rowId' | 'cardId'>): void {
    if (cardId === null) return;
    const look = this.#looks.get(cardId);
    this.#looks.delete(cardId);
    if (look === undefined || this.#options.clock.monotonicMs() - look.atMs > freshMs) return;
    this.#before.set(rowId, look.card);
    dropOldest(this.#before, mostLooks);
  }

  /** What a purchase brought; null where that is not known. */
  gainOf({ rowId, intent, state, newBalances, savedAtMs, completedAtMs }: Operation): Balance | null {
    const before = this.#before.get(rowId);
    if (before === undefined || intent !== 'earn' || state !== 'applied' || newBalances === null) return null;
    // What waited long came upon a card that others have used meanwhile.
    return completedAtMs !== null && completedAtMs - savedAtMs <= freshMs ? gainOf(before, newBalances) : null;
  }

  /** A reward was given: what it has cost is known from now on. */
  learn(operation: Operation): void {
    const before = this.#before.get(operation.rowId);
    const each = before === undefined ? null : rewardPriceOf(before, operation);
    if (before === undefined || each === null) return;
    const card = before.template_name;
    if (this.#prices.some((price) => price.card === card && price.each === each)) return;
    this.#prices = [{ card, each }, ...this.#prices.filter((price) => price.card !== card)].slice(0, mostPrices);
    this.#options.onLearned(this.#prices);
  }
}

function dropOldest(map: Map<unknown, unknown>, most: number): void {
  for (const key of [...map.keys()].slice(0, Math.max(0, map.size - most))) map.delete(key);
}
