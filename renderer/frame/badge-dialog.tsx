import { useEffect } from 'preact/hooks';
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
  const shut = frame.till.value?.sign_in ?? null;
  const titles = { locked: words.cashier.lockedTitle, needed: words.cashier.neededTitle };
  const problem = asking.failure === null ? null : errorAdvice(asking.failure, words, frame.format.value);
  // A browser closes a dialog at the second Escape, whatever the dialog says.
  useEffect(() => {
    if (shut === null) return undefined;
    const keepShut = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') event.preventDefault();
    };
    window.addEventListener('keydown', keepShut, true);
    return () => window.removeEventListener('keydown', keepShut, true);
  }, [shut]);
  return (
    <ModalForm
      titleId="badge-title"
      look={shut === null ? 'entry-small' : 'entry-small shut-dialog'}
      data-shut={shut ?? ''}
      thenTo={shut === null ? 'find_box' : 'opener'}
      mistake={asking.failure}
      onLeave={cashier.cancel}
      onConfirm={() => void cashier.confirm()}
    >
      <DialogHead
        titleId="badge-title"
        title={shut === null ? words.cashier.title : titles[shut]}
        icon={shut === 'locked' ? 'lock' : 'id-card'}
        tone="info"
      />
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
          {shut === 'locked' && <p class="field-note">{words.cashier.waits}</p>}
          <p id="badge-note" class={problem === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
            {problem !== null && <Icon name="circle-alert" size={18} />}
            {problem === null ? words.cashier.hint : `${problem.title}. ${problem.next}`}
          </p>
        </div>
      </div>
      <DialogFoot
        cancel={shut === null ? words.entry.cancel : null}
        onCancel={cashier.cancel}
        confirm={words.cashier.signIn}
        isIdle={asking.busy || asking.text === ''}
      />
    </ModalForm>
  );
}
