import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useModel } from '../model.ts';
import { Icon } from './icon.tsx';
import { TouchKey } from './touch-key.tsx';

/** Which keys are shown first. The cashier can change to the others. */
export type TouchMode = 'digits' | 'letters';

/** Three by three as on every till, with the rarer keys beside them. */
const digitKeys = ['1', '2', '3', 'erase', '4', '5', '6', '7', '8', '9', '+', 'letters', '0', '-'] as const;
/** Whether letters come as capitals: none, the next one, all. */
export type Capitals = 'none' | 'next' | 'all';
export type Script = 'latin' | 'arabic';

/**
 * Up to twelve keys in a row, at their places on a keyboard. The last row has room for the keys that change the keys.
 */
const scripts: Readonly<Record<Script, readonly string[]>> = {
  latin: `1 2 3 4 5 6 7 8 9 0 @ erase
    q w e r t y u i o p _ +
    a s d f g h j k l - . '
    shift z x c v b n m`.split(/\s+/),
  arabic: `1 2 3 4 5 6 7 8 9 0 @ erase
    ض ص ث ق ف غ ع ه خ ح ج د
    ش س ي ب ل ا ت ن م ك ط ذ
    ئ ء ؤ ر ى ة و ز ظ أ`.split(/\s+/),
};
const scriptMarks: Readonly<Record<Script, string>> = { latin: 'ABC', arabic: 'ابت' };

interface TouchKeysProps {
  readonly label: string;
  readonly mode: TouchMode;
  /** Card numbers are written in capitals. An e-mail is the same in either case. A name has one capital in front. */
  readonly capitals?: Capitals;
  readonly startsIn?: Script;
  readonly onKey: (key: string) => void;
}

/**
 * Touch keys: a keypad, or letters where digits are not enough. They never take the focus, so that keyboard, scanner
 * and finger can be mixed. `erase` removes the last character.
 */
export function TouchKeys({ label, mode, capitals = 'none', startsIn = 'latin', onKey }: TouchKeysProps) {
  const { frame } = useModel();
  const words = frame.words.value.keys;
  const [chosenMode, setMode] = useState<TouchMode | null>(null);
  const [script, setScript] = useState(startsIn);
  const [shift, setShift] = useState(capitals);
  const isShifted = shift !== 'none';
  const shownMode = chosenMode ?? mode;
  const other: Script = script === 'latin' ? 'arabic' : 'latin';
  const pressLetter = (key: string): void => {
    onKey(isShifted ? key.toUpperCase() : key);
    if (shift === 'next') setShift('none');
  };
  if (shownMode === 'digits') {
    return (
      <fieldset class="touch touch-digits" data-touch="digits" aria-label={label} dir="ltr">
        {digitKeys.map((key) =>
          key === 'letters' ? (
            <ChangeKey key={key} text={scriptMarks.latin} label={words.toLetters} onPress={() => setMode('letters')} />
          ) : key === 'erase' ? (
            <LetterKey key={key} name={key} label={words.erase} onPress={() => onKey(key)}>
              <Icon name="delete" size={24} />
            </LetterKey>
          ) : (
            <LetterKey key={key} name={key} onPress={() => onKey(key)}>
              {key}
            </LetterKey>
          ),
        )}
      </fieldset>
    );
  }
  return (
    <fieldset class="touch touch-letters" data-touch="letters" data-script={script} aria-label={label} dir="ltr">
      {scripts[script].map((key) =>
        key === 'shift' ? (
          <LetterKey
            key={key}
            name={key}
            label={words.shift}
            isPressed={isShifted}
            onPress={() => setShift(isShifted ? 'none' : 'all')}
          >
            <Icon name="arrow-big-up" size={22} />
          </LetterKey>
        ) : key === 'erase' ? (
          <LetterKey key={key} name={key} label={words.erase} onPress={() => onKey('erase')}>
            <Icon name="delete" size={22} />
          </LetterKey>
        ) : (
          <LetterKey key={key} name={key} onPress={() => pressLetter(key)}>
            {isShifted ? key.toUpperCase() : key}
          </LetterKey>
        ),
      )}
      {script === 'latin' && (
        <LetterKey name="space" label={words.space} onPress={() => onKey(' ')}>
          <span class="key-space" />
        </LetterKey>
      )}
      <ChangeKey
        text={scriptMarks[other]}
        label={other === 'arabic' ? words.toArabic : words.toLatin}
        onPress={() => setScript(other)}
      />
      {script === 'latin' ? (
        <ChangeKey text="123" label={words.toDigits} onPress={() => setMode('digits')} />
      ) : (
        <LetterKey name="space" label={words.space} onPress={() => onKey(' ')}>
          <span class="key-space" />
        </LetterKey>
      )}
    </fieldset>
  );
}

interface LetterKeyProps {
  readonly name: string;
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

function LetterKey({ name, label, isPressed, onPress, children }: LetterKeyProps) {
  return (
    <TouchKey class="key key-letter" data-key={name} aria-label={label} aria-pressed={isPressed} onPress={onPress}>
      {children}
    </TouchKey>
  );
}

function ChangeKey({
  text,
  label,
  onPress,
}: {
  readonly text: string;
  readonly label: string;
  readonly onPress: () => void;
}) {
  return (
    <TouchKey class="key key-change" aria-label={`${label} ${text}`} onPress={onPress}>
      {text}
    </TouchKey>
  );
}
