import { maxPinLength } from '../../shared/till/limits.ts';
import { useWords } from '../copy/use-words.ts';
import { useOtherHands } from '../frame/other-hands.ts';
import type { Closing } from './state.ts';
import { useDayClose } from './use-day-close.ts';

/** The name on a closing: the cashier's, a typed one, or that of the manager whose PIN is typed. */
export function Signature({ closing }: { readonly closing: Closing }) {
  const own = useWords('day-close').dialog;
  const dayClose = useDayClose();
  useOtherHands(dayClose.forgetPin);
  const { problem, by, pin } = closing;
  const signer = dayClose.signer.value;
  const isManager = signer.as === 'manager';
  const isMissing = problem === 'by_missing';
  const words = isManager
    ? { label: own.pin, note: own.pinNote, missing: own.pinMissing }
    : { label: own.by, note: own.byNote, missing: own.byMissing };
  const shared = {
    id: 'close-by',
    'data-first': '',
    autoComplete: 'off',
    'aria-invalid': isMissing,
    'aria-describedby': 'close-by-note',
  };
  return (
    <div class="receipt">
      <label class="field-label" for="close-by">
        {words.label}
      </label>
      {isManager ? (
        <input
          {...shared}
          data-asked=""
          class="text-input code-input"
          type="password"
          inputMode="numeric"
          dir="ltr"
          maxLength={maxPinLength}
          value={pin}
          onInput={({ currentTarget }) => dayClose.change({ pin: currentTarget.value })}
        />
      ) : (
        <input
          {...shared}
          class="text-input text-input-large"
          type="text"
          dir="auto"
          maxLength={255}
          readOnly={signer.as === 'cashier'}
          value={signer.as === 'cashier' ? signer.name : by}
          onInput={({ currentTarget }) => dayClose.change({ by: currentTarget.value })}
        />
      )}
      <p id="close-by-note" class={isMissing ? 'field-note field-error' : 'field-note'} aria-live="polite">
        {isMissing ? words.missing : words.note}
      </p>
    </div>
  );
}
