import type { ComponentChildren } from 'preact';
import type { TillError } from '../../../shared/till/api.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { Icon } from '../../components/icon.tsx';
import type { Advice } from '../../copy/advice.ts';
import type { Words } from '../../copy/en/start.ts';
import { errorAdvice } from '../../copy/error-advice.ts';
import type { Format } from '../../copy/format.ts';
import type { WordsOf } from '../../copy/parts.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { operationAmount, operationCustomer, undoingOf } from '../../operation/operation-words.ts';
import { rowKind } from '../../operation/standing.ts';
import type { Undo } from '../../recent/recent.ts';
import { UndoPin } from '../../recent/undo-pin.tsx';
import { OutcomeMore } from './outcome-more.tsx';

interface UndoQuestionProps {
  readonly operation: OperationView;
  readonly undo: Exclude<Undo, { kind: 'busy' }>;
  /** At the end of the head. */
  readonly children?: ComponentChildren;
}

/** Asks in the middle of the screen whether to undo. No key can answer it by accident. */
export function UndoQuestion({ operation, undo, children }: UndoQuestionProps) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const past = useWords('past');
  const asking = undoingOf(operation, words);
  const amount = operationAmount(operation, words, frame.format.value);
  const keep = (
    <button
      type="button"
      class="button button-outline button-large"
      onClick={() => recent.keep(operation.operation_id)}
    >
      {words.recent.undoNo}
    </button>
  );
  const isUnanswered = undo.kind === 'unanswered';
  const failed =
    undo.kind === 'failed' || isUnanswered ? undoAdvice(undo.error, words, past, frame.format.value) : null;
  return (
    <>
      <div class="outcome-head row gap-4">
        <span class="seal">
          <Icon name={failed === null ? 'undo-2' : 'circle-alert'} size={40} mirrors={failed === null} />
        </span>
        <p class="outcome-kind">{words.outcome.valueFor(amount, operationCustomer(operation, words))}</p>
        {children}
      </div>
      <div role="alert">
        <h2 class="outcome-hero outcome-words">{failed?.title ?? asking.ask(amount, firstNameOf(operation))}</h2>
        {failed !== null && <p class="outcome-next">{failed.next}</p>}
        {failed === null && rowKind(operation) === 'spend' && operation.amount_minor !== null && (
          <p class="outcome-next">{words.recent.discountEnds(amount)}</p>
        )}
      </div>
      {undo.kind === 'pin_asked' && <UndoPin operation={operation} undo={undo} />}
      {(undo.kind === 'asked' || isUnanswered) && (
        <div class="outcome-choices row gap-3">
          <button type="button" class="button button-primary button-large" onClick={() => void recent.undo(operation)}>
            <Icon name="undo-2" mirrors />
            <bdi>{asking.yes(amount)}</bdi>
          </button>
          {/* What may be undone already cannot be kept. */}
          {!isUnanswered && keep}
        </div>
      )}
      {undo.kind === 'failed' && <div class="outcome-choices row gap-3">{keep}</div>}
      <div class="outcome-foot row">
        <OutcomeMore operation={operation} above={amount} />
      </div>
    </>
  );
}

/** Why it was not undone. The usual words for a missing connection are a redemption's, and those for a lost answer a sale's. */
function undoAdvice(error: TillError, words: Words, past: WordsOf<'past'>, format: Format): Advice {
  const unanswered = error.code === 'agent_gone' ? { next: past.undoUnanswered } : undefined;
  return errorAdvice(error, words, format, error.code === 'not_sent' ? past.undoNotSent : unanswered);
}

/** What a cashier would call the customer; null where there is no name. */
function firstNameOf({ customer_name }: OperationView): string | null {
  return customer_name?.trim().split(/\s+/)[0] ?? null;
}
