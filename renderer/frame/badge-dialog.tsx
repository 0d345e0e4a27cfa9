import { DialogFoot, DialogHead } from '../components/dialog-parts.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Asking } from './cashier.ts';

/** Asks who sells: the badge is scanned, or its number typed. */
export function BadgeDialog({ asking }: { readonly asking: Asking }) {
  const { frame, cashier } = useModel();
  const words = frame.words.value;
  const problem = asking.failure === null ? null : errorAdvice(asking.failure, words, frame.format.value);
  return (
    <ModalForm
      titleId="badge-title"
      look="entry-small"
      thenTo="find_box"
      mistake={asking.failure}
      onLeave={cashier.cancel}
      onConfirm={() => void cashier.confirm()}
    >
      <DialogHead titleId="badge-title" title={words.cashier.title} icon="id-card" tone="info" />
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
            data-first=""
            readOnly={asking.busy}
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
      <DialogFoot
        cancel={words.entry.cancel}
        onCancel={cashier.cancel}
        confirm={words.cashier.signIn}
        isIdle={asking.busy || asking.text === ''}
      />
    </ModalForm>
  );
}
