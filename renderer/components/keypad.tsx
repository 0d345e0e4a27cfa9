import { useRef } from 'preact/hooks';
import { FirstIcon } from './first-icon.tsx';

interface KeypadProps<Key extends string> {
  /** Row by row. */
  readonly keys: readonly Key[];
  readonly label: string;
  readonly eraseLabel: string;
  /** How a key is written in the reader's digits. */
  readonly write: (key: string) => string;
  readonly onPress: (key: Key) => void;
  /** Called when the erasing key was held down, to erase everything. */
  readonly onClear?: () => void;
  /** Keys that do nothing here. They keep their place, so that the other keys never move. */
  readonly idleKeys?: readonly Key[];
  /** `pad`: the amount's keypad, which has one more column. */
  readonly look?: 'pad';
}

/** How long a key is pressed until it counts as held down. */
const heldMs = 600;

/**
 * Touch keys. They never take the focus from the field, so that keyboard, scanner and finger can be mixed. Digits go
 * from left to right, in Arabic too, as on every till.
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
  /** Since when the erasing key is down; infinite: it is not. */
  const downAtMs = useRef(Number.POSITIVE_INFINITY);
  const wasHeld = useRef(false);
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
            downAtMs.current = key === 'erase' ? event.timeStamp : Number.POSITIVE_INFINITY;
          }}
          onPointerUp={(event) => {
            // Only the finger's own times tell: a busy page gets the release of a tap late.
            if (onClear === undefined || event.timeStamp - downAtMs.current < heldMs) return;
            wasHeld.current = true;
            onClear();
          }}
          onPointerLeave={() => {
            downAtMs.current = Number.POSITIVE_INFINITY;
          }}
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
