import { useRef } from 'preact/hooks';
import type { CancelTimer } from '../../shared/lib/clock.ts';
import { useModel } from '../model.ts';
import { FirstIcon } from './first-icon.tsx';

interface KeypadProps<Key extends string> {
  /** Row by row. */
  readonly keys: readonly Key[];
  readonly label: string;
  readonly eraseLabel: string;
  /** How a key is written in the reader's digits. */
  readonly write: (key: string) => string;
  readonly onPress: (key: Key) => void;
  /** The erasing key is held: all of it goes. */
  readonly onClear?: () => void;
  /** Keys that mean nothing here; they keep their place, so that the others never move. */
  readonly idleKeys?: readonly Key[];
  /** The amount's keypad has a column more. */
  readonly look?: 'pad';
}

/** So long is a key held that is meant to be held. */
const heldMs = 600;

/**
 * Keys for a finger. They never take the focus: the field keeps it, so that keyboard, scanner and finger mix. Digits
 * stand as on every till, left to right, in Arabic too.
 */
export function Keypad<Key extends string>({
  keys,
  label,
  eraseLabel,
  write,
  onPress,
  onClear,
  idleKeys = [],
  look,
}: KeypadProps<Key>) {
  const { clock } = useModel();
  const cancelHold = useRef<CancelTimer>(() => undefined);
  const wasHeld = useRef(false);
  const release = (): void => cancelHold.current();
  return (
    <fieldset class={look === undefined ? 'keypad' : `keypad ${look}`} aria-label={label} dir="ltr">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          class="key"
          tabIndex={-1}
          disabled={idleKeys.includes(key)}
          aria-label={key === 'erase' ? eraseLabel : undefined}
          data-key={key}
          onPointerDown={(event) => {
            event.preventDefault();
            wasHeld.current = false;
            if (key !== 'erase' || onClear === undefined) return;
            cancelHold.current = clock.setTimer(() => {
              wasHeld.current = true;
              onClear();
            }, heldMs);
          }}
          onPointerUp={release}
          onPointerLeave={release}
          onPointerCancel={release}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (!wasHeld.current) onPress(key);
            wasHeld.current = false;
          }}
        >
          {key === 'erase' ? <FirstIcon name="delete" size={24} /> : write(key)}
        </button>
      ))}
    </fieldset>
  );
}
