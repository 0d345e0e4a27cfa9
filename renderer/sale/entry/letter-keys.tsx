import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icon.tsx';
import { TouchKey } from '../../components/touch-key.tsx';
import { typeInto } from '../../components/type-into.ts';
import { useModel } from '../../model.ts';
import { receiptFieldId } from './receipt-field.tsx';

/** Row by row, as on a keyboard. Receipt numbers have only Latin letters and digits. */
const rows = ['1234567890', 'QWERTYUIOP', 'ASDFGHJKL', '-ZXCVBNM'] as const;

/** Touch keys for the receipt's number, in the keypad's place. They never take the focus from the field. */
export function LetterKeys() {
  const { frame, sale } = useModel();
  const words = frame.words.value.keys;
  const press = (key: string): void => {
    const field = document.getElementById(receiptFieldId);
    if (field instanceof HTMLInputElement) typeInto(field, key);
  };
  return (
    <fieldset class="letters" aria-label={words.toLetters} dir="ltr">
      {rows.map((row) =>
        Array.from(row, (key, index) => (
          <Key key={key} name={key} isIndented={row.startsWith('A') && index === 0} onPress={() => press(key)}>
            {key}
          </Key>
        )),
      )}
      <Key name="erase" label={words.erase} onPress={() => press('erase')}>
        <Icon name="delete" size={24} />
      </Key>
      <Key name="digits" label={`${words.toDigits} 123`} onPress={() => sale.turnToReceipt(false)}>
        123
      </Key>
    </fieldset>
  );
}

interface KeyProps {
  readonly name: string;
  readonly label?: string;
  readonly isIndented?: boolean;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

function Key({ name, label, isIndented = false, onPress, children }: KeyProps) {
  return (
    <TouchKey class={isIndented ? 'key key-indented' : 'key'} data-key={name} aria-label={label} onPress={onPress}>
      {children}
    </TouchKey>
  );
}
