/**
 * What the specification says happens to one customer's cards, as small as it can be said: whole numbers, lists, no
 * storage, no transport. Points are counted in thousandths. Shares no code with the service.
 */
export type CardKind = 'points' | 'cashback' | 'stamps' | 'visits' | 'coupon';
export type Kind = 'points' | 'amount_minor' | 'stamps' | 'visits' | 'coupon_code' | 'reward';
type Status = 'pending' | 'success' | 'failed' | 'reversed';
type ReservationState = 'reserved' | 'committed' | 'released' | 'expired';

/** What a card holds: one number. A stamp card's rewards are the whole tens of it. */
interface ModelCard {
  readonly kind: CardKind;
  count: number;
}

interface ModelTransaction {
  readonly intent: 'earn' | 'redeem' | 'reverse';
  readonly reference: string;
  readonly key: string;
  readonly card: number;
  /** What an earn gives; null where the delta is known from the start. */
  readonly gives: number | null;
  readonly reverses: ModelTransaction | null;
  readonly oneShot: boolean;
  readonly appliesAtMs: number;
  status: Status;
  willFail: boolean;
  delta: number;
}

interface ModelReservation {
  readonly reference: string;
  readonly card: number;
  readonly value: number;
  readonly expiresAtMs: number;
  state: ReservationState;
  order: string | null;
}

/** What the service has to answer: status, and the code of a refusal; `duplicate` of a good answer. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly duplicate?: boolean;
}

const applyDelayMs = 1000;
/** 100 points, in thousandths; ten stamps. */
const rewardPrices: Readonly<Partial<Record<CardKind, number>>> = { points: 100_000, stamps: 10 };

/** How many rewards so much of a card's number is. */
export function rewardsIn(kind: CardKind, count: number): number {
  const price = rewardPrices[kind];
  return price === undefined ? 0 : Math.max(0, Math.floor(count / price));
}

/** What a card shows beside its rewards: a stamp card the rest of its count, others all of it. */
export function besideRewards(kind: CardKind, count: number): number {
  return kind === 'stamps' ? count - 10 * rewardsIn(kind, count) : count;
}

const refused = (status: number, code: string): Expected => ({ status, code });
const notEligible = refused(422, 'CARD_NOT_ELIGIBLE');
const insufficient = refused(422, 'INSUFFICIENT_BALANCE');
const duplicateTransaction = refused(409, 'DUPLICATE_TRANSACTION');
const alreadyReversed = refused(409, 'ALREADY_REVERSED');

const spentBy: Readonly<Record<CardKind, readonly Kind[]>> = {
  points: ['points', 'reward'],
  cashback: ['amount_minor'],
  stamps: ['stamps', 'reward'],
  visits: ['visits'],
  coupon: ['coupon_code'],
};

export class LoyaltyModel {
  readonly cards: readonly ModelCard[];
  /** In the order they were made. */
  readonly transactions: ModelTransaction[] = [];
  readonly reservations: ModelReservation[] = [];
  nowMs = 0;

  constructor(cards: readonly { readonly kind: CardKind; readonly count: number }[]) {
    this.cards = cards.map((card) => ({ ...card }));
  }

  #card(card: number): ModelCard {
    const found = this.cards[card];
    if (found === undefined) throw new Error(`The model has no card ${card}`);
    return found;
  }

  #byKey(key: string): ModelTransaction | undefined {
    return this.transactions.find((transaction) => transaction.key === key);
  }

  held(card: number): number {
    const holding = this.reservations.filter((one) => one.card === card && one.state === 'reserved');
    return holding.reduce((sum, { value }) => sum + value, 0);
  }

  /** `gives` in the card's own unit; null for a card that this value cannot be earned on. */
  earn(reference: string, card: number, gives: number | null): Expected {
    const key = `earn ${reference}`;
    const earlier = this.#byKey(key);
    if (earlier !== undefined) return { status: earlier.status === 'pending' ? 202 : 200, duplicate: true };
    if (gives === null) return notEligible;
    this.#add({ intent: 'earn', reference, key, card, gives, reverses: null, oneShot: false });
    return { status: 202, duplicate: false };
  }

  redeem(reference: string, card: number, spending: { readonly kind: Kind; readonly value: number }): Expected {
    const key = `redeem ${reference}`;
    if (this.#byKey(key) !== undefined) return { status: 200, duplicate: true };
    const { kind } = spending;
    const { kind: cardKind, count } = this.#card(card);
    if (cardKind === 'coupon' && kind === 'coupon_code' && count === 0) return refused(409, 'COUPON_ALREADY_REDEEMED');
    if (!spentBy[cardKind].includes(kind)) return notEligible;
    const isReward = kind === 'reward';
    const price = isReward ? (rewardPrices[cardKind] ?? 0) : kind === 'coupon_code' ? 1 : spending.value;
    const spendable = isReward ? count : besideRewards(cardKind, count);
    if (spendable < (isReward ? price : 1)) return notEligible;
    if (spendable - this.held(card) < price) return insufficient;
    this.#spend(card, -price, { reference, key, oneShot: isReward || kind === 'coupon_code' });
    return { status: 200, duplicate: false };
  }

  #spend(card: number, delta: number, facts: { reference: string; key: string; oneShot: boolean }): void {
    const made = this.#add({ intent: 'redeem', ...facts, card, gives: null, reverses: null });
    made.delta = delta;
    made.status = 'success';
    this.#card(card).count += delta;
  }

  /** @param original the transaction, or undefined when the reference and intent name none */
  reverse(original: ModelTransaction | undefined, reversalRef: string | null): Expected {
    if (original === undefined) return refused(404, 'VALIDATION_ERROR');
    const own = `reverse ${original.intent} ${original.reference}`;
    const key = reversalRef === null ? own : `reversal ${reversalRef}`;
    const earlier = this.#byKey(key);
    if (earlier !== undefined) {
      return earlier.reverses === original ? { status: 200, duplicate: true } : duplicateTransaction;
    }
    if (original.oneShot || original.intent === 'reverse') return refused(422, 'VALIDATION_ERROR');
    if (original.status === 'pending' || original.status === 'failed') return refused(400, 'VALIDATION_ERROR');
    const underWay = this.transactions.some((one) => one.reverses === original && one.status !== 'failed');
    if (original.status === 'reversed' || underWay) return alreadyReversed;
    const { card } = original;
    const reference = reversalRef ?? original.reference;
    this.#add({ intent: 'reverse', reference, key, card, gives: null, reverses: original, oneShot: false });
    return { status: 202, duplicate: false };
  }

  reserve(reference: string, card: number, hold: { readonly value: number; readonly ttlMs: number }): Expected {
    const live = this.reservations.find(
      (one) => one.reference === reference && (one.state === 'reserved' || one.state === 'committed'),
    );
    if (live !== undefined) return { status: 200, duplicate: true };
    const { kind, count } = this.#card(card);
    if ((kind !== 'points' && kind !== 'cashback') || count <= 0) return notEligible;
    if (count - this.held(card) < hold.value) return insufficient;
    const expiresAtMs = this.nowMs + hold.ttlMs;
    this.reservations.push({ reference, card, value: hold.value, expiresAtMs, state: 'reserved', order: null });
    return { status: 201, duplicate: false };
  }

  commit(reservation: ModelReservation, order: string): Expected {
    const { state, card, value } = reservation;
    if (state === 'released') return refused(409, 'VALIDATION_ERROR');
    if (state === 'expired') return refused(410, 'RESERVATION_EXPIRED');
    if (state === 'committed') {
      return reservation.order === order ? { status: 200, duplicate: true } : duplicateTransaction;
    }
    const key = `redeem ${order}`;
    if (this.#byKey(key) !== undefined) return duplicateTransaction;
    if (this.#card(card).count < value) return insufficient;
    reservation.state = 'committed';
    reservation.order = order;
    this.#spend(card, -value, { reference: order, key, oneShot: false });
    return { status: 200, duplicate: false };
  }

  /** `duplicate` of a release is left open by the specification. */
  release(reservation: ModelReservation): Expected {
    if (reservation.state === 'committed') return refused(409, 'VALIDATION_ERROR');
    if (reservation.state === 'reserved') reservation.state = 'released';
    return { status: 200 };
  }

  /** Lets time pass: what is due is applied in the order it was made, holds run out. */
  advance(durationMs: number): void {
    this.nowMs += durationMs;
    for (const transaction of this.transactions) {
      if (transaction.status === 'pending' && transaction.appliesAtMs <= this.nowMs) this.#apply(transaction);
    }
    for (const reservation of this.reservations) {
      if (reservation.state === 'reserved' && reservation.expiresAtMs <= this.nowMs) reservation.state = 'expired';
    }
  }

  #apply(transaction: ModelTransaction): void {
    if (transaction.willFail) {
      transaction.status = 'failed';
      return;
    }
    const { reverses, card, gives } = transaction;
    if (reverses !== null) {
      transaction.delta = -reverses.delta;
      reverses.status = 'reversed';
    } else {
      transaction.delta = gives ?? 0;
    }
    transaction.status = 'success';
    this.#card(card).count += transaction.delta;
  }

  #add(facts: Omit<ModelTransaction, 'status' | 'willFail' | 'delta' | 'appliesAtMs'>): ModelTransaction {
    const transaction: ModelTransaction = {
      ...facts,
      appliesAtMs: this.nowMs + applyDelayMs,
      status: 'pending',
      willFail: false,
      delta: 0,
    };
    this.transactions.push(transaction);
    return transaction;
  }
}
