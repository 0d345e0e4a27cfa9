import { useId } from 'preact/hooks';
import { cardOperationTable } from '../../shared/contract/card-names.ts';
import { FirstIcon } from '../components/first-icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { useModel } from '../model.ts';
import { isEarnOperation, type OperationButton, operationButtons } from '../operation/operations.ts';
import { isCardChecked } from './checked-card.ts';
import { workOf } from './entry/entry-flow.ts';

// A hold needs a customer in front, so this is not part of the first load.
const HoldButton = loadLater(
  () => import('../holds/hold-button.tsx'),
  (module) => module.HoldButton,
  'holds',
);
const EarnsByNumber = loadLater(
  () => import('./earns-by-number.tsx'),
  (module) => module.EarnsByNumber,
);

/** One button for each operation of the chosen card. */
export function OperationsPanel() {
  const { frame, sale, recent, holds } = useModel();
  const words = frame.words.value.operations;
  const card = sale.card.value;
  const stage = sale.stage.value;
  const known = { operations: recent.operations.value, holds: holds.holds.value };
  const isChecking = card !== null && isCardChecked(card.card_id, known);
  const facts = { isChecking, isKept: stage.kind === 'customer' && stage.found.source === 'kept' };
  const isByNumber = stage.kind === 'missing' && stage.lookUp.kind === 'card' && stage.error.code !== 'invalid';
  const buttons = card === null ? [] : operationButtons(card.allowed_operations, frame.connection.value, facts);
  return (
    <fieldset class="operations stack gap-3" aria-label={words.group}>
      {stage.kind === 'finding' && <SkeletonButtons />}
      {isByNumber && <EarnsByNumber />}
      {(stage.kind === 'idle' || stage.kind === 'missing') && !isByNumber && (
        <p class="hollow">
          <strong>{words.emptyTitle}</strong>
          {words.emptyNext}
        </p>
      )}
      {card !== null && buttons.length === 0 && <p class="hollow">{words.none}</p>}
      <div class="operation-list stack gap-2">
        {buttons.map((button) => (
          <Operation key={button.operation} button={button} />
        ))}
      </div>
      {card !== null && <HoldButton card={card} facts={facts} />}
    </fieldset>
  );
}

function Operation({ button }: { readonly button: OperationButton }) {
  const { frame, sale } = useModel();
  const words = frame.words.value.operations;
  const id = useId();
  const { operation, known, unavailable } = button;
  const entry = sale.entry.value;
  // The reason is above the button, so that the button's name is only the operation.
  const isEarn = isEarnOperation(operation);
  return (
    <div class="operation-slot">
      <button
        type="button"
        class={`operation ${isEarn ? 'operation-earn' : 'operation-spend'} row gap-3`}
        data-operation={operation}
        aria-pressed={entry !== null && workOf(entry) === operation ? true : undefined}
        disabled={unavailable !== null}
        aria-describedby={unavailable === null ? undefined : id}
        // The open entry keeps the focus, so that Enter confirms the entry.
        onMouseDown={(event) => {
          if (entry !== null) event.preventDefault();
        }}
        onClick={() => {
          if (known !== null) sale.open(known);
        }}
      >
        <span class="operation-icon">
          <FirstIcon name={known === null ? 'circle-help' : cardOperationTable[known].icon} size={26} />
        </span>
        <span class="operation-name">{known === null ? <bdi dir="ltr">{operation}</bdi> : words.names[known]}</span>
      </button>
      {unavailable !== null && (
        <span id={id} class="why-not">
          {words.unavailable[unavailable]}
        </span>
      )}
    </div>
  );
}

function SkeletonButtons() {
  return (
    <div class="operation-list stack gap-2" aria-hidden="true">
      <span class="skeleton skeleton-operation" />
      <span class="skeleton skeleton-operation" />
    </div>
  );
}
