import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { FoundCustomer, TillState } from '../../shared/till/views.ts';
import { maskedContact } from '../copy/format.ts';
import { type EarnOperation, firstChoice, onlyEarn } from '../operation/operations.ts';
import { type BalancesInFront, createBalancesInFront } from '../sale/customer/balances-in-front.ts';
import type { EntryFor } from '../sale/entry/entry-flow.ts';
import { identifierOf, type LookUp, type LookUpKind, plainText, type Shape, shapeOf } from './shape.ts';
import type { Stage } from './stage.ts';

/** Who stands in front, from what was typed or scanned to the chosen card. */
export interface Finding {
  readonly query: ReadonlySignal<string>;
  readonly shape: ReadonlySignal<Shape>;
  /** A scanned code that is no card of ours. */
  readonly strayScan: ReadonlySignal<string | null>;
  readonly stage: ReadonlySignal<Stage>;
  readonly card: ReadonlySignal<CardEntry | null>;
  /** Of the customer in front; none when nobody is. */
  readonly cards: ReadonlySignal<readonly CardEntry[]>;
  readonly type: (text: string) => void;
  readonly takeAs: (kind: LookUpKind) => void;
  readonly find: () => void;
  readonly findAgain: () => void;
  /** Who was looked for in vain stands in the find box again, whatever was typed for them. */
  readonly nameMissing: () => void;
  /** Puts a customer in front: as the service has just shown them, or to be looked up. */
  readonly bring: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  /** @returns whether it may be a customer's */
  readonly takeScan: (code: string) => boolean;
  readonly chooseCard: (cardId: string) => void;
  /** The card before or after the chosen one; at the end it stays. */
  readonly chooseBeside: (step: 1 | -1) => void;
  /** Whom something is done for; null when nobody stands in front. */
  readonly inFront: () => EntryFor | null;
  /** An operation has moved on. @param before as it was known until now; null when it was not */
  readonly heard: BalancesInFront['heard'];
  /** Whether the customer in front may hold other balances than shown. */
  readonly isOverdue: () => boolean;
  /** Something of this card is held no more. */
  readonly freed: (cardId: string | null) => void;
  /** The cashier takes up who has checked in at the customers' screen. */
  readonly takeUp: () => void;
  /** Lets go whoever is in front; what is being typed for the next one stays. */
  readonly leave: () => void;
  readonly clear: () => void;
  /** Takes back what was typed; else brings back who was just there, and lets go who is there when nobody was. */
  readonly goBack: () => void;
}

interface FindingParts {
  readonly api: TillApi;
  readonly till: ReadonlySignal<TillState | null>;
  /** Who was in front goes, and the news of their sale with them. @returns what brings those back; null without news */
  readonly onLeave: () => (() => void) | null;
  /** Another card of the same customer is chosen. */
  readonly onOtherCard: () => void;
  /** Nothing is left to choose: this is all that the customer's cards can earn. */
  readonly onOnlyEarn: (operation: EarnOperation) => void;
  /** Somebody stands in front now, whatever was typed meanwhile. */
  readonly onArrived: () => void;
  /** Nobody was found. @returns whether what stands in the find box was meant for them alone */
  readonly onMissing: () => boolean;
  /** The find box holds nothing any more. */
  readonly onEmptied: () => void;
}

/** Who stood in front before. */
interface Before {
  readonly stage: Extract<Stage, { kind: 'customer' }>;
  /** Null where nothing of a sale of theirs was shown. */
  readonly bringNewsBack: (() => void) | null;
}

export function createFinding({ api, till, onLeave, onOtherCard, onOnlyEarn, ...parts }: FindingParts): Finding {
  const query = signal('');
  const takenAs: Signal<LookUpKind | null> = signal(null);
  const strayScan: Signal<string | null> = signal(null);
  const stage: Signal<Stage> = signal({ kind: 'idle' });
  /** Who was there before a look-up, or before they were put away: one key brings them back. */
  let before: Before | null = null;

  const isOnline = computed(() => till.value?.connection.state === 'online');
  const balances = createBalancesInFront({ api, stage, isOnline: () => isOnline.peek() });

  const cardPattern = (): string | null => till.value?.card_pattern ?? null;
  const shape = computed(() =>
    plainText(query.value) === '' ? 'empty' : (takenAs.value ?? shapeOf(query.value, cardPattern())),
  );
  const card = computed(() => {
    const at = stage.value;
    if (at.kind !== 'customer') return null;
    return at.found.profile.cards.find((other) => other.card_id === at.cardId) ?? null;
  });
  const cards = computed(() => (stage.value.kind === 'customer' ? stage.value.found.profile.cards : []));

  /** @returns who went; null when nobody stood there */
  const clearStage = (): Before | null => {
    const at = stage.peek();
    return batch(() => {
      stage.value = { kind: 'idle' };
      strayScan.value = null;
      const bringNewsBack = onLeave();
      return at.kind === 'customer' ? { stage: at, bringNewsBack } : null;
    });
  };
  const empty = (): void => {
    query.value = '';
    takenAs.value = null;
    parts.onEmptied();
  };
  const leave = (): void => {
    before = clearStage() ?? before;
  };
  const clear = (): void => {
    leave();
    empty();
  };
  /** Somebody else is asked for: who was put away before that is gone. */
  const makeRoom = (): void => {
    const wasIdle = stage.peek().kind === 'idle';
    const went = clearStage();
    if (went !== null || wasIdle) before = went;
  };

  const lookUp = async (wanted: LookUp): Promise<void> => {
    makeRoom();
    empty();
    const finding: Stage = { kind: 'finding', lookUp: wanted };
    stage.value = finding;
    balances.asked();
    const reply = await api.call('customer.find', { identifier: identifierOf(wanted) });
    if (stage.value !== finding) return; // Another customer came meanwhile.
    if (reply.ok) {
      putInFront(wanted, reply.value);
      return;
    }
    stage.value = { kind: 'missing', lookUp: wanted, error: reply.error };
    if (parts.onMissing() || query.value === '') nameMissing();
  };

  const nameMissing = (): void => {
    const at = stage.value;
    if (at.kind !== 'missing') return;
    batch(() => {
      empty();
      // Named again, it is selected again: what is typed next takes its place.
      stage.value = { ...at };
      query.value = at.lookUp.text;
      takenAs.value = at.lookUp.kind;
    });
  };

  const putInFront = (wanted: LookUp, asFound: FoundCustomer): void => {
    const found = balances.upToDate(asFound);
    const { cards } = found.profile;
    const only = onlyEarn(cards);
    const chosen = only?.card ?? firstChoice(cards, wanted.kind === 'card' ? wanted.text : null);
    const isSame = before?.stage.found.profile.customer_id === found.profile.customer_id;
    // Whose sale was done is not called back over the customer after them.
    if (isSame || before?.bringNewsBack != null) before = null;
    batch(() => {
      stage.value = { kind: 'customer', lookUp: wanted, found, cardId: chosen?.card_id ?? null };
      if (only !== null) onOnlyEarn(only.operation);
      parts.onArrived();
    });
    balances.arrived(found);
  };

  /** Who is in front stays until somebody else is asked for. */
  const type = (text: string): void => {
    takenAs.value = null;
    strayScan.value = null;
    query.value = text;
  };

  const bringBack = ({ stage: was, bringNewsBack }: Before): void => {
    before = null;
    clearStage();
    stage.value = was;
    bringNewsBack?.();
    void balances.lookAgain();
  };
  const goBack = (): void => {
    const at = stage.value;
    const isTyped = query.value !== '' && !(at.kind === 'missing' && query.value === at.lookUp.text);
    if (isTyped) {
      strayScan.value = null;
      empty();
      return;
    }
    empty();
    if (before !== null) bringBack(before);
    else leave();
  };

  const find = (): void => {
    const kind = shape.value;
    const text = plainText(query.value);
    if (kind === 'empty') return;
    if (kind !== 'unclear') {
      void lookUp({ kind, text });
      return;
    }
    makeRoom();
    const error: TillError = { code: 'invalid', message: 'It is no card, phone or e-mail by its shape' };
    stage.value = { kind: 'missing', lookUp: { kind: 'card', text }, error };
  };

  const chooseCard = (cardId: string): void => {
    const at = stage.value;
    if (at.kind !== 'customer') return;
    batch(() => {
      stage.value = { ...at, cardId };
      onOtherCard();
    });
  };

  // Who was shown from memory is shown as they are, with all that their cards can do, once the line is back.
  effect(() => {
    if (!isOnline.value) return;
    if (balances.isOverdue()) void balances.lookAgain();
  });

  return {
    query,
    shape,
    strayScan,
    stage,
    card,
    cards,
    type,
    find,
    leave,
    clear,
    goBack,
    chooseCard,
    nameMissing,
    takeAs(kind) {
      takenAs.value = kind;
    },
    takeUp() {
      const at = stage.peek();
      if (at.kind === 'customer') stage.value = { ...at, lookUp: { ...at.lookUp, isCheckIn: false } };
    },
    findAgain() {
      const at = stage.value;
      if (at.kind === 'missing') void lookUp(at.lookUp);
    },
    bring(wanted, profile) {
      if (profile === null) {
        void lookUp(wanted);
        return;
      }
      makeRoom();
      empty();
      putInFront(wanted, { source: 'service', profile });
    },
    takeScan(code) {
      const kind = shapeOf(code, cardPattern());
      if (kind !== 'empty' && kind !== 'unclear') {
        void lookUp({ kind, text: code });
        return true;
      }
      strayScan.value = code;
      return false;
    },
    chooseBeside(step) {
      const at = stage.value;
      if (at.kind !== 'customer') return;
      const { cards } = at.found.profile;
      const beside = cards[cards.findIndex(({ card_id }) => card_id === at.cardId) + step];
      if (beside !== undefined) chooseCard(beside.card_id);
    },
    inFront() {
      const at = stage.value;
      if (at.kind !== 'customer') return null;
      const { profile } = at.found;
      const { customer_id, name } = profile;
      return { identifier: { customer_id }, customerName: name, card: card.value, hint: maskedContact(profile) };
    },
    heard: balances.heard,
    isOverdue: balances.isOverdue,
    freed(cardId) {
      if (cardId !== null) balances.moved(cardId);
    },
  };
}
