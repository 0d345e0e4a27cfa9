import { useEffect, useRef, useState } from 'preact/hooks';
import { foldDigits } from '../../shared/lib/digits.ts';
import { maxPinLength } from '../../shared/till/limits.ts';
import { digitKeys } from '../components/digit-keys.ts';
import { Icon } from '../components/icon.tsx';
import { Keypad } from '../components/keypad.tsx';
import { countdown } from '../copy/format.ts';
import { useOtherHands } from '../frame/other-hands.ts';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';

/** Asks for a manager's PIN, by keyboard or touch keys. */
export function PinGate() {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const { session } = settings;
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useOtherHands(() => setPin(''));
  const gate = session.gate.value;
  if (gate === null) return null;
  const lockedMs = gate.lockedUntilMs === null ? 0 : gate.lockedUntilMs - frame.monotonicMs.value;
  const isLocked = lockedMs > 0;
  const open = (): void => {
    if (isLocked || pin === '') return;
    setPin('');
    field.current?.focus();
    void session.open(foldDigits(pin));
  };
  const trouble = useTrouble(isLocked ? lockedMs : null);
  return (
    <div class="gate">
      <form
        class="gate-card panel"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <div class="stack gap-2">
          <span class="tile tile-large tone-waiting">
            <Icon name="lock" size={28} />
          </span>
          <h2 class="title">{words.gate.title}</h2>
          <p class="quiet">{words.gate.about}</p>
          <label class="visually-hidden" for="settings-pin">
            {words.gate.label}
          </label>
          <input
            id="settings-pin"
            ref={field}
            class="text-input gate-pin"
            type="password"
            inputMode="numeric"
            dir="ltr"
            autoComplete="off"
            maxLength={maxPinLength}
            aria-invalid={trouble !== null}
            aria-describedby="settings-pin-note"
            readOnly={isLocked}
            value={pin}
            onInput={(event) => setPin(event.currentTarget.value)}
          />
          <p id="settings-pin-note" class={trouble === null ? 'field-note' : 'field-note field-error'} role="status">
            {trouble ?? words.gate.again}
          </p>
          <button
            type="submit"
            class="button button-primary button-large gate-open"
            aria-disabled={gate.busy || isLocked || pin === ''}
          >
            {gate.busy ? words.gate.checking : words.gate.open}
          </button>
        </div>
        <Keypad
          keys={digitKeys}
          label={words.gate.keypad}
          eraseLabel={words.gate.erase}
          idleKeys={isLocked ? digitKeys : ['clear']}
          write={(key) => (key === 'clear' ? '' : frame.format.value.digits(key))}
          onPress={(key) => {
            field.current?.focus();
            if (key === 'erase') setPin(pin.slice(0, -1));
            else if (key !== 'clear' && pin.length < maxPinLength) setPin(pin + key);
          }}
        />
      </form>
    </div>
  );
}

/** @param lockedMs how long PINs are locked; null when they are not */
function useTrouble(lockedMs: number | null): string | null {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const failure = settings.session.gate.value?.failure ?? null;
  const format = frame.format.value;
  if (lockedMs !== null) return words.gate.locked(format.digits(countdown(lockedMs)));
  if (failure === null || failure.code === 'pin_locked') return null;
  if (failure.code !== 'pin_wrong') return frame.words.value.errors[failure.code].title;
  const left = Number(failure.details?.[0] ?? Number.NaN);
  return Number.isNaN(left) ? words.gate.wrongPlain : words.gate.wrong(left, format.number(left));
}
