import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { EarnInput, TillApi, TillError, TillInput } from '../../shared/till/api.ts';
import type { FoundCustomer, OperationView, TillState } from '../../shared/till/views.ts';
import { identifierOf, type LookUp, type LookUpKind, plainText, type Shape, shapeOf } from '../find/shape.ts';
import { maskedEmail, maskedPhone } from '../format.ts';
import type { EarnValue, KeypadKey } from '../sale/entry.ts';
import * as flow from '../sale/entry-flow.ts';
import { firstChoice, onlyEarn } from '../sale/operations.ts';
import { stateLooks } from '../sale/outcome.ts';
import type { Sounds } from '../sound.ts';

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

/** What became of the sale that was just taken. */
export interface Outcome {
  readonly operation: OperationView;
  readonly card: CardEntry | null;
  readonly duplicate: boolean;
  /** How long the screen waits before it clears itself; null once the cashier asked it to stay. */
  readonly clearsAfterMs: number | null;
  /** Changes whenever the wait starts anew. */
  readonly round: number;
  /** Why what was asked since did not happen. */
  readonly failure: TillError | null;
}

/** The screen clears for the next customer so long after the last news of a sale. */
export const clearAfterMs = 6_000;
/** How long a redemption's dialog waits before the screen says that the outcome is being found out. */
const spendPatienceMs = 1_500;
/** A question does not take an answer before it could have been read. */
const questionReadyMs = 400;

export interface Sale {
  readonly query: ReadonlySignal<string>;
  readonly shape: ReadonlySignal<Shape>;
  /** A scanned code that is no card of ours. */
  readonly strayScan: ReadonlySignal<string | null>;
  readonly stage: ReadonlySignal<Stage>;
  readonly card: ReadonlySignal<CardEntry | null>;
  readonly entry: ReadonlySignal<flow.Entry | null>;
  /** A card scanned while a dialog was open. */
  readonly waitingScan: ReadonlySignal<string | null>;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly type: (text: string) => void;
  readonly takeAs: (kind: LookUpKind) => void;
  readonly find: () => void;
  /** Puts a customer in front: as the service has just shown them, or to be looked up. */
  readonly bring: (lookUp: LookUp, profile: CustomerProfile | null) => void;
  readonly findAgain: () => void;
  readonly scan: (code: string) => void;
  readonly chooseCard: (cardId: string) => void;
  /** The card before or after the chosen one; at the end it stays. */
  readonly chooseBeside: (step: 1 | -1) => void;
  readonly open: (operation: CardOperation) => void;
  /** Holds for an order what the chosen card allows. */
  readonly openHold: () => void;
  /** Earns by the card's number alone, when there is no profile. */
  readonly openByCardNumber: () => void;
  readonly typeAmount: (text: string) => void;
  readonly press: (key: KeypadKey) => void;
  readonly typeReceipt: (text: string) => void;
  readonly typeCode: (code: string) => void;
  readonly chooseReward: (rewardId: string) => void;
  readonly confirm: () => void;
  readonly change: () => void;
  readonly cancel: () => void;
  readonly switchToWaitingScan: () => void;
  /** Another dialog has closed: a card that was scanned meanwhile comes now. */
  readonly takeWaitingScan: () => void;
  readonly keepOutcome: () => void;
  readonly clear: () => void;
  readonly takeOperation: (operation: OperationView) => void;
}

interface SaleParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly till: ReadonlySignal<TillState | null>;
  /** Another dialog than an operation's is open: a scan waits for its end. */
  readonly isElsewhere: () => boolean;
  /** Something of the customer in front is to be held. */
  readonly onHold: (holdFor: flow.EntryFor) => void;
  /** Told of each operation that was saved here; gives back the newest view of it, which an event may have brought. */
  readonly onSaved: (operation: OperationView) => OperationView;
  /** Redemptions of the last minutes, of this till, that stand or may stand. */
  readonly earlierSpends: () => readonly OperationView[];
  /** The newest view of an operation that the agent has told of; null when it did not yet. */
  readonly newest: (operationId: string) => OperationView | null;
}

export function createSale({
  api,
  clock,
  newId,
  sounds,
  till,
  isElsewhere,
  onHold,
  onSaved,
  earlierSpends,
  newest,
}: SaleParts): Sale {
  const query = signal('');
  const takenAs: Signal<LookUpKind | null> = signal(null);
  const strayScan: Signal<string | null> = signal(null);
  const stage: Signal<Stage> = signal({ kind: 'idle' });
  const entry: Signal<flow.Entry | null> = signal(null);
  const waitingScan: Signal<string | null> = signal(null);
  const outcome: Signal<Outcome | null> = signal(null);
  let cancelClearing: CancelTimer = () => undefined;
  /** Who was in front when somebody began to type: they come back when the box is emptied again. */
  let typedOver: { readonly stage: Stage; readonly outcome: Outcome | null } | null = null;

  const cardPattern = (): string | null => till.value?.card_pattern ?? null;
  const shape = computed(() =>
    plainText(query.value) === '' ? 'empty' : (takenAs.value ?? shapeOf(query.value, cardPattern())),
  );
  const card = computed(() => {
    const at = stage.value;
    if (at.kind !== 'customer') return null;
    return at.found.profile.cards.find((other) => other.card_id === at.cardId) ?? null;
  });

  const clearCustomer = (): void => {
    cancelClearing();
    typedOver = null;
    batch(() => {
      stage.value = { kind: 'idle' };
      outcome.value = null;
      strayScan.value = null;
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
      if (only !== null) open(only.operation);
    });
  };

  /** What a redemption leaves of a card's operations only the service knows: a coupon has none any more. */
  const lookAgain = async (): Promise<void> => {
    const before = stage.value;
    if (before.kind !== 'customer') return;
    const { customer_id } = before.found.profile;
    const reply = await api.call('customer.find', { identifier: { customer_id } });
    const now = stage.value;
    if (!reply.ok || reply.value.source !== 'service') return;
    if (now.kind !== 'customer' || now.found.profile.customer_id !== customer_id) return;
    stage.value = { ...now, found: reply.value };
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
      if (before.outcome === null) return;
      const { operation } = before.outcome;
      outcome.value = { ...before.outcome, operation: newest(operation.operation_id) ?? operation };
      if (before.outcome.clearsAfterMs !== null) clearSoon();
      return;
    }
    if (stage.value.kind === 'idle' && outcome.value === null && strayScan.value === null) return;
    const inFront = stage.value.kind === 'finding' ? null : { stage: stage.value, outcome: outcome.value };
    clearCustomer();
    typedOver = inFront;
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

  const scan = (code: string): void => {
    if (entry.value !== null || isElsewhere()) {
      waitingScan.value = code;
      return;
    }
    const kind = shapeOf(code, cardPattern());
    if (kind !== 'empty' && kind !== 'unclear') {
      query.value = code;
      takenAs.value = kind;
      void lookUp({ kind, text: code });
      return;
    }
    clear();
    strayScan.value = code;
    sounds.failure();
  };

  const openFor = (operation: CardOperation, entryFor: flow.EntryFor): void => {
    cancelClearing();
    batch(() => {
      outcome.value = null;
      waitingScan.value = null;
      entry.value = flow.openEntry(newId(), operation, entryFor, till.value?.currency ?? 'KWD');
    });
  };

  const inFront = (): flow.EntryFor | null => {
    const at = stage.value;
    if (at.kind !== 'customer' || entry.value !== null) return null;
    const { customer_id, name, phone, email } = at.found.profile;
    const hint = phone !== null ? maskedPhone(phone) : email !== null ? maskedEmail(email) : null;
    return { identifier: { customer_id }, customerName: name, card: card.value, hint };
  };
  const open = (operation: CardOperation): void => {
    const entryFor = inFront();
    if (entryFor !== null) openFor(operation, entryFor);
  };
  const openHold = (): void => {
    const holdFor = inFront();
    if (holdFor === null) return;
    cancelClearing();
    batch(() => {
      outcome.value = null;
      waitingScan.value = null;
      onHold(holdFor);
    });
  };

  const chooseCard = (cardId: string): void => {
    const at = stage.value;
    if (at.kind !== 'customer') return;
    cancelClearing();
    batch(() => {
      stage.value = { ...at, cardId };
      outcome.value = null;
    });
  };

  const openByCardNumber = (): void => {
    const at = stage.value;
    if (at.kind !== 'missing' || at.lookUp.kind !== 'card' || entry.value !== null) return;
    const identifier = identifierOf(at.lookUp);
    openFor('earn_amount', { identifier, customerName: null, card: null, hint: at.lookUp.text });
  };

  const change = (edit: (now: flow.Entry) => flow.Entry): void => {
    const now = entry.value;
    if (now !== null && !now.busy) entry.value = edit(now);
  };

  const confirm = (): void => {
    const now = entry.value;
    const limits = till.value?.limits;
    if (now === null || limits === undefined) return;
    const confirmed = flow.confirm(now, limits, earlierSpends());
    entry.value = confirmed.entry;
    switch (confirmed.kind) {
      case 'earn':
        void save(confirmed.entry, confirmed.input);
        break;
      case 'spend':
        void spend(confirmed.entry, confirmed.input);
        break;
      case 'stay':
        readyQuestionSoon();
        break;
      default:
        assertNever(confirmed);
    }
  };

  const save = async (sent: flow.Entry, input: EarnInput): Promise<void> => {
    const reply = await api.call('operation.earn', input);
    if (entry.value?.operationId !== sent.operationId) return;
    if (!reply.ok) {
      if (reply.error.code !== 'looks_like_a_repeat') sounds.failure();
      entry.value = flow.takeRefusal(entry.value, earnValueOf(input), reply.error);
      readyQuestionSoon();
      return;
    }
    sounds.success();
    show(onSaved(reply.value.operation), sent, reply.value.duplicate);
    clearSoon();
    takeWaitingScan();
  };

  /** In the dialog's place: what became of it. */
  const show = (operation: OperationView, from: flow.Entry, duplicate: boolean): void => {
    batch(() => {
      entry.value = null;
      outcome.value = {
        operation,
        card: from.entryFor.card,
        duplicate,
        clearsAfterMs: null,
        round: 0,
        failure: null,
      };
    });
  };

  /**
   * A redemption is answered when its outcome is known. Until then the dialog waits a moment, and then the outcome says
   * that it is being found out.
   */
  const spend = async (sent: flow.Entry, input: TillInput<'operation.redeem'>): Promise<void> => {
    const isOpen = (): boolean => entry.value?.operationId === sent.operationId;
    const cancelPatience = clock.setTimer(() => {
      const saved = newest(sent.operationId);
      if (isOpen() && saved !== null) show(saved, sent, false);
    }, spendPatienceMs);
    const reply = await api.call('operation.redeem', input);
    cancelPatience();
    if (!reply.ok) {
      if (entry.value !== null && isOpen()) {
        sounds.failure();
        entry.value = flow.afterSpendRefusal(entry.value, reply.error, newId());
        return;
      }
      const now = outcome.value;
      // The page has lost the answer, and the operation goes on: its own news tell how.
      if (now?.operation.operation_id !== sent.operationId || reply.error.code === 'agent_gone') return;
      outcome.value = { ...now, failure: reply.error };
      return;
    }
    const wasOpen = isOpen();
    const operation = onSaved(reply.value.operation);
    if (!wasOpen) return;
    show(operation, sent, reply.value.duplicate);
    if (operation.state === 'applied') afterSpend(operation);
  };

  const afterSpend = (operation: OperationView): void => {
    sounds.success();
    stage.value = withNewBalances(stage.value, operation);
    void lookAgain();
    clearSoon();
    takeWaitingScan();
  };

  const readyQuestionSoon = (): void => {
    const asked = entry.value;
    if (asked === null || asked.question === null || asked.question.ready) return;
    clock.setTimer(() => {
      const now = entry.value;
      if (now?.question !== asked.question || now.question === null) return;
      entry.value = { ...now, question: { ...now.question, ready: true } };
    }, questionReadyMs);
  };

  const clearSoon = (): void => {
    const now = outcome.value;
    if (now === null) return;
    cancelClearing();
    const { state } = now.operation;
    // A refusal has to be read and acted upon: it stays until somebody moves on.
    const stays = state === 'refused' || state === 'failed';
    outcome.value = { ...now, clearsAfterMs: stays ? null : clearAfterMs, round: now.round + 1 };
    if (!stays) cancelClearing = clock.setTimer(clear, clearAfterMs);
  };

  const takeWaitingScan = (): void => {
    const code = waitingScan.value;
    waitingScan.value = null;
    if (code !== null) scan(code);
  };

  const cancel = (): void => {
    if (entry.value === null || entry.value.busy) return;
    entry.value = null;
    takeWaitingScan();
  };

  return {
    query,
    shape,
    strayScan,
    stage,
    card,
    entry,
    waitingScan,
    outcome,
    find,
    bring(wanted, profile) {
      if (profile === null) {
        void lookUp(wanted);
        return;
      }
      clearCustomer();
      putInFront(wanted, { source: 'service', profile });
    },
    scan,
    open,
    openHold,
    openByCardNumber,
    confirm,
    cancel,
    clear,
    type,
    takeAs(kind) {
      takenAs.value = kind;
    },
    findAgain() {
      const at = stage.value;
      if (at.kind === 'missing') void lookUp(at.lookUp);
    },
    chooseCard,
    chooseBeside(step) {
      const at = stage.value;
      if (at.kind !== 'customer') return;
      const { cards } = at.found.profile;
      const beside = cards[cards.findIndex(({ card_id }) => card_id === at.cardId) + step];
      if (beside !== undefined) chooseCard(beside.card_id);
    },
    typeAmount: (text) => change((now) => flow.typeAmount(now, text)),
    press: (key) => change((now) => flow.pressKeypad(now, key)),
    typeReceipt: (text) => change((now) => flow.typeReceipt(now, text)),
    change: () => change(flow.change),
    switchToWaitingScan: cancel,
    takeWaitingScan,
    typeCode: (code) => change((now) => flow.typeCode(now, code)),
    chooseReward: (rewardId) => change((now) => flow.chooseReward(now, rewardId)),
    keepOutcome() {
      cancelClearing();
      if (outcome.value !== null) outcome.value = { ...outcome.value, clearsAfterMs: null };
    },
    takeOperation(operation) {
      const now = outcome.value;
      if (now === null || now.operation.operation_id !== operation.operation_id) return;
      if (operation.updated_at < now.operation.updated_at) return;
      const before = now.operation.state;
      const { state } = operation;
      outcome.value = { ...now, operation };
      if (before === state) return;
      if (operation.intent === 'redeem') {
        if (!isOpenState(before)) return;
        if (state === 'applied') afterSpend(operation);
        else if (!isOpenState(state)) sounds.failure();
        return;
      }
      if (state === 'refused' || state === 'failed') sounds.failure();
      if (state === 'applied') stage.value = withNewBalances(stage.value, operation);
      if (now.clearsAfterMs !== null && stateLooks[state].settled) clearSoon();
    },
  };
}

function isOpenState(state: OperationView['state']): boolean {
  return state === 'queued' || state === 'sending' || state === 'unknown';
}

function earnValueOf(input: EarnInput): EarnValue {
  if (input.points !== undefined) return { points: input.points };
  if (input.stamps !== undefined) return { stamps: input.stamps };
  if (input.visits !== undefined) return { visits: input.visits };
  return { amount_minor: input.amount_minor ?? 0, currency: input.currency ?? '' };
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
