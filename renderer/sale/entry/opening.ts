import { batch, type Signal } from '@preact/signals';
import type { CardOperation } from '../../../shared/contract/card-names.ts';
import { defaultCurrency } from '../../../shared/contract/default-currency.ts';
import type { Finding } from '../../find/finding.ts';
import { identifierOf } from '../../find/shape.ts';
import type { EarnOperation } from '../../operation/operations.ts';
import type { ShownOutcome } from '../outcome/shown-outcome.ts';
import type { Sale, SaleParts } from '../sale-parts.ts';
import * as flow from './entry-flow.ts';
import { LeftEntries, switchTo } from './left.ts';

interface OpeningParts extends Pick<SaleParts, 'newId' | 'till'> {
  readonly entry: Signal<flow.Entry | null>;
  readonly finding: Pick<Finding, 'stage' | 'inFront'>;
  readonly shown: Pick<ShownOutcome, 'putAway'>;
}

interface Opening extends Pick<Sale, 'open' | 'openByCardNumber' | 'present'> {
  /** Opens an entry that nobody has pressed for, where none is open. */
  readonly openByItself: (operation: EarnOperation) => void;
  /** Takes the entry off the screen. What was typed is kept, and the same operation opens with it again. */
  readonly putEntryAway: () => void;
  /** Forgets what was typed and left, because the customer is. */
  readonly forgetLeft: () => void;
  /** Forgets what was typed and left, because a sale is done, but for what its customer has had no answer to. */
  readonly saleDone: (of: flow.EntryFor) => void;
}

/** Decides which entry is on the screen. */
export function createOpening(parts: OpeningParts): Opening {
  const { entry, finding, newId, till } = parts;
  const left = new LeftEntries();
  const putEntryAway = (): void => {
    const now = entry.value;
    if (now !== null) left.add(now);
    entry.value = null;
  };
  const newEntry = (operation: CardOperation, entryFor: flow.EntryFor, aim: flow.Aim | null = null): flow.Entry =>
    flow.openEntry(newId(), operation, entryFor, till.value?.currency ?? defaultCurrency, aim);
  const put = (opened: flow.Entry): void => {
    const before = entry.value;
    batch(() => {
      parts.shown.putAway();
      const again = left.takeBack(opened, before);
      // Its number does not go on in an entry that was left with one of its own.
      if (before !== null && (before.isUnanswered || again !== null)) left.add(before);
      entry.value = again ?? (before === null ? opened : switchTo(opened, before));
    });
  };
  return {
    putEntryAway,
    forgetLeft: () => left.forget(),
    saleDone: (of) => left.forgetDone([of, finding.inFront()]),
    open(operation, aim = null) {
      const entryFor = finding.inFront();
      const now = entry.value;
      const isOpen = now !== null && flow.workOf(now) === (aim?.kind ?? operation);
      if (entryFor === null || now?.busy === true || isOpen) return;
      put(newEntry(operation, entryFor, aim));
    },
    openByItself(operation) {
      const entryFor = finding.inFront();
      if (entryFor === null || entry.value !== null) return;
      put({ ...newEntry(operation, entryFor), isByItself: true });
    },
    openByCardNumber(operation: EarnOperation) {
      const at = finding.stage.value;
      if (at.kind !== 'missing' || at.lookUp.kind !== 'card' || entry.value !== null) return;
      const identifier = identifierOf(at.lookUp);
      put(newEntry(operation, { identifier, customerName: null, card: null, hint: at.lookUp.text }));
    },
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
  };
}
