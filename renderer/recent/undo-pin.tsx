import type { OperationView } from '../../shared/till/views.ts';
import { PinField } from '../components/form-field.tsx';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Undo } from './recent.ts';

interface UndoPinProps {
  readonly operation: OperationView;
  readonly undo: Extract<Undo, { kind: 'pin_asked' }>;
}

/** Asks for the PIN of a manager who allows the undo of another cashier's sale. */
export function UndoPin({ operation, undo }: UndoPinProps) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const { operation_id } = operation;
  const { title, next } = errorAdvice(undo.error, words, frame.format.value);
  return (
    <form
      class="row-ask"
      onSubmit={(event) => {
        event.preventDefault();
        void recent.undo(operation);
      }}
    >
      <span role="alert">
        {title}. {next}
      </span>
      <PinField
        id={`undo-pin-${operation_id}`}
        label={words.entry.pin}
        value={undo.pin}
        onInput={(pin) => recent.typePin(operation_id, pin)}
      />
      <button type="button" class="button button-outline" onClick={() => recent.keep(operation_id)}>
        {words.recent.undoNo}
      </button>
      <button type="submit" class="button button-danger">
        {words.recent.undo}
      </button>
    </form>
  );
}
