import { useId } from 'preact/hooks';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import type { SpendFacts } from '../operation/operations.ts';
import { openEntry } from '../sale/entry/entry-flow.ts';
import { holdableOf, holdMinutes, whyNotHold } from './holding.ts';

/** The button beside the card's operations that holds points or cashback for an unpaid order. */
export function HoldButton({ card, facts }: { readonly card: CardEntry; readonly facts: SpendFacts }) {
  const { frame, sale, newId } = useModel();
  const words = frame.words.value;
  const id = useId();
  const [operation] = holdableOf(card);
  if (operation === undefined) return null;
  const entry = sale.entry.value;
  const unavailable = whyNotHold(card, frame.connection.value, facts);
  return (
    <div class="hold-slot">
      <button
        type="button"
        class="button button-outline hold-button"
        aria-pressed={entry?.aim?.kind === 'hold' ? true : undefined}
        disabled={unavailable !== null}
        aria-describedby={unavailable === null ? undefined : id}
        // The open entry keeps the focus, so that Enter confirms the entry.
        onMouseDown={(event) => {
          if (entry !== null) event.preventDefault();
        }}
        onClick={open}
      >
        <Icon name="package" size={26} />
        {words.holds.button}
      </button>
      {unavailable !== null && (
        <span id={id} class="why-not">
          {words.operations.unavailable[unavailable]}
        </span>
      )}
    </div>
  );

  function open(): void {
    const holdFor = sale.inFront();
    if (operation === undefined || holdFor === null) return;
    const currency = card.balances.currency ?? frame.till.value?.currency ?? '';
    sale.present(openEntry(newId(), operation, holdFor, currency, { kind: 'hold', minutes: holdMinutes[0] }));
  }
}
