import type { Signal } from '@preact/signals';
import type { Balances, CardEntry } from '../../../shared/contract/profile.ts';
import type { TillApi } from '../../../shared/till/api.ts';
import type { FoundCustomer, OperationView } from '../../../shared/till/views.ts';
import { chosenAtFirst, type Stage } from '../../find/stage.ts';
import { isNewlyFilled } from '../../operation/balances.ts';
import { wasNotDone } from '../../operation/standing.ts';

/** Keeps the shown balances of the customer in front as new as the service's last news of them. */
export interface BalancesInFront {
  /** Takes the news of an operation. @param before the operation as it was known until now; null when it was unknown */
  readonly heard: (operation: OperationView, before: OperationView | null) => void;
  /** A look-up of a customer begins. */
  readonly asked: () => void;
  /** The customer is in front now, as the look-up found them. */
  readonly arrived: (found: FoundCustomer) => void;
  /** The card's balances have changed, and the new ones are unknown. */
  readonly moved: (cardId: string) => void;
  /** Asks the service for the customer again. Only the service knows what a card allows now. */
  readonly lookAgain: () => Promise<void>;
  /** The found customer, with the balances of operations that were completed after the look-up. */
  readonly upToDate: (found: FoundCustomer) => FoundCustomer;
  /** Whether the customer in front may have changed since they were read. */
  readonly isOverdue: () => boolean;
}

interface BalancesInFrontParts {
  readonly api: TillApi;
  readonly stage: Signal<Stage>;
  readonly isOnline: () => boolean;
}

/** The balances that an operation brought for a card, and when by the service's clock. */
interface News {
  readonly balances: Balances;
  readonly atMs: number;
}

/** How many cards are remembered, the latest ones. A look-up never takes as long as the news of so many cards. */
const mostNews = 64;

export function createBalancesInFront({ api, stage, isOnline }: BalancesInFrontParts): BalancesInFront {
  const news = new Map<string, News>();
  let lookCount = 0;
  let isLooking = false;
  /** Cards that changed during a look-up. The look-up's answer may be older than the change. */
  const movedMeanwhile = new Set<string>();
  /** The customer whose last look-up brought no answer of the service; null: none. */
  let overdueFor: string | null = null;

  const remember = (cardId: string, balances: Balances, atMs: number): void => {
    news.delete(cardId);
    news.set(cardId, { balances, atMs });
    const [oldest] = news.keys();
    if (news.size > mostNews && oldest !== undefined) news.delete(oldest);
  };

  const upToDate = (found: FoundCustomer): FoundCustomer => {
    const asOfMs = Date.parse(found.profile.balances_as_of);
    return withCards(found, (card) => {
      const later = news.get(card.card_id);
      return later !== undefined && later.atMs > asOfMs ? { ...card, balances: later.balances } : card;
    });
  };

  const isOverdue = (): boolean => {
    const at = stage.peek();
    if (at.kind !== 'customer') return false;
    return at.found.source === 'kept' || overdueFor === at.found.profile.customer_id;
  };

  const lookAgain = async (): Promise<void> => {
    const before = stage.peek();
    if (before.kind !== 'customer') return;
    lookCount += 1;
    // The look-up under way may be too early for this request, so another one follows it.
    if (isLooking) return;
    isLooking = true;
    const wasOnline = isOnline();
    const ours = lookCount;
    const { customer_id } = before.found.profile;
    const reply = await api.call('customer.find', { identifier: { customer_id } });
    isLooking = false;
    const now = stage.peek();
    if (now.kind === 'customer' && now.found.profile.customer_id === customer_id) {
      const isRead = reply.ok && reply.value.source === 'service';
      overdueFor = isRead ? null : customer_id;
      if (isRead) stage.value = withFound(now, upToDate(reply.value));
    }
    // Another request came meanwhile, or the connection came back.
    const isWorthAsking = lookCount !== ours || (!wasOnline && isOnline() && isOverdue());
    if (isWorthAsking) await lookAgain();
  };

  /** @returns whether the operation's balances say everything, so that no look-up is needed */
  const take = (operation: OperationView, card: CardEntry | undefined): boolean => {
    const { card_id, new_balances: balances, completed_at } = operation;
    if (card_id === null || balances === null) return false;
    const at = stage.peek();
    if (completed_at === null) {
      // The time of these balances is unknown, so they are shown only until a look-up answers.
      if (at.kind === 'customer' && !news.has(card_id))
        stage.value = { ...at, found: withBalances(at.found, card_id, balances) };
      return false;
    }
    const atMs = Date.parse(completed_at);
    if (atMs < (news.get(card_id)?.atMs ?? 0)) return true;
    remember(card_id, balances, atMs);
    if (card === undefined || at.kind !== 'customer') return true;
    stage.value = { ...at, found: upToDate(at.found) };
    return operation.intent === 'earn' && at.found.source === 'service' && !isNewlyFilled(card.balances, balances);
  };

  const cardInFront = (cardId: string): CardEntry | undefined => {
    const at = stage.peek();
    return at.kind === 'customer' ? at.found.profile.cards.find(({ card_id }) => card_id === cardId) : undefined;
  };

  const moved = (cardId: string): void => {
    if (stage.peek().kind === 'finding') movedMeanwhile.add(cardId);
    else if (cardInFront(cardId) !== undefined) void lookAgain();
  };

  return {
    asked: () => movedMeanwhile.clear(),
    arrived({ source, profile }) {
      const isOld = profile.cards.some(({ card_id }) => movedMeanwhile.has(card_id));
      movedMeanwhile.clear();
      // A customer from memory is looked up again when the connection came back meanwhile.
      if (isOld || (source === 'kept' && isOnline())) void lookAgain();
    },
    moved,
    lookAgain,
    upToDate,
    isOverdue,
    heard(operation, before) {
      const { state, card_id } = operation;
      if (card_id === null || state === before?.state) return;
      // The balances after a reversed operation are no longer true.
      if (state === 'reversed') news.delete(card_id);
      const isKnown = state !== 'applied' || take(operation, cardInFront(card_id));
      // The service has refused what this card seemed to allow, so the card is no longer as it is shown.
      const isRefused = operation.error !== null && wasNotDone(operation);
      if (state === 'reversed' || !isKnown || isRefused) moved(card_id);
    },
  };
}

function withFound(at: Extract<Stage, { kind: 'customer' }>, found: FoundCustomer): Stage {
  const { cards } = found.profile;
  const isThere = cards.some(({ card_id }) => card_id === at.cardId);
  return { ...at, found, cardId: isThere ? at.cardId : (chosenAtFirst(cards, at.lookUp)?.card_id ?? null) };
}

function withBalances(found: FoundCustomer, cardId: string, balances: Balances): FoundCustomer {
  return withCards(found, (card) => (card.card_id === cardId ? { ...card, balances } : card));
}

function withCards(found: FoundCustomer, change: (card: CardEntry) => CardEntry): FoundCustomer {
  return { ...found, profile: { ...found.profile, cards: found.profile.cards.map(change) } };
}
