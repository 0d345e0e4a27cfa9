/**
 * What the specification says happens to one customer's cards, as small as it can be said: whole numbers, lists, no
 * storage, no transport. Points are counted in thousandths. Shares no code with the service.
 */
export type CardKind = 'points' | 'cashback' | 'stamps' | 'visits' | 'coupon';
export type Kind = 'points' | 'amount_minor' | 'stamps' | 'visits' | 'coupon_code' | 'reward';
type Status = 'pending' | 'success' | 'failed' | 'reversed';
type ReservationState = 'reserved' | 'committed' | 'released' | 'expired';

/** What a card holds: its main unit, and rewards to claim where they are counted apart. */
interface ModelCard {
  readonly kind: CardKind;
  main: number;
  rewards: number;
}

interface Delta {
  readonly main: number;
  readonly rewards: number;
}

export interface ModelTransaction {
  readonly intent: 'earn' | 'redeem' | 'reverse';
  readonly reference: string;
  readonly key: string;
  readonly card: number;
  /** What an earn gives before it converts; null where the deltas are known from the start. */
  readonly gives: number | null;
  readonly reverses: ModelTransaction | null;
  readonly oneShot: boolean;
  readonly appliesAtMs: number;
  status: Status;
  willFail: boolean;
  delta: Delta;
}

export interface ModelReservation {
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
const stampsPerReward = 10;
/** 100 points, in thousandths. */
const rewardPrice = 100_000;

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

  constructor(cards: readonly { readonly kind: CardKind; readonly main: number; readonly rewards: number }[]) {
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
    const { kind: cardKind, main, rewards } = this.#card(card);
    if (cardKind === 'coupon' && kind === 'coupon_code' && main === 0) return refused(409, 'COUPON_ALREADY_REDEEMED');
    if (!spentBy[cardKind].includes(kind)) return notEligible;
    const delta = this.#priceOf(cardKind, spending);
    const isReward = kind === 'reward';
    const offered = isReward && cardKind === 'stamps' ? rewards > 0 : main >= (isReward ? rewardPrice : 1);
    if (!offered) return notEligible;
    if (main - this.held(card) + delta.main < 0 && delta.main < 0) return insufficient;
    this.#spend(card, delta, { reference, key, oneShot: isReward || kind === 'coupon_code' });
    return { status: 200, duplicate: false };
  }

  #priceOf(cardKind: CardKind, { kind, value }: { readonly kind: Kind; readonly value: number }): Delta {
    if (kind === 'reward') return cardKind === 'stamps' ? { main: 0, rewards: -1 } : { main: -rewardPrice, rewards: 0 };
    return { main: kind === 'coupon_code' ? -1 : -value, rewards: 0 };
  }

  #spend(card: number, delta: Delta, facts: { reference: string; key: string; oneShot: boolean }): void {
    const made = this.#add({ intent: 'redeem', ...facts, card, gives: null, reverses: null });
    made.delta = delta;
    made.status = 'success';
    this.#move(card, delta);
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
    const { kind, main } = this.#card(card);
    if ((kind !== 'points' && kind !== 'cashback') || main <= 0) return notEligible;
    if (main - this.held(card) < hold.value) return insufficient;
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
    if (this.#card(card).main < value) return insufficient;
    reservation.state = 'committed';
    reservation.order = order;
    this.#spend(card, { main: -value, rewards: 0 }, { reference: order, key, oneShot: false });
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
      transaction.delta = { main: -reverses.delta.main, rewards: -reverses.delta.rewards };
      reverses.status = 'reversed';
    } else {
      transaction.delta = this.#earned(this.#card(card), gives ?? 0);
    }
    transaction.status = 'success';
    this.#move(card, transaction.delta);
  }

  /** "Every 10 stamps become 1 reward (the stamps are used up)". */
  #earned({ kind, main }: ModelCard, gives: number): Delta {
    const made = kind === 'stamps' ? Math.max(0, Math.floor((main + gives) / stampsPerReward)) : 0;
    return { main: gives - made * stampsPerReward, rewards: made };
  }

  #move(card: number, { main, rewards }: Delta): void {
    const moved = this.#card(card);
    moved.main += main;
    moved.rewards += rewards;
  }

  #add(facts: Omit<ModelTransaction, 'status' | 'willFail' | 'delta' | 'appliesAtMs'>): ModelTransaction {
    const transaction: ModelTransaction = {
      ...facts,
      appliesAtMs: this.nowMs + applyDelayMs,
      status: 'pending',
      willFail: false,
      delta: { main: 0, rewards: 0 },
    };
    this.transactions.push(transaction);
    return transaction;
  }
}
