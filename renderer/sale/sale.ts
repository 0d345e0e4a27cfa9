import { effect, type Signal, signal } from '@preact/signals';
import { createFinding } from '../find/finding.ts';
import { createAgain } from './again.ts';
import { createConfirming } from './confirming.ts';
import { createConsequences } from './consequences.ts';
import { createAnswerRead } from './entry/answer-read.ts';
import { createEditing } from './entry/editing.ts';
import { type Entry, withCard } from './entry/entry-flow.ts';
import { createOpening } from './entry/opening.ts';
import { createFindBox } from './find-box.ts';
import { takeHandedOver } from './handed-over.ts';
import { createLeaving } from './leaving.ts';
import { createPassedSale } from './outcome/passed.ts';
import { createShownOutcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';
import { createSaleScans, createWaitingScan } from './sale-scans.ts';
import { createSending } from './send-entry.ts';

/**
 * Makes the model of the sale screen: who a sale is for, what is entered, what became of it. Each part has a file of
 * its own.
 */
export function createSale(parts: SaleParts): Sale {
  const entry: Signal<Entry | null> = signal(null);
  const waiting = createWaitingScan();

  // Whoever comes or goes changes every other part. So what that brings about is made last, and asked for when it comes.
  const finding = createFinding({ ...parts, consequences: () => consequences });
  const shown = createShownOutcome({ ...parts, leave: finding.leave, consequences: () => consequences });
  const { outcome } = shown;
  const passedSale = createPassedSale({ ...parts, ...waiting, outcome });
  const screen = { ...parts, ...waiting, entry, finding, shown, outcome, passedSale };

  const opening = createOpening(screen);
  const editing = createEditing({ ...screen, ...opening });
  // An amount in the find box becomes an entry that is sent, after which a card that waits is taken.
  const isAmountEntered = (): boolean => findBox.typedAmount.isEntered();
  const scans = createSaleScans({ ...screen, ...editing, isAmountEntered });
  const again = createAgain({ ...screen, ...opening });
  const answerRead = createAnswerRead(entry, parts);
  const send = createSending({ ...screen, ...opening, ...editing, ...scans, ...again, ...answerRead });
  const confirm = createConfirming({ ...screen, ...editing, send });
  const findBox = createFindBox({ ...screen, ...opening, ...editing, confirm });
  const leaving = createLeaving({ ...screen, ...opening, ...scans, ...again, ...answerRead });
  const consequences = createConsequences({ ...screen, ...opening, ...scans, ...findBox });

  // The customer in front may be looked up again meanwhile.
  effect(() => {
    const card = finding.card.value;
    if (entry.value !== null && card !== null) entry.value = withCard(entry.value, card);
  });
  takeHandedOver({ ...screen, ...opening, ...findBox });

  return {
    ...finding,
    ...opening,
    ...editing,
    ...scans,
    ...again,
    ...findBox,
    ...leaving,
    ...waiting,
    entry,
    outcome,
    passed: passedSale.passed,
    takeOperation(operation, known) {
      finding.heard(operation, known);
      shown.takeNews(operation);
      passedSale.takeNews(operation);
    },
  };
}
