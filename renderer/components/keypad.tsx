import { Icon } from './icon.tsx';

interface KeypadProps<Key extends string> {
  /** Twelve keys, row by row. */
  readonly keys: readonly Key[];
  readonly label: string;
  readonly eraseLabel: string;
  /** How a key is written in the reader's digits. */
  readonly write: (key: string) => string;
  readonly onPress: (key: Key) => void;
  /** Keys that mean nothing here; they keep their place, so that the others never move. */
  readonly idleKeys?: readonly Key[];
}

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
  idleKeys = [],
}: KeypadProps<Key>) {
  return (
    <fieldset class="keypad" aria-label={label} dir="ltr">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          class="key"
          tabIndex={-1}
          disabled={idleKeys.includes(key)}
          aria-label={key === 'erase' ? eraseLabel : undefined}
          data-key={key}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPress(key)}
        >
          {key === 'erase' ? <Icon name="delete" size={24} /> : write(key)}
        </button>
      ))}
    </fieldset>
  );
}
