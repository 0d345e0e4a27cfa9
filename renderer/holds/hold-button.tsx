import { useId } from 'preact/hooks';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import type { SpendFacts } from '../sale/operations.ts';
import { holdableOf, whyNotHold } from './holding.ts';

/** Beside the card's operations, where points or cashback can be kept for an order that is not paid yet. */
export function HoldButton({ card, facts }: { readonly card: CardEntry; readonly facts: SpendFacts }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const id = useId();
  if (holdableOf(card).length === 0) return null;
  const unavailable = whyNotHold(card, frame.connection.value, facts);
  return (
    <div class="hold-slot">
      <button
        type="button"
        class="button button-outline hold-button"
        disabled={unavailable !== null}
        aria-describedby={unavailable === null ? undefined : id}
        onClick={sale.openHold}
      >
        <Icon name="package" size={26} />
        {words.holds.button}
      </button>
      {unavailable !== null && (
        <span id={id} class="hold-why">
          {words.operations.unavailable[unavailable]}
        </span>
      )}
    </div>
  );
}
