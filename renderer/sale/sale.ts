import { batch, computed, type Signal, signal } from '@preact/signals';
import type { CardOperation } from '../../shared/contract/card-names.ts';
import { createFinding } from '../find/finding.ts';
import { identifierOf, plainText } from '../find/shape.ts';
import { type EarnOperation, earnsOf } from '../operation/operations.ts';
import { createAgain } from './again.ts';
import * as flow from './entry/entry-flow.ts';
import { createKeysAside } from './entry/keys-aside.ts';
import { createTypedAmount } from './entry/typed-amount.ts';
import { takeHandedOver } from './handed-over.ts';
import { createPassedSale, type NotTakenReason } from './outcome/passed.ts';
import { createShownOutcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';
import { createSending } from './send-entry.ts';

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
    send(confirmed);
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
  const send = createSending({
    api,
    clock,
    newId,
    sounds,
    holds,
    onSaved,
    newest,
    entry,
    finding,
    shown,
    takeWaitingScan,
    goOn: takeAnswer,
    showEarlier: again.showEarlier,
    onDone() {
      left = null;
      passedSale.forget();
    },
  });

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
      const isFixed = flow.isFixed(opened);
      const isSame = isFixed
        ? now?.entryId === opened.entryId
        : now !== null && flow.workOf(now) === flow.workOf(opened);
      if (now?.busy === true || isSame) return;
      if (isFixed) putEntryAway();
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
