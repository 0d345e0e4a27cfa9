import { lead } from '../../components/asking.ts';
import { useModel } from '../../model.ts';
import { type NextStep, nextStep, type Refused } from '../../operation/next-step.ts';
import { StepButton } from '../outcome/step-button.tsx';
import type { Entry } from './entry-flow.ts';

/** A button in the notice of a refused redemption that takes the step that helps. */
export function EntryStep({ entry, refused }: { readonly entry: Entry; readonly refused: Refused }) {
  const { sale } = useModel();
  const step = nextStep(refused);
  return <StepButton step={step} look="button-outline entry-step" onTake={() => take(step)} />;

  function take(chosen: NextStep): void {
    switch (chosen.kind) {
      case 'other_card': {
        const { operation, text, receipt } = entry;
        const again = { operation, text, receipt, isReceiptOpen: false, heldForMinutes: null };
        sale.openAgain({ ...again, cardId: chosen.card.card_id });
        return;
      }
      case 'amount':
        lead(document.getElementById('entry-amount'));
        return;
      case 'receipt':
        sale.turnToReceipt(true);
        return;
      case 'full_price':
      case 'later':
        sale.cancel();
    }
  }
}
