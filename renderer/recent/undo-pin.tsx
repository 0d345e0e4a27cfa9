import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OperationView } from '../../shared/till/views.ts';
import { useLead } from '../components/asking.ts';
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
  const root = useRef<HTMLFormElement>(null);
  // A PIN is typed in a hurry. Without this it would be typed into the find box, where everybody could read it.
  useLead(root, { step: '', mistake: undo.error });
  // Whoever opens the question again may be somebody else than the manager who typed.
  useLayoutEffect(() => () => recent.typePin(operation_id, ''), [recent, operation_id]);
  return (
    <form
      ref={root}
      class="row-ask"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        recent.keep(operation_id);
      }}
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
        isReadOnly={undo.isBusy}
        onInput={(pin) => recent.typePin(operation_id, pin)}
        typesHere
      />
      <button
        type="button"
        class="button button-outline"
        aria-disabled={undo.isBusy}
        onClick={() => recent.keep(operation_id)}
      >
        {words.recent.undoNo}
      </button>
      <button type="submit" class="button button-danger" aria-disabled={undo.isBusy}>
        {words.recent.undo}
      </button>
    </form>
  );
}
