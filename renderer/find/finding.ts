import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import { plainText } from '../../shared/lib/digits.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { FoundCustomer, TillState } from '../../shared/till/views.ts';
import { type EarnOperation, onlyEarn } from '../operation/operations.ts';
import { type BalancesInFront, createBalancesInFront } from '../sale/customer/balances-in-front.ts';
import type { EntryFor } from '../sale/entry/entry-flow.ts';
import { identifierOf, type LookUp, type LookUpKind, type Shape, shapeOf } from './shape.ts';
import { cardBeside, cardOf, cardsOf, chosenAtFirst, entryForOf, type Stage } from './stage.ts';

/** Finds the customer in front: from what was typed or scanned to the chosen card. */
export interface Finding {
  readonly query: ReadonlySignal<string>;
  readonly shape: ReadonlySignal<Shape>;
  /** A scanned code that is none of our cards. */
  readonly strayScan: ReadonlySignal<string | null>;
  readonly stage: ReadonlySignal<Stage>;
  readonly card: ReadonlySignal<CardEntry | null>;
  /** The cards of the customer in front; empty when there is no customer. */
  readonly cards: ReadonlySignal<readonly CardEntry[]>;
  readonly type: (text: string) => void;
  readonly takeAs: (kind: LookUpKind) => void;
  readonly find: () => void;
  readonly findAgain: () => void;
  /** Puts the text of the last, vain look-up back into the find box. It replaces what was typed since. */
  readonly nameMissing: () => void;
  /** Puts a customer in front: with a profile that the service has just sent, or by a look-up. */
  readonly bring: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  /** @returns whether the scanned code may belong to a customer. When it cannot, that is said */
  readonly isSomebodys: (code: string) => boolean;
  readonly takeScan: (code: string) => void;
  readonly chooseCard: (cardId: string) => void;
  /**
   * Chooses the card before or after the chosen one.
   *
   * @returns false at the end of the list, and when there is no customer in front: nothing was chosen
   */
  readonly chooseBeside: (step: 1 | -1) => boolean;
  /** The customer and the card for an entry; null when there is no customer in front. */
  readonly inFront: () => EntryFor | null;
  /** Takes the news of an operation. @param before the operation as it was known until now; null when it was unknown */
  readonly heard: BalancesInFront['heard'];
  /** Whether the customer in front may hold other balances than shown. */
  readonly isOverdue: () => boolean;
  /** This card may have changed: a hold on it has ended, or more is wanted from it than it seems to hold. */
  readonly moved: (cardId: string | null) => void;
  /** The cashier confirms the customer who checked in at the customers' screen. */
  readonly takeUp: () => void;
  /** Takes the customer away. What is being typed for the next customer stays. */
  readonly leave: () => void;
  readonly clear: () => void;
  /** Clears what was typed. When nothing was typed, brings back the customer before, or takes the customer away. */
  readonly goBack: () => void;
}

/** What else happens when the customer in front changes. */
export interface CustomerConsequences {
  /**
   * The customer leaves, and the news of their sale with them.
   *
   * @param isAnybody false: there was nobody in front who could leave
   * @returns a function that brings the news back; null without news
   */
  readonly onLeave: (isAnybody: boolean) => (() => void) | null;
  /** The cashier asks for another customer. */
  readonly onAsked: () => void;
  /** Another card of the same customer is chosen. @param isFirst none was chosen before */
  readonly onOtherCard: (isFirst: boolean) => void;
  /** The customer's cards can earn in only one way, so the cashier has nothing to choose. */
  readonly onOnlyEarn: (operation: EarnOperation) => void;
  /** A customer is in front now. Something may have been typed meanwhile. */
  readonly onArrived: () => void;
  /** Nobody was found. @returns whether the text in the find box was meant only for that customer */
  readonly onMissing: () => boolean;
  /** The find box was emptied. */
  readonly onEmptied: () => void;
}

interface FindingParts {
  readonly api: TillApi;
  readonly till: ReadonlySignal<TillState | null>;
  /** A function, because they are made of parts that need the finding. */
  readonly consequences: () => CustomerConsequences;
}

/** The customer who was in front before. */
interface Before {
  readonly stage: Extract<Stage, { kind: 'customer' }>;
  /** Null when no news of their sale was shown. */
  readonly bringNewsBack: (() => void) | null;
}

export function createFinding({ api, till, consequences }: FindingParts): Finding {
  const query = signal('');
  const takenAs: Signal<LookUpKind | null> = signal(null);
  const strayScan: Signal<string | null> = signal(null);
  const stage: Signal<Stage> = signal({ kind: 'idle' });
  /** The customer before a look-up, or the one who was put away. One key brings them back. */
  let before: Before | null = null;

  const isOnline = computed(() => till.value?.connection.state === 'online');
  const balances = createBalancesInFront({ api, stage, isOnline: () => isOnline.peek() });

  const cardPattern = (): string | null => till.value?.card_pattern ?? null;
  const lookUpOf = (code: string): LookUp | null => {
    const kind = shapeOf(code, cardPattern());
    return kind === 'empty' || kind === 'unclear' ? null : { kind, text: code };
  };
  const shape = computed(() =>
    plainText(query.value) === '' ? 'empty' : (takenAs.value ?? shapeOf(query.value, cardPattern())),
  );

  /** @returns the customer who left; null when there was none */
  const clearStage = (): Before | null => {
    const at = stage.peek();
    return batch(() => {
      stage.value = { kind: 'idle' };
      strayScan.value = null;
      const bringNewsBack = consequences().onLeave(at.kind !== 'idle');
      return at.kind === 'customer' ? { stage: at, bringNewsBack } : null;
    });
  };
  const empty = (): void => {
    query.value = '';
    takenAs.value = null;
    consequences().onEmptied();
  };
  const leave = (): void => {
    before = clearStage() ?? before;
  };
  const clear = (): void => {
    leave();
    empty();
  };
  /** Another customer is asked for, so the one who was put away earlier is forgotten. */
  const makeRoom = (): void => {
    consequences().onAsked();
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
    if (consequences().onMissing() || query.value === '') nameMissing();
  };

  const nameMissing = (): void => {
    const at = stage.value;
    if (at.kind !== 'missing') return;
    batch(() => {
      empty();
      // A new object makes the find box select its text again, so that what is typed next replaces it.
      stage.value = { ...at };
      query.value = at.lookUp.text;
      takenAs.value = at.lookUp.kind;
    });
  };

  const putInFront = (wanted: LookUp, asFound: FoundCustomer): void => {
    const found = balances.upToDate(asFound);
    const { cards } = found.profile;
    const only = onlyEarn(cards);
    const chosen = only?.card ?? chosenAtFirst(cards, wanted);
    const isSame = before?.stage.found.profile.customer_id === found.profile.customer_id;
    // A customer whose sale is done is not brought back over the next customer.
    if (isSame || before?.bringNewsBack != null) before = null;
    batch(() => {
      stage.value = { kind: 'customer', lookUp: wanted, found, cardId: chosen?.card_id ?? null };
      if (only !== null) consequences().onOnlyEarn(only.operation);
      consequences().onArrived();
    });
    balances.arrived(found);
  };

  /** The customer in front stays while the cashier types, until somebody else is looked up. */
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
      consequences().onOtherCard(at.cardId === null);
    });
  };

  // When the connection is back, a customer from memory is read again, with everything that their cards can do.
  effect(() => {
    if (!isOnline.value) return;
    if (balances.isOverdue()) void balances.lookAgain();
  });

  return {
    query,
    shape,
    strayScan,
    stage,
    card: computed(() => cardOf(stage.value)),
    cards: computed(() => cardsOf(stage.value)),
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
    isSomebodys(code) {
      if (lookUpOf(code) !== null) return true;
      strayScan.value = code;
      return false;
    },
    takeScan(code) {
      const wanted = lookUpOf(code);
      if (wanted !== null) void lookUp(wanted);
    },
    chooseBeside(step) {
      const beside = cardBeside(stage.value, step);
      if (beside !== null) chooseCard(beside.card_id);
      return beside !== null;
    },
    inFront: () => entryForOf(stage.value),
    heard: balances.heard,
    isOverdue: balances.isOverdue,
    moved(cardId) {
      if (cardId !== null) balances.moved(cardId);
    },
  };
}
