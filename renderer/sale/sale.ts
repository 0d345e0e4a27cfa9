import { batch, computed, type Signal, signal } from '@preact/signals';
import type { CardOperation } from '../../shared/contract/card-names.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { EarnInput, TillInput, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { createFinding } from '../find/finding.ts';
import { identifierOf, plainText } from '../find/shape.ts';
import { cardAsTold } from '../find/stage.ts';
import { createAgain } from './again.ts';
import * as flow from './entry-flow.ts';
import { takeHandedOver } from './handed-over.ts';
import { createKeysAside } from './keys-aside.ts';
import { type EarnOperation, earnsOf } from './operations.ts';
import { createPassedSale, type NotTakenReason } from './passed.ts';
import { readyQuestionSoon } from './question-ready.ts';
import type { Sale, SaleParts } from './sale-parts.ts';
import { createShownOutcome, type Sold } from './shown-outcome.ts';
import { createTypedAmount } from './typed-amount.ts';

/** How long a redemption's entry waits before the screen says that the outcome is being found out. */
const spendPatienceMs = 1_500;

export function createSale({
  api,
  clock,
  newId,
  sounds,
  till,
  isElsewhere,
  holds,
  onSaved,
  earlierSpends,
  newest,
}: SaleParts): Sale {
  const entry: Signal<flow.Entry | null> = signal(null);
  /** What was typed last and left: the same operation opens with it again. */
  let left: flow.Entry | null = null;
  /** Takes the entry off the stage. What was typed is kept for whoever comes back to it. */
  const putEntryAway = (): void => {
    const now = entry.value;
    if (now !== null && !flow.isBlank(now)) left = now;
    entry.value = null;
  };
  const waitingScan: Signal<string | null> = signal(null);
  const keepsScan = signal(false);

  const finding = createFinding({
    api,
    till,
    onLeave() {
      putEntryAway();
      passedSale.forget();
      return shown.putAway();
    },
    onOtherCard: () => void shown.putAway(),
    onOnlyEarn: (operation) => open(operation),
    onArrived() {
      sayNotTaken(typedAmount.arrived(), 'cannot_earn');
      if (entry.value === null && !keepsScan.value) takeWaitingScan();
    },
    onMissing() {
      const wasEntered = typedAmount.missed();
      lostBy = 'nobody';
      takeWaitingScan();
      return wasEntered;
    },
    onEmptied() {
      sayNotTaken(typedAmount.forget(), lostBy);
      lostBy = 'left';
    },
  });
  const passedSale = createPassedSale();
  /** Why what was entered is lost, should the find box be emptied now. */
  let lostBy: NotTakenReason = 'left';
  const sayNotTaken = (text: string | null, reason: NotTakenReason): void => {
    if (text === null) return;
    sounds.failure();
    passedSale.tell({ kind: 'not_taken', text, reason });
  };
  const { stage } = finding;
  const shown = createShownOutcome({ clock, sounds, newest, leave: finding.leave, onSpent: () => takeWaitingScan() });
  const { outcome } = shown;
  const firstEarn = (): EarnOperation | null => {
    const card = finding.card.value;
    return card === null || outcome.value !== null ? null : (earnsOf(card)[0] ?? null);
  };
  const typedAmount = createTypedAmount({
    clock,
    isAwaited: () => stage.value.kind === 'finding',
    canBegin() {
      const earn = firstEarn();
      const now = entry.value;
      // What stands in an entry is never overwritten from the find box.
      return !isElsewhere() && earn !== null && (now === null || (flow.workOf(now) === earn && flow.isBlank(now)));
    },
    isOpen: () => entry.value !== null,
    onAmount({ text, isConfirmed }) {
      const earn = firstEarn();
      if (earn === null) return;
      batch(() => {
        finding.type('');
        // A card that was scanned after Enter waits on, behind this sale.
        const waiting = waitingScan.value;
        if (entry.value === null) open(earn);
        waitingScan.value = waiting;
        change((now) => flow.typeAmount(now, text));
        if (isConfirmed) confirm();
      });
    },
  });

  const scan = (code: string): void => {
    const at = stage.value;
    // The trigger was pulled once more: whose sale it is stands there.
    const isSame = entry.value !== null && at.kind === 'customer' && at.lookUp.text === code;
    const isAwaited = at.kind === 'finding' && at.lookUp.text === code;
    if (isSame || isAwaited) return;
    const open = entry.value;
    const withPin = open === null ? null : keysAside.takeBurst(open, code);
    if (withPin !== null) {
      entry.value = withPin;
      return;
    }
    if (open?.isReceiptOpen === true && !open.busy) {
      entry.value = flow.typeReceipt(open, code);
      return;
    }
    if ((open !== null && !flow.isBlank(open)) || isElsewhere() || typedAmount.isEntered()) {
      waitingScan.value = code;
      return;
    }
    entry.value = null;
    if (!finding.takeScan(code)) sounds.failure();
  };

  const openFor = (operation: CardOperation, entryFor: flow.EntryFor): void =>
    put(flow.openEntry(newId(), operation, entryFor, till.value?.currency ?? 'KWD'));
  const put = (opened: flow.Entry): void => {
    const before = entry.value;
    batch(() => {
      shown.putAway();
      if (before !== null) {
        entry.value = flow.switchTo(opened, before);
        return;
      }
      if (!keepsScan.value) waitingScan.value = null;
      entry.value = left !== null && flow.isSameWork(left, opened) ? flow.reopen(opened, left) : opened;
    });
  };

  const open = (operation: CardOperation): void => {
    const entryFor = finding.inFront();
    const now = entry.value;
    if (entryFor === null || now?.busy === true || (now !== null && flow.workOf(now) === operation)) return;
    openFor(operation, entryFor);
  };

  const openByCardNumber = (operation: EarnOperation): void => {
    const at = stage.value;
    if (at.kind !== 'missing' || at.lookUp.kind !== 'card' || entry.value !== null) return;
    const identifier = identifierOf(at.lookUp);
    openFor(operation, { identifier, customerName: null, card: null, hint: at.lookUp.text });
  };

  const keysAside = createKeysAside(() => till.value?.card_pattern ?? null);
  /** The entry before keys that may prove to be a scan's. */
  let beforeKeys: flow.Entry | null = null;
  const change = (edit: (now: flow.Entry) => flow.Entry): void => {
    const now = entry.value;
    if (now === null || now.busy) return;
    entry.value = edit(now);
  };

  const confirm = (): void => {
    const now = entry.value;
    const state = till.value;
    if (now === null || state === null) return;
    // Where a manager can let it pass, the agent says so.
    const limits = state.has_managers ? { ...state.limits, max_amount_minor: Number.MAX_SAFE_INTEGER } : state.limits;
    const confirmed = flow.confirm(now, limits, earlierSpends());
    if (confirmed.kind !== 'stay') keysAside.asked();
    entry.value = confirmed.entry;
    switch (confirmed.kind) {
      case 'earn':
        void save(confirmed.entry, confirmed.input);
        break;
      case 'spend':
        void spend(confirmed.entry, confirmed.input);
        break;
      case 'hold':
        void carryOut(confirmed.entry, holds.reserve(confirmed.input));
        break;
      case 'paid':
        void carryOut(confirmed.entry, holds.commit(confirmed.input));
        break;
      case 'renumber':
        void carryOut(confirmed.entry, api.call('attention.replace', confirmed.input));
        break;
      case 'stay':
        readyQuestionSoon(entry, clock);
        break;
      default:
        assertNever(confirmed);
    }
  };

  const save = async (sent: flow.Entry, input: EarnInput): Promise<void> => {
    const cardBefore = finding.isOverdue() ? null : cardAsTold(stage.value, sent.entryFor.card);
    const reply = await api.call('operation.earn', input);
    if (entry.value?.operationId !== sent.operationId) return;
    if (!reply.ok) {
      if (reply.error.code !== 'looks_like_a_repeat') sounds.failure();
      takeAnswer(flow.takeRefusal(entry.value, flow.earnValueOf(input), reply.error));
      readyQuestionSoon(entry, clock);
      return;
    }
    sounds.success();
    show({ operation: onSaved(reply.value.operation), from: sent, cardBefore, duplicate: reply.value.duplicate });
    shown.clearSoon();
    takeWaitingScan();
  };

  /** The entry goes on, with what was typed while the agent was asked. */
  const takeAnswer = (answered: flow.Entry): void => {
    const { entry: withKeys, atBegin, taken } = keysAside.answered(answered);
    beforeKeys = atBegin;
    batch(() => {
      entry.value = withKeys;
      if (taken !== null && waitingScan.value === taken) waitingScan.value = null;
    });
  };

  /** In the entry's place: what became of it. */
  const show = ({
    from,
    ...sold
  }: Pick<Sold, 'operation' | 'cardBefore' | 'duplicate'> & { readonly from: flow.Entry }): void => {
    batch(() => {
      entry.value = null;
      left = null;
      passedSale.forget();
      shown.show({ ...sold, card: from.entryFor.card, takenBy: from.operation });
    });
  };

  /**
   * A redemption is answered when its outcome is known. Until then the entry waits a moment, and then the outcome says
   * that it is being found out.
   */
  const spend = async (sent: flow.Entry, input: TillInput<'operation.redeem'>): Promise<void> => {
    const isOpen = (): boolean => entry.value?.operationId === sent.operationId;
    const cancelPatience = clock.setTimer(() => {
      const saved = newest(sent.operationId);
      if (isOpen() && saved !== null) show({ operation: saved, from: sent, cardBefore: null, duplicate: false });
    }, spendPatienceMs);
    const reply = await api.call('operation.redeem', input);
    cancelPatience();
    if (!reply.ok) {
      if (entry.value !== null && isOpen()) {
        sounds.failure();
        takeAnswer(flow.afterSpendRefusal(entry.value, reply.error, newId()));
        return;
      }
      // The page has lost the answer, and the operation goes on: its own news tell how.
      if (reply.error.code !== 'agent_gone') shown.fail(sent.operationId, reply.error);
      return;
    }
    const wasOpen = isOpen();
    const operation = onSaved(reply.value.operation);
    if (!wasOpen) return;
    show({ operation, from: sent, cardBefore: null, duplicate: reply.value.duplicate });
    if (operation.state === 'applied') shown.spent();
  };

  /** What an entry is there for beside earning, spending and giving now. */
  const carryOut = async (
    sent: flow.Entry,
    asking: Promise<TillReply<{ readonly operation: OperationView }>>,
  ): Promise<void> => {
    const reply = await asking;
    const now = entry.value;
    if (now?.operationId !== sent.operationId) return;
    if (!reply.ok) {
      sounds.failure();
      takeAnswer(flow.afterSpendRefusal(now, reply.error, newId()));
      return;
    }
    sounds.success();
    const operation = onSaved(reply.value.operation);
    // A paid order may be anybody's: whoever stands in front stays there.
    if (sent.aim?.kind === 'paid') {
      entry.value = null;
      again.showEarlier(operation);
    } else {
      show({ operation, from: sent, cardBefore: null, duplicate: false });
      shown.clearSoon();
    }
    takeWaitingScan();
  };

  takeHandedOver({
    ...finding,
    till,
    entry,
    isOutcomeShown: () => outcome.value !== null,
    isElsewhere,
    open: (operation) => open(operation),
  });

  const takeWaitingScan = (): void => {
    const code = waitingScan.value;
    waitingScan.value = null;
    keepsScan.value = false;
    if (code === null) return;
    const done = outcome.value;
    scan(code);
    if (done !== null && outcome.value === null) passedSale.tell({ kind: 'done', operation: done.operation });
  };

  const again = createAgain({ entry, finding, shown, open, putEntryAway });

  const cancel = (): void => {
    if (entry.value === null || entry.value.busy) return;
    putEntryAway();
    takeWaitingScan();
  };

  return {
    ...finding,
    shape: computed(() => (typedAmount.isBeginning.value ? 'empty' : finding.shape.value)),
    type(text, byDigitKey) {
      finding.type(text);
      typedAmount.typed(text, byDigitKey);
    },
    find() {
      const now = entry.value;
      // Who is looked for waits, as a scanned card does.
      if (now !== null && !flow.isBlank(now)) {
        const wanted = plainText(finding.query.value);
        if (wanted !== '') waitingScan.value = wanted;
        finding.type('');
        return;
      }
      switch (typedAmount.enter()) {
        case 'amount':
          return;
        case 'nobody':
          sounds.failure();
          finding.nameMissing();
          return;
        case 'other':
          finding.find();
      }
    },
    clear() {
      if (entry.value?.busy === true) return;
      finding.clear();
      // Whoever asks for the next customer is done with this one.
      left = null;
      takeWaitingScan();
    },
    goBack() {
      if (finding.query.value !== '') finding.goBack();
      else if (entry.value !== null) cancel();
      else if (!again.closeEarlier()) finding.goBack();
    },
    entry,
    waitingScan,
    keepsScan,
    bringBeside(lookUp) {
      if (entry.value?.busy === true) return;
      keepsScan.value = waitingScan.value !== null;
      finding.bring(lookUp, null);
    },
    passed: passedSale.passed,
    outcome,
    scan,
    open,
    present(opened) {
      const now = entry.value;
      if (now?.busy === true || (now !== null && flow.workOf(now) === flow.workOf(opened))) return;
      if (flow.isFixed(opened)) putEntryAway();
      put(opened);
    },
    edit: change,
    openByCardNumber,
    confirm,
    cancel,
    typeAmount: (text) => change((now) => flow.typeAmount(now, text)),
    press: (key) => change((now) => flow.pressKeypad(now, key)),
    erase: () => change((now) => (now.pin === null ? flow.typeAmount(now, '') : flow.typePin(now, ''))),
    turnToReceipt: (isOpen) => change((now) => flow.turnToReceipt(now, isOpen)),
    typeReceipt: (text) => change((now) => flow.typeReceipt(now, text)),
    typePin: (pin) => change((now) => flow.typePin(now, pin)),
    backToAmount: () => change(flow.backToAmount),
    keyAside(digit) {
      if (entry.value !== null) entry.value = keysAside.take(entry.value, digit);
    },
    change: () => change(flow.change),
    switchToWaitingScan: cancel,
    takeWaitingScan,
    keysBegin() {
      beforeKeys = entry.value;
      keysAside.keysBegin();
    },
    keysWereScan() {
      keysAside.keysWereScan();
      const now = entry.value;
      if (now === null || now.busy || beforeKeys?.busy === true) return;
      // An entry that opened under the keys has none of its own yet.
      const before = beforeKeys?.entryId === now.entryId ? beforeKeys : flow.asOpened(now);
      entry.value = { ...before, question: now.question };
    },
    typeCode: (code) => change((now) => flow.typeCode(now, code)),
    chooseReward: (rewardId) => change((now) => flow.chooseReward(now, rewardId)),
    ...again,
    takeOperation(operation, known) {
      finding.heard(operation, known);
      shown.takeNews(operation);
      passedSale.takeNews(operation);
    },
  };
}
