import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Undo } from '../recent/recent.ts';
import { rowKind } from '../recent/recent-rows.ts';
import { operationAmount, operationCustomer } from './operation-words.ts';

const UndoPin = loadLater(() => import('../recent/undo-pin.tsx').then((module) => module.UndoPin));

interface UndoQuestionProps {
  readonly operation: OperationView;
  readonly undo: Exclude<Undo, { kind: 'busy' }>;
}

/** In the middle of the screen: is it really to be undone? No key answers it by chance. */
export function UndoQuestion({ operation, undo }: UndoQuestionProps) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const asking = words.recent.undoing[rowKind(operation) === 'spend' ? 'spend' : 'sale'];
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
  const failed = undo.kind === 'failed' ? errorAdvice(undo.error, words, frame.format.value) : null;
  return (
    <>
      <div class="outcome-head row gap-4">
        <span class="seal">
          <Icon name={failed === null ? 'undo-2' : 'circle-alert'} size={40} mirrors={failed === null} />
        </span>
        <p class="outcome-kind">{words.outcome.valueFor(amount, operationCustomer(operation, words))}</p>
      </div>
      <div role="alert">
        <h2 class="outcome-hero outcome-words">{failed?.title ?? asking.ask(amount)}</h2>
        {failed !== null && <p class="outcome-next">{failed.next}</p>}
      </div>
      {undo.kind === 'pin_asked' && <UndoPin operation={operation} undo={undo} />}
      {undo.kind === 'asked' && (
        <div class="outcome-choices row gap-3">
          <button type="button" class="button button-primary button-large" onClick={() => void recent.undo(operation)}>
            <Icon name="undo-2" mirrors />
            {asking.yes}
          </button>
          {keep}
        </div>
      )}
      {undo.kind === 'failed' && <div class="outcome-choices row gap-3">{keep}</div>}
    </>
  );
}
