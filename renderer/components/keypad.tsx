import { FirstIcon } from './first-icon.tsx';
import { TouchKey } from './touch-key.tsx';

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
  return (
    <fieldset class={look === undefined ? 'keypad' : `keypad ${look}`} aria-label={label} dir="ltr">
      {keys.map((key) => (
        <TouchKey
          key={key}
          class="key"
          disabled={idleKeys.includes(key)}
          aria-label={key === 'erase' ? eraseLabel : undefined}
          data-key={key}
          onPress={() => onPress(key)}
          onHold={key === 'erase' ? onClear : undefined}
        >
          {key === 'erase' ? <FirstIcon name="delete" size={24} /> : write(key)}
        </TouchKey>
      ))}
    </fieldset>
  );
}
