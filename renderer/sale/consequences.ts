import type { ReadonlySignal, Signal } from '@preact/signals';
import type { CustomerConsequences, Finding } from '../find/finding.ts';
import type { EarnOperation } from '../operation/operations.ts';
import { isEndAwaited } from '../operation/standing.ts';
import type { Entry } from './entry/entry-flow.ts';
import type { TypedAmount } from './entry/typed-amount.ts';
import type { NotTakenReason, PassedSale } from './outcome/passed.ts';
import type { Outcome, OutcomeConsequences, ShownOutcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';

interface ConsequencesParts extends Pick<SaleParts, 'sounds'>, Pick<Sale, 'takeWaitingScan'> {
  readonly entry: ReadonlySignal<Entry | null>;
  readonly waitingScan: Signal<string | null>;
  readonly keepsScan: Signal<boolean>;
  readonly finding: Pick<Finding, 'query'>;
  readonly shown: Pick<ShownOutcome, 'putAway'>;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly passedSale: Pick<PassedSale, 'passed' | 'tell' | 'wasRead' | 'forget' | 'forgetOver'>;
  readonly typedAmount: Pick<TypedAmount, 'arrived' | 'missed' | 'forget'>;
  readonly isCardAwaited: () => boolean;
  readonly isOtherTyped: () => boolean;
  readonly putEntryAway: () => void;
  readonly openByItself: (operation: EarnOperation) => void;
}

/** What else changes on the sale screen when the customer in front or the outcome does. */
export function createConsequences(parts: ConsequencesParts): CustomerConsequences & OutcomeConsequences {
  const { entry, waitingScan, keepsScan, shown, outcome, passedSale, typedAmount, takeWaitingScan } = parts;

  /** The reason to give when an entered amount is lost because the find box is emptied. */
  let lostBy: NotTakenReason = 'left';
  const sayNotTaken = (text: string | null, reason: NotTakenReason): void => {
    if (text === null) return;
    parts.sounds.failure();
    // It stays in the find box until the card is chosen.
    if (parts.isCardAwaited()) return;
    passedSale.tell({ kind: 'not_taken', text, reason });
  };

  return {
    onLeave(isAnybody) {
      parts.putEntryAway();
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
      if (entry.value === null && outcome.value === null && !parts.isOtherTyped()) parts.openByItself(operation);
    },
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
    onAway({ operation, isEarlier }, { isUnread }) {
      if (!isEndAwaited(operation) && !isUnread) passedSale.wasRead(operation);
      // Nobody knows or has read yet what became of it, so nobody may forget it or repeat it.
      else if (!isEarlier) passedSale.tell({ kind: 'done', operation });
    },
    onSpent() {
      // Whoever's number is being typed is meant: its next digits would be an amount for the card's customer.
      if (parts.finding.query.value === '') takeWaitingScan();
    },
  };
}
