import { batch, computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { plainText } from '../../shared/lib/digits.ts';
import type { Finding } from '../find/finding.ts';
import { type EarnOperation, earnsOf } from '../operation/operations.ts';
import { type Entry, isBlank, workOf } from './entry/entry-flow.ts';
import { createTypedAmount, type TypedAmount } from './entry/typed-amount.ts';
import { createKeysWhileAsked } from './keys-while-asked.ts';
import type { Outcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';

interface FindBoxParts
  extends Pick<SaleParts, 'clock' | 'presses' | 'sounds' | 'isElsewhere'>,
    Pick<Sale, 'open' | 'typeAmount' | 'confirm'> {
  readonly entry: Signal<Entry | null>;
  readonly waitingScan: Signal<string | null>;
  readonly finding: Pick<Finding, 'query' | 'shape' | 'stage' | 'card' | 'cards' | 'type' | 'find' | 'nameMissing'>;
  readonly outcome: ReadonlySignal<Outcome | null>;
  /** Called before digits of the find box go into the entry. */
  readonly takesDigits: (digits: { readonly haveOpenedIt: boolean }) => void;
}

interface FindBox extends Pick<Sale, 'shape' | 'type' | 'find' | 'confirm' | 'codeAsked' | 'codeKnown'> {
  readonly typedAmount: TypedAmount;
  /** Whether the cashier has to choose the card of the customer in front, of which one can earn. */
  readonly isCardAwaited: () => boolean;
  /**
   * Whether the number of somebody else is being typed. An entry that opened by itself would take its last digits for an
   * amount of the customer in front.
   */
  readonly isOtherTyped: () => boolean;
}

/** Decides what the find box's keys are: a number to look for, or an amount for the customer in front. */
export function createFindBox(parts: FindBoxParts): FindBox {
  const { entry, finding } = parts;
  const isCardAwaited = (): boolean =>
    finding.card.value === null && finding.cards.value.some((card) => earnsOf(card).length > 0);
  const firstEarn = (): EarnOperation | null => {
    const card = finding.card.value;
    return card === null || parts.outcome.value !== null ? null : (earnsOf(card)[0] ?? null);
  };
  const typedAmount = createTypedAmount({
    ...parts,
    isAwaited: () => finding.stage.value.kind === 'finding',
    isCardAwaited,
    canBegin() {
      const earn = firstEarn();
      const now = entry.value;
      // The find box never overwrites what was typed into an entry.
      return !parts.isElsewhere() && earn !== null && (now === null || (workOf(now) === earn && isBlank(now)));
    },
    isOpen: () => entry.value !== null,
    onAmount({ text, isConfirmed }) {
      const earn = firstEarn();
      if (earn === null) return;
      batch(() => {
        finding.type('');
        const isOpen = entry.value !== null;
        if (!isOpen) parts.open(earn);
        parts.takesDigits({ haveOpenedIt: !isOpen });
        parts.typeAmount(text);
        if (isConfirmed) parts.confirm();
      });
    },
  });

  const type: Sale['type'] = (text, how) => {
    finding.type(text);
    typedAmount.typed(text, how);
  };
  const find = (): void => {
    const now = entry.value;
    // The text that is looked for waits for the entry's end, as a scanned card does.
    if (now !== null && !isBlank(now)) {
      const wanted = plainText(finding.query.value);
      if (wanted !== '') parts.waitingScan.value = wanted;
      finding.type('');
      return;
    }
    switch (typedAmount.enter()) {
      case 'amount':
        return;
      case 'nobody':
        parts.sounds.failure();
        finding.nameMissing();
        return;
      case 'other':
        finding.find();
    }
  };
  const { enter, ...keysWhileAsked } = createKeysWhileAsked({ entry, finding, type, find });

  return {
    ...keysWhileAsked,
    typedAmount,
    isCardAwaited,
    isOtherTyped: () => finding.shape.value !== 'empty' && !typedAmount.isBeginning.value,
    shape: computed(() => (typedAmount.isBeginning.value ? 'empty' : finding.shape.value)),
    type,
    find: () => enter(find),
    confirm: () => enter(parts.confirm),
  };
}
