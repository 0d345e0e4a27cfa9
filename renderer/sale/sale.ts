import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import { plainText } from '../../shared/lib/digits.ts';
import { createFinding } from '../find/finding.ts';
import { noLimits } from '../operation/entry.ts';
import { type EarnOperation, earnsOf } from '../operation/operations.ts';
import { isEndAwaited } from '../operation/standing.ts';
import { createAgain } from './again.ts';
import { createAnswerRead } from './entry/answer-read.ts';
import { createEditing } from './entry/editing.ts';
import * as flow from './entry/entry-flow.ts';
import { forNextPress } from './entry/entry-refusal.ts';
import { createOpening } from './entry/opening.ts';
import { createTypedAmount } from './entry/typed-amount.ts';
import { takeHandedOver } from './handed-over.ts';
import { createKeysWhileAsked } from './keys-while-asked.ts';
import { createPassedSale, type NotTakenReason } from './outcome/passed.ts';
import { createShownOutcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';
import { createSaleScans, createWaitingScan } from './sale-scans.ts';
import { createSending } from './send-entry.ts';

/**
 * Makes the model of the sale screen: who a sale is for, what is entered, what became of it. Each part has a file of
 * its own.
 */
export function createSale(parts: SaleParts): Sale {
  const { clock, presses, sounds, till, isElsewhere, isHidden, newest } = parts;
  const entry: Signal<flow.Entry | null> = signal(null);
  const waiting = createWaitingScan();
  const { waitingScan, keepsScan } = waiting;

  const finding = createFinding({
    api: parts.api,
    till,
    onLeave(isAnybody) {
      opening.putEntryAway();
      // A sale that is told of while nobody is in front is told of beside the next customer, too.
      if (isAnybody || passedSale.passed.value?.kind !== 'done') passedSale.forget();
      else passedSale.forgetOver();
      const bringNewsBack = shown.putAway();
      if (bringNewsBack === null) return null;
      return () => {
        passedSale.forget();
        bringNewsBack();
      };
    },
    onAsked() {
      // Whoever is asked for last is meant, and not a card that was scanned before.
      waitingScan.value = null;
      keepsScan.value = false;
    },
    onOtherCard(isFirst) {
      shown.putAway();
      if (isFirst) typedAmount.arrived();
    },
    onOnlyEarn(operation) {
      // What was opened while they were looked up, such as a paid order, keeps its keys.
      if (entry.value === null && outcome.value === null && !isOtherTyped()) opening.open(operation);
    },
    onArrived() {
      sayNotTaken(typedAmount.arrived(), 'cannot_earn');
      if (entry.value === null && !keepsScan.value) scans.takeWaitingScan();
    },
    onMissing() {
      const wasEntered = typedAmount.missed();
      lostBy = 'nobody';
      scans.takeWaitingScan();
      return wasEntered;
    },
    onEmptied() {
      sayNotTaken(typedAmount.forget(), lostBy);
      lostBy = 'left';
    },
  });
  const shown = createShownOutcome({
    clock,
    presses,
    sounds,
    newest,
    isHidden,
    leave: finding.leave,
    onAway({ operation, isEarlier }, isUnread) {
      if (!isEndAwaited(operation) && !isUnread) passedSale.wasRead(operation);
      // Nobody knows or has read yet what became of it, so nobody may forget it or repeat it.
      else if (!isEarlier) passedSale.tell({ kind: 'done', operation });
    },
    onSpent() {
      // Whoever's number is being typed is meant: its next digits would be an amount for the card's customer.
      if (finding.query.value === '') scans.takeWaitingScan();
    },
  });
  const { outcome } = shown;
  const passedSale = createPassedSale({
    ...parts,
    shown: () => outcome.value?.operation ?? null,
    isCovered: () => isHidden() || waitingScan.value !== null || outcome.value?.isEarlier === false,
  });

  /** The reason to give when an entered amount is lost because the find box is emptied. */
  let lostBy: NotTakenReason = 'left';
  const sayNotTaken = (text: string | null, reason: NotTakenReason): void => {
    if (text === null) return;
    sounds.failure();
    // It stays in the find box until the card is chosen.
    if (isCardAwaited()) return;
    passedSale.tell({ kind: 'not_taken', text, reason });
  };

  const putOutcomeAway = (): void => void shown.putAway();
  const opening = createOpening({ ...parts, entry, finding, putOutcomeAway });
  const { takePin, stayed, asked, takeAnswer, takesDigits, ...editing } = createEditing({
    ...opening,
    entry,
    till,
    waitingScan,
  });

  const isCardAwaited = (): boolean =>
    finding.card.value === null && finding.cards.value.some((card) => earnsOf(card).length > 0);
  const firstEarn = (): EarnOperation | null => {
    const card = finding.card.value;
    return card === null || outcome.value !== null ? null : (earnsOf(card)[0] ?? null);
  };
  const typedAmount = createTypedAmount({
    clock,
    presses,
    isAwaited: () => finding.stage.value.kind === 'finding',
    isCardAwaited,
    canBegin() {
      const earn = firstEarn();
      const now = entry.value;
      // The find box never overwrites what was typed into an entry.
      return !isElsewhere() && earn !== null && (now === null || (flow.workOf(now) === earn && flow.isBlank(now)));
    },
    isOpen: () => entry.value !== null,
    onAmount({ text, isConfirmed }) {
      const earn = firstEarn();
      if (earn === null) return;
      batch(() => {
        finding.type('');
        const isOpen = entry.value !== null;
        if (!isOpen) opening.open(earn);
        takesDigits({ haveOpenedIt: !isOpen });
        editing.typeAmount(text);
        if (isConfirmed) confirm();
      });
    },
  });

  /**
   * Whether the number of somebody else is being typed. An entry that opened by itself would take its last digits for an
   * amount of the customer in front.
   */
  const isOtherTyped = (): boolean => finding.shape.value !== 'empty' && !typedAmount.isBeginning.value;

  const { answered, isUnread } = createAnswerRead(entry, parts);
  const isAmountEntered = (): boolean => typedAmount.isEntered();
  const scans = createSaleScans({
    ...parts,
    ...waiting,
    entry,
    finding,
    outcome,
    passedSale,
    isAmountEntered,
    takePin,
  });
  const { takeWaitingScan } = scans;

  const again = createAgain({ ...opening, entry, finding, shown });
  const send = createSending({
    ...parts,
    entry,
    finding,
    shown,
    takeWaitingScan,
    goOn: takeAnswer,
    answered,
    showPaid(operation) {
      again.showEarlier(operation);
      passedSale.tell({ kind: 'done', operation });
    },
    onDone({ entryFor }) {
      opening.saleDone(entryFor);
      passedSale.forget();
    },
  });

  const confirm = (): void => {
    const now = entry.value;
    const state = till.value;
    if (now === null || state === null) return;
    // A manager may allow more than the limit. The agent asks for the PIN, so the limit is not checked here.
    const { confirm_above_minor } = state.limits;
    const limits = state.has_managers ? { ...noLimits, confirm_above_minor } : state.limits;
    const saved = newest(now.operationId);
    const isBeingUndone = saved !== null && parts.isBeingUndone(saved);
    const next = forNextPress(now, saved, { isBeingUndone, newId: parts.newId });
    const confirmed = flow.confirm(next, limits, parts.earlierSpends());
    if (confirmed.kind === 'stay') stayed(confirmed.entry);
    else asked();
    entry.value = confirmed.entry;
    const { problem, entryFor } = confirmed.entry;
    // Another till may have added to the card since.
    if (problem === 'above_balance') finding.moved(entryFor.card?.card_id ?? null);
    send(confirmed);
  };

  const cancel = (): void => {
    if (entry.value === null || entry.value.busy || isUnread()) return;
    opening.putEntryAway();
    takeWaitingScan();
  };

  const type: Sale['type'] = (text, byDigitKey) => {
    finding.type(text);
    typedAmount.typed(text, byDigitKey);
  };
  const find = (): void => {
    const now = entry.value;
    // The text that is looked for waits for the entry's end, as a scanned card does.
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
  };
  const keysWhileAsked = createKeysWhileAsked({ entry, finding, type, find });

  // The customer in front may be looked up again meanwhile.
  effect(() => {
    const card = finding.card.value;
    if (entry.value !== null && card !== null) entry.value = flow.withCard(entry.value, card);
  });

  takeHandedOver({
    ...finding,
    till,
    entry,
    isOutcomeShown: () => outcome.value !== null,
    isElsewhere: () => isElsewhere() || isOtherTyped(),
    open: opening.open,
  });

  return {
    ...finding,
    ...opening,
    ...editing,
    ...scans,
    ...again,
    entry,
    waitingScan,
    keepsScan,
    passed: passedSale.passed,
    outcome,
    confirm: () => keysWhileAsked.enter(confirm),
    cancel,
    shape: computed(() => (typedAmount.isBeginning.value ? 'empty' : finding.shape.value)),
    type,
    codeAsked: keysWhileAsked.codeAsked,
    codeKnown: keysWhileAsked.codeKnown,
    find: () => keysWhileAsked.enter(find),
    clear() {
      if (entry.value?.busy === true || isUnread()) return;
      finding.clear();
      // A cashier who asks for the next customer has finished with this one.
      opening.forgetLeft();
      takeWaitingScan();
    },
    goBack() {
      if (finding.query.value !== '') finding.goBack();
      else if (entry.value !== null) cancel();
      else if (!again.closeEarlier()) {
        const isAwaited = finding.stage.value.kind === 'finding';
        // The card that waits is the next customer. That tells of the sale before it, too.
        if (waitingScan.value !== null && !keepsScan.value && !isAwaited) takeWaitingScan();
        else finding.goBack();
      }
    },
    takeOperation(operation, known) {
      finding.heard(operation, known);
      shown.takeNews(operation);
      passedSale.takeNews(operation);
    },
  };
}
