import type { Signal } from '@preact/signals';
import type { Balances, CardEntry } from '../../../shared/contract/profile.ts';
import type { TillApi } from '../../../shared/till/api.ts';
import type { FoundCustomer, OperationView } from '../../../shared/till/views.ts';
import type { Stage } from '../../find/stage.ts';
import { isNewlyFilled } from '../../operation/balances.ts';

/** Keeps what is shown of the customer in front as the service told it last, by whichever way. */
export interface BalancesInFront {
  /** An operation has moved on. @param before as it was known until now; null when it was not */
  readonly heard: (operation: OperationView, before: OperationView | null) => void;
  /** Somebody is looked up from now on. */
  readonly asked: () => void;
  /** They stand in front now, as the service told when it was asked. */
  readonly arrived: (found: FoundCustomer) => void;
  /** This card's balances are others than before, and nobody has said which. */
  readonly moved: (cardId: string) => void;
  /** Asks the service again: what can be done with a card now only it knows. */
  readonly lookAgain: () => Promise<void>;
  /** A customer as found, where an operation has told of a later moment with that. */
  readonly upToDate: (found: FoundCustomer) => FoundCustomer;
  /** Whether the customer in front may be other than shown. */
  readonly isOverdue: () => boolean;
}

interface BalancesInFrontParts {
  readonly api: TillApi;
  readonly stage: Signal<Stage>;
  readonly isOnline: () => boolean;
}

/** What an operation has told of a card, and of which moment by the service's clock. */
interface Told {
  readonly balances: Balances;
  readonly atMs: number;
}

/** So many cards, those moved last: a sale's answer never comes later than this many others. */
const mostTold = 64;

export function createBalancesInFront({ api, stage, isOnline }: BalancesInFrontParts): BalancesInFront {
  const told = new Map<string, Told>();
  let lookCount = 0;
  let isLooking = false;
  /** Cards that have moved since somebody was asked for: the answer may be older. */
  const movedMeanwhile = new Set<string>();
  /** A look-up that was needed has not brought an answer of the service. */
  let overdueFor: string | null = null;

  const remember = (cardId: string, balances: Balances, atMs: number): void => {
    told.delete(cardId);
    told.set(cardId, { balances, atMs });
    const [oldest] = told.keys();
    if (told.size > mostTold && oldest !== undefined) told.delete(oldest);
  };

  const upToDate = (found: FoundCustomer): FoundCustomer => {
    const asOfMs = Date.parse(found.profile.balances_as_of);
    return withCards(found, (card) => {
      const later = told.get(card.card_id);
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
    // Whoever asks meanwhile is answered by another look: this one may have been too early for them.
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
    // The line came back while the answer was on its way.
    const isWorthAsking = lookCount !== ours || (!wasOnline && isOnline() && isOverdue());
    if (isWorthAsking) await lookAgain();
  };

  /** @returns whether the operation's own balances are all that there is to know */
  const take = (operation: OperationView, card: CardEntry | undefined): boolean => {
    const { card_id, new_balances: balances, completed_at } = operation;
    if (card_id === null || balances === null) return false;
    const at = stage.peek();
    if (completed_at === null) {
      // Of a moment that nobody knows: it stands until a look-up tells.
      if (at.kind === 'customer' && !told.has(card_id))
        stage.value = { ...at, found: withBalances(at.found, card_id, balances) };
      return false;
    }
    const atMs = Date.parse(completed_at);
    if (atMs < (told.get(card_id)?.atMs ?? 0)) return true;
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
      // Or found in memory while the line came back.
      if (isOld || (source === 'kept' && isOnline())) void lookAgain();
    },
    moved,
    lookAgain,
    upToDate,
    isOverdue,
    heard(operation, before) {
      const { state, card_id } = operation;
      if (card_id === null || state === before?.state) return;
      // What it had left on the card is not there any more.
      if (state === 'reversed') told.delete(card_id);
      const isKnown = state !== 'applied' || take(operation, cardInFront(card_id));
      if (state === 'reversed' || !isKnown) moved(card_id);
    },
  };
}

function withFound(at: Extract<Stage, { kind: 'customer' }>, found: FoundCustomer): Stage {
  const { cards } = found.profile;
  const isThere = cards.some(({ card_id }) => card_id === at.cardId);
  return { ...at, found, cardId: isThere ? at.cardId : (cards[0]?.card_id ?? null) };
}

function withBalances(found: FoundCustomer, cardId: string, balances: Balances): FoundCustomer {
  return withCards(found, (card) => (card.card_id === cardId ? { ...card, balances } : card));
}

function withCards(found: FoundCustomer, change: (card: CardEntry) => CardEntry): FoundCustomer {
  return { ...found, profile: { ...found.profile, cards: found.profile.cards.map(change) } };
}
