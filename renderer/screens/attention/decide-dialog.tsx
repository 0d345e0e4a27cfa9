import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { useModal } from '../../components/use-modal.ts';
import { useModel } from '../../state/model.ts';
import { useScreenWords } from '../../state/screen-words.ts';
import { operationAmount } from '../sale/operation-words.ts';
import { ReasonField } from './reason-field.tsx';
import type { Deciding } from './state.ts';
import { useAttention } from './use-attention.ts';
import { words as ownWords } from './words.ts';

/** Why it is done, and who confirms it where that needs a manager; both stand in the operation's history. */
export function DecideDialog({ deciding }: { readonly deciding: Deciding }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const own = useScreenWords(ownWords);
  const attention = useAttention();
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog, '#decide-reason');
  const { operation, action, failure } = deciding;
  const needsPin = action === 'write_off' && frame.till.value?.has_managers === true;
  return (
    <dialog
      ref={dialog}
      class="entry"
      aria-labelledby="decide-title"
      onCancel={(event) => {
        event.preventDefault();
        attention.cancel();
      }}
    >
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void attention.confirm();
        }}
      >
        <header class="entry-head">
          <div class="two-lines">
            <h2 id="decide-title" class="entry-title">
              {own.actions[action]}
            </h2>
            <p class="entry-who">
              <bdi>{operationAmount(operation, words, frame.format.value)}</bdi>
              <bdi dir="ltr" class="ref">
                {operation.external_ref}
              </bdi>
            </p>
          </div>
        </header>
        <div class="entry-body entry-body-single">
          <div class="entry-fields">
            <p class="quiet">{own.explained[action]}</p>
            <ReasonField
              value={deciding.reason}
              isMissing={deciding.isReasonMissing}
              onInput={(reason) => attention.type({ reason })}
            />
            {needsPin && (
              <div class="receipt">
                <label class="field-label" for="decide-pin">
                  {own.pin}
                </label>
                <input
                  id="decide-pin"
                  class="text-input code-input"
                  type="password"
                  inputMode="numeric"
                  dir="ltr"
                  autoComplete="off"
                  maxLength={12}
                  value={deciding.pin}
                  onInput={(event) => attention.type({ pin: event.currentTarget.value })}
                />
              </div>
            )}
          </div>
        </div>
        {failure !== null && (
          <div class="notice tone-danger-solid entry-failure" role="alert" data-state={failure.code}>
            <Icon name="triangle-alert" size={24} />
            <span>
              <strong>{words.errors[failure.code].title}</strong>
              <span class="notice-line">{words.errors[failure.code].next}</span>
            </span>
          </div>
        )}
        <div class="entry-foot">
          <button type="button" class="button button-outline button-large" onClick={attention.cancel}>
            {words.entry.cancel}
          </button>
          <button type="submit" class="button button-primary button-large entry-confirm" aria-disabled={deciding.busy}>
            {deciding.busy ? words.entry.asking : own.actions[action]}
          </button>
        </div>
      </form>
    </dialog>
  );
}
