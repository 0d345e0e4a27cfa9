import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { FoundCustomer, OperationView, TillState } from '../../shared/till/views.ts';
import { identifierOf, type LookUp, type LookUpKind, plainText, type Shape, shapeOf } from '../find/shape.ts';
import { maskedContact } from '../format.ts';
import { isNewlyFilled } from '../sale/balances.ts';
import type { EntryFor } from '../sale/entry-flow.ts';
import { type EarnOperation, firstChoice, onlyEarn } from '../sale/operations.ts';

/** Where the sale screen stands. */
export type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'finding'; readonly lookUp: LookUp }
  | { readonly kind: 'missing'; readonly lookUp: LookUp; readonly error: TillError }
  | {
      readonly kind: 'customer';
      readonly lookUp: LookUp;
      readonly found: FoundCustomer;
      readonly cardId: string | null;
    };

/** Who stands in front, from what was typed or scanned to the chosen card. */
export interface Finding {
  readonly query: ReadonlySignal<string>;
  readonly shape: ReadonlySignal<Shape>;
  /** A scanned code that is no card of ours. */
  readonly strayScan: ReadonlySignal<string | null>;
  readonly stage: ReadonlySignal<Stage>;
  readonly card: ReadonlySignal<CardEntry | null>;
  readonly type: (text: string) => void;
  readonly takeAs: (kind: LookUpKind) => void;
  readonly find: () => void;
  readonly findAgain: () => void;
  /** Puts a customer in front: as the service has just shown them, or to be looked up. */
  readonly bring: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  /** @returns whether it may be a customer's */
  readonly takeScan: (code: string) => boolean;
  readonly chooseCard: (cardId: string) => void;
  /** The card before or after the chosen one; at the end it stays. */
  readonly chooseBeside: (step: 1 | -1) => void;
  /** Whom something is done for; null when nobody stands in front. */
  readonly inFront: () => EntryFor | null;
  readonly takeBalances: (operation: OperationView) => void;
  /** What a redemption leaves of a card's operations only the service knows: a coupon has none any more. */
  readonly lookAgain: () => Promise<void>;
  readonly clear: () => void;
}

interface FindingParts {
  readonly api: TillApi;
  readonly till: ReadonlySignal<TillState | null>;
  /** Whether something of the customer's last sale is shown. */
  readonly hasNews: () => boolean;
  /** Who was in front goes, and the news of their sale with them. @returns what brings those back */
  readonly onLeave: () => () => void;
  /** Another card of the same customer is chosen. */
  readonly onOtherCard: () => void;
  /** Nothing is left to choose: this is all that the customer's cards can earn. */
  readonly onOnlyEarn: (operation: EarnOperation) => void;
}

export function createFinding({ api, till, hasNews, onLeave, onOtherCard, onOnlyEarn }: FindingParts): Finding {
  const query = signal('');
  const takenAs: Signal<LookUpKind | null> = signal(null);
  const strayScan: Signal<string | null> = signal(null);
  const stage: Signal<Stage> = signal({ kind: 'idle' });
  /** Who was in front when somebody began to type: they come back when the box is emptied again. */
  let typedOver: { readonly stage: Stage; readonly bringNewsBack: () => void } | null = null;

  const cardPattern = (): string | null => till.value?.card_pattern ?? null;
  const shape = computed(() =>
    plainText(query.value) === '' ? 'empty' : (takenAs.value ?? shapeOf(query.value, cardPattern())),
  );
  const card = computed(() => {
    const at = stage.value;
    if (at.kind !== 'customer') return null;
    return at.found.profile.cards.find((other) => other.card_id === at.cardId) ?? null;
  });

  /** @returns what brings the news of the sale back */
  const clearCustomer = (): (() => void) => {
    typedOver = null;
    return batch(() => {
      stage.value = { kind: 'idle' };
      strayScan.value = null;
      return onLeave();
    });
  };
  const clear = (): void => {
    clearCustomer();
    query.value = '';
    takenAs.value = null;
  };

  const lookUp = async (wanted: LookUp): Promise<void> => {
    clearCustomer();
    const finding: Stage = { kind: 'finding', lookUp: wanted };
    stage.value = finding;
    const reply = await api.call('customer.find', { identifier: identifierOf(wanted) });
    if (stage.value !== finding) return; // Another customer came meanwhile.
    if (!reply.ok) {
      stage.value = { kind: 'missing', lookUp: wanted, error: reply.error };
      return;
    }
    putInFront(wanted, reply.value);
  };

  const putInFront = (wanted: LookUp, found: FoundCustomer): void => {
    const { cards } = found.profile;
    const only = onlyEarn(cards);
    const chosen = only?.card ?? firstChoice(cards, wanted.kind === 'card' ? wanted.text : null);
    batch(() => {
      stage.value = { kind: 'customer', lookUp: wanted, found, cardId: chosen?.card_id ?? null };
      query.value = '';
      takenAs.value = null;
      if (only !== null) onOnlyEarn(only.operation);
    });
  };

  /**
   * The keys of a scanner come through here before anybody can know that they are one's: a card that is scanned twice
   * leaves its customer where they are.
   */
  const type = (text: string): void => {
    takenAs.value = null;
    query.value = text;
    const before = typedOver;
    if (text === '' && before !== null) {
      clearCustomer();
      stage.value = before.stage;
      before.bringNewsBack();
      return;
    }
    const at = stage.value;
    if (at.kind === 'idle' && strayScan.value === null && !hasNews()) return;
    const bringNewsBack = clearCustomer();
    typedOver = at.kind === 'finding' ? null : { stage: at, bringNewsBack };
  };

  const find = (): void => {
    const kind = shape.value;
    const text = plainText(query.value);
    if (kind === 'empty') return;
    if (kind !== 'unclear') {
      void lookUp({ kind, text });
      return;
    }
    clearCustomer();
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

  const lookAgain = async (): Promise<void> => {
    const before = stage.peek();
    if (before.kind !== 'customer') return;
    const { customer_id } = before.found.profile;
    const reply = await api.call('customer.find', { identifier: { customer_id } });
    const now = stage.value;
    if (!reply.ok || reply.value.source !== 'service') return;
    if (now.kind !== 'customer' || now.found.profile.customer_id !== customer_id) return;
    stage.value = { ...now, found: reply.value };
  };

  // Who was shown from memory is shown as they are, with all that their cards can do, once the line is back.
  const isOnline = computed(() => till.value?.connection.state === 'online');
  effect(() => {
    if (!isOnline.value) return;
    const at = stage.peek();
    if (at.kind === 'customer' && at.found.source === 'kept') void lookAgain();
  });

  return {
    query,
    shape,
    strayScan,
    stage,
    card,
    type,
    find,
    clear,
    chooseCard,
    takeAs(kind) {
      takenAs.value = kind;
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
      clearCustomer();
      putInFront(wanted, { source: 'service', profile });
    },
    takeScan(code) {
      const kind = shapeOf(code, cardPattern());
      if (kind !== 'empty' && kind !== 'unclear') {
        query.value = code;
        takenAs.value = kind;
        void lookUp({ kind, text: code });
        return true;
      }
      clear();
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
    takeBalances(operation) {
      const at = stage.value;
      stage.value = withNewBalances(at, operation);
      if (at.kind !== 'customer' || operation.new_balances === null) return;
      const before = at.found.profile.cards.find((other) => other.card_id === operation.card_id)?.balances;
      // What can be done with it now only the service knows.
      if (before !== undefined && isNewlyFilled(before, operation.new_balances)) void lookAgain();
    },
    lookAgain,
  };
}

/** The customer in front, with what the service says the card holds now. */
function withNewBalances(at: Stage, operation: OperationView): Stage {
  const balances = operation.new_balances;
  if (at.kind !== 'customer' || balances === null) return at;
  const cards = at.found.profile.cards.map((other) =>
    other.card_id === operation.card_id ? { ...other, balances } : other,
  );
  return { ...at, found: { ...at.found, profile: { ...at.found.profile, cards } } };
}
