import { batch, type Signal, signal } from '@preact/signals';
import type { OperationView } from '../../shared/till/views.ts';
import type { Finding } from '../find/finding.ts';
import { isNumberKind } from '../operation/entry.ts';
import type { Entry } from './entry/entry-flow.ts';
import type { ShownOutcome } from './outcome/shown-outcome.ts';
import type { Sale } from './sale-parts.ts';

interface AgainParts {
  readonly entry: Signal<Entry | null>;
  readonly finding: Pick<Finding, 'cards' | 'chooseCard'>;
  readonly shown: ShownOutcome;
  readonly open: Sale['open'];
  readonly putEntryAway: () => void;
}

type Again = Pick<
  Sale,
  'closeEarlier' | 'showEarlier' | 'closeOutcome' | 'openAgain' | 'movedToCard' | 'toCorrect' | 'keepOutcome'
>;

/** Shows an operation that was entered before, or enters it again. */
export function createAgain({ entry, finding, shown, open, putEntryAway }: AgainParts): Again {
  const { outcome } = shown;
  const toCorrect: Signal<OperationView | null> = signal(null);
  const opened = (): Entry | null => entry.value;
  const closeEarlier = (): boolean => {
    if (outcome.value?.isEarlier !== true) return false;
    shown.putAway();
    return true;
  };
  return {
    toCorrect,
    keepOutcome: shown.keep,
    closeEarlier,
    closeOutcome: () => void shown.putAway(),
    showEarlier(operation) {
      if (entry.value?.busy === true) return;
      const now = outcome.value;
      if (now?.operation.operation_id === operation.operation_id) {
        closeEarlier();
        return;
      }
      batch(() => {
        putEntryAway();
        shown.putAway();
        const own = finding.cards.value.find(({ card_id }) => card_id === operation.card_id);
        shown.showEarlier(operation, own ?? null);
      });
    },
    openAgain({ operation, cardId, text, receipt, isReceiptOpen, heldForMinutes }) {
      if (entry.value?.busy === true) return;
      batch(() => {
        entry.value = null;
        shown.putAway();
        if (cardId !== null) finding.chooseCard(cardId);
        // Choosing the card may have opened the entry already. Then this does nothing.
        open(operation, heldForMinutes === null ? null : { kind: 'hold', minutes: heldForMinutes });
        const now = opened();
        if (now === null) return;
        // A handed-over amount belongs to another sale, so it is left out.
        const again = { receipt, isReceiptOpen, filled: null };
        entry.value = { ...now, ...(isNumberKind(now.kind) ? { text, untouched: true } : {}), ...again };
      });
    },
    movedToCard(operation, card) {
      const now = outcome.value;
      if (now?.operation.operation_id !== operation.operation_id) return;
      shown.show({ operation, card, cardBefore: null, takenBy: now.takenBy, heldForMinutes: null, duplicate: false });
      shown.clearSoon();
    },
  };
}
