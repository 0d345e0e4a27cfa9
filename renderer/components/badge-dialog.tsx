import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Asking } from '../state/cashier.ts';
import { useModel } from '../state/model.ts';
import { Icon } from './icon.tsx';

/** Asks who sells: the badge is scanned, or its number typed. */
export function BadgeDialog({ asking }: { readonly asking: Asking }) {
  const { frame, cashier } = useModel();
  const words = frame.words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const problem = asking.failure === null ? null : words.errors[asking.failure.code];
  return (
    <dialog
      ref={dialog}
      class="entry entry-small"
      aria-labelledby="badge-title"
      onCancel={(event) => {
        event.preventDefault();
        cashier.cancel();
      }}
    >
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void cashier.confirm();
        }}
      >
        <header class="entry-head">
          <span class="tile entry-tile tone-info">
            <Icon name="id-card" size={24} />
          </span>
          <h2 id="badge-title" class="entry-title">
            {words.cashier.title}
          </h2>
        </header>
        <div class="entry-body entry-body-single">
          <div class="receipt">
            <label class="field-label" for="badge-number">
              {words.cashier.badge}
            </label>
            <input
              id="badge-number"
              class="text-input text-input-large"
              // What a badge says is for nobody's eyes.
              type="password"
              autoComplete="off"
              maxLength={255}
              aria-invalid={problem !== null}
              aria-describedby="badge-note"
              value={asking.text}
              onInput={(event) => cashier.type(event.currentTarget.value)}
            />
            <p id="badge-note" class={problem === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
              {problem !== null && <Icon name="circle-alert" size={18} />}
              {problem === null ? words.cashier.hint : `${problem.title}. ${problem.next}`}
            </p>
          </div>
        </div>
        <div class="entry-foot">
          <button type="button" class="button button-outline button-large" onClick={cashier.cancel}>
            {words.entry.cancel}
          </button>
          <button
            type="submit"
            class="button button-primary button-large entry-confirm"
            aria-disabled={asking.busy || asking.text === ''}
          >
            {words.cashier.signIn}
          </button>
        </div>
      </form>
    </dialog>
  );
}
