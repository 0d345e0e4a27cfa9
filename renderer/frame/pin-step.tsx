import { useRef } from 'preact/hooks';
import { maxPinLength } from '../../shared/till/limits.ts';
import { digitKeys } from '../components/digit-keys.ts';
import { Icon } from '../components/icon.tsx';
import { Keypad } from '../components/keypad.tsx';
import { useModel } from '../model.ts';
import type { Asking } from './cashier.ts';

interface PinStepProps {
  readonly name: string;
  readonly asking: Asking;
  readonly problem: string | null;
}

/** Asks for the PIN of the chosen cashier, by keyboard or touch keys. */
export function PinStep({ name, asking, problem }: PinStepProps) {
  const { frame, cashier } = useModel();
  const words = frame.words.value;
  const field = useRef<HTMLInputElement>(null);
  return (
    <div class="who-body who-pin">
      <div class="receipt">
        <label class="field-label who-whose" for="cashier-pin">
          {words.cashier.pinOf(name)}
        </label>
        <input
          id="cashier-pin"
          ref={field}
          class="text-input text-input-large code-input"
          type="password"
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          maxLength={maxPinLength}
          // Digits of the touch keys count as typed, so an Enter right after them is accepted.
          data-first={asking.text === '' ? '' : 'end'}
          readOnly={asking.busy}
          aria-invalid={problem !== null}
          aria-describedby="cashier-pin-note"
          value={asking.text}
          onInput={(event) => cashier.type(event.currentTarget.value)}
        />
        <p id="cashier-pin-note" class={problem === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
          {problem !== null && <Icon name="circle-alert" size={18} />}
          {problem ?? words.cashier.pinHint}
        </p>
      </div>
      <Keypad
        keys={digitKeys}
        label={words.cashier.pinKeys}
        eraseLabel={words.keys.erase}
        idleKeys={['clear']}
        write={(key) => (key === 'clear' ? '' : frame.format.value.digits(key))}
        onClear={() => cashier.type('')}
        onPress={(key) => {
          field.current?.focus();
          if (key === 'erase') cashier.type(asking.text.slice(0, -1));
          else if (key !== 'clear' && asking.text.length < maxPinLength) cashier.type(asking.text + key);
        }}
      />
    </div>
  );
}
