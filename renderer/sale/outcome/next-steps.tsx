import { useState } from 'preact/hooks';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { TillError } from '../../../shared/till/api.ts';
import { errorAdvice } from '../../copy/error-advice.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { textOfOperation } from '../../operation/entry.ts';
import { type NextStep, nextStep } from '../../operation/next-step.ts';
import { openRenumber } from '../entry/aims.ts';
import { asksForPin } from '../entry/entry-refusal.ts';
import { refusedOperation } from './refused.ts';
import type { Outcome } from './shown-outcome.ts';
import { StepButton } from './step-button.tsx';

/** Below a refusal: the step that helps, and the way on without it. */
export function NextSteps({ outcome }: { readonly outcome: Outcome }) {
  const { api, frame, sale, newId } = useModel();
  const pastWords = useWords('past');
  const [failure, setFailure] = useState<TillError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = frame.words.value;
  const { operation } = outcome;
  const refused = refusedOperation(outcome, sale.cards.value);
  if (refused === null) return null;
  const step = nextStep(refused);
  const isEarn = operation.intent === 'earn';
  const otherwise: NextStep = { kind: isEarn ? 'later' : 'full_price' };
  const isMended = step.kind !== otherwise.kind;
  // The customer has left, so only what can still be done is offered.
  if (outcome.isEarlier && !isMended) return null;
  return (
    <>
      <div class="outcome-choices row gap-3">
        <StepButton step={step} look="button-primary button-large" isBusy={isBusy} onTake={() => void take(step)} />
        {isMended && !outcome.isEarlier && (
          <StepButton step={otherwise} look="button-outline button-large" onTake={() => void take(otherwise)} />
        )}
      </div>
      {failure !== null && (
        <p class="outcome-why field-error" role="alert">
          {Object.values(errorAdvice(failure, words, frame.format.value)).join(' ')}
        </p>
      )}
    </>
  );

  async function take(chosen: NextStep): Promise<void> {
    switch (chosen.kind) {
      case 'full_price':
        sale.closeOutcome();
        return;
      case 'later':
        sale.clear();
        return;
      case 'other_card':
        if (isEarn) await sendByCard(chosen.card);
        else openAgain('amount', chosen.card.card_id);
        return;
      case 'amount':
        if (!isEarn) {
          openAgain('amount');
          return;
        }
        correct();
        return;
      case 'receipt':
        // A second sale beside the refused one would be earned twice when the refused one is sent again.
        if (isEarn) renumber();
        else openAgain('receipt');
    }
  }

  /** A refused sale is kept. It is corrected under its own reference, so that it does not become a second sale. */
  function correct(): void {
    sale.toCorrect.value = operation;
    frame.show('attention');
  }

  function renumber(): void {
    const { takenBy, card } = outcome;
    const reason = pastWords.otherNumberReason;
    sale.present(openRenumber(newId(), takenBy, { refused: operation, reason, card }));
  }

  /** Opens for the card of the operation, unless another is given: another card may have been chosen since. */
  function openAgain(field: 'amount' | 'receipt', cardId = operation.card_id): void {
    const { takenBy, heldForMinutes } = outcome;
    const text = textOfOperation(operation);
    const isReceiptOpen = field === 'receipt';
    sale.openAgain({ operation: takenBy, cardId, text, receipt: '', isReceiptOpen, heldForMinutes });
  }

  async function sendByCard(card: CardEntry): Promise<void> {
    setBusy(true);
    const reply = await api.call('attention.correct', {
      operation_id: operation.operation_id,
      reason: words.nextSteps.otherCardReason,
      card_id: card.card_id,
    });
    setBusy(false);
    // A manager's PIN is typed where sales are corrected, and so is another card chosen.
    const isToCorrect = !reply.ok && (asksForPin(reply.error) || reply.error.field === 'card_id');
    if (isToCorrect && sale.outcome.value?.operation.operation_id === operation.operation_id) correct();
    setFailure(reply.ok || isToCorrect ? null : reply.error);
    if (reply.ok) sale.movedToCard(reply.value.operation, card);
  }
}
