import { maxPinLength } from '../../shared/till/limits.ts';
import { useOtherHands } from '../frame/other-hands.ts';
import { acceptsScanAttribute } from '../scanner/listen.ts';

interface FormFieldProps {
  readonly id: string;
  readonly label: string;
  /** What the field accepts. */
  readonly note?: string;
  /** What is wrong with the text, in words. */
  readonly wrong?: string | null;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password';
  /** Asked for now. The dialog moves the focus here, so that the answer is typed into no other field. */
  readonly isAsked?: boolean;
  /** Whether the field holds digits, which are written with wide spaces. */
  readonly isCode?: boolean;
  readonly inputMode?: 'text' | 'numeric';
  readonly dir?: 'auto' | 'ltr';
  readonly maxLength?: number;
  /** Whether the text is being sent and cannot be changed. */
  readonly isReadOnly?: boolean;
  /** Whether a scan fills the field. */
  readonly acceptsScan?: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  /** Takes the keys that are pressed while nothing else has the focus. */
  readonly typesHere?: boolean;
}

/** A field of a dialog: its label above, and below it what it accepts or what is wrong. */
export function FormField(props: FormFieldProps) {
  const { id, label, note, wrong = null, value, onInput, acceptsScan = false, isFirst = false } = props;
  const below = wrong ?? note;
  return (
    <div class="receipt">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class={props.isCode === true ? 'text-input code-input' : 'text-input'}
        data-asked={props.isAsked}
        {...(props.type === 'password' ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
        inputMode={props.inputMode ?? 'text'}
        dir={props.dir ?? 'auto'}
        spellcheck={false}
        autoComplete="off"
        maxLength={props.maxLength ?? 255}
        aria-invalid={wrong !== null}
        aria-describedby={below === undefined ? undefined : `${id}-note`}
        readOnly={props.isReadOnly ?? false}
        data-first={isFirst ? '' : undefined}
        data-types-here={props.typesHere === true ? '' : undefined}
        {...(acceptsScan ? { [acceptsScanAttribute]: '' } : {})}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {below !== undefined && (
        <p id={`${id}-note`} class={wrong === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
          {below}
        </p>
      )}
    </div>
  );
}

/** The field for the PIN of a manager who confirms something in an open dialog. Empty again for whoever comes next. */
export function PinField(
  props: Pick<FormFieldProps, 'id' | 'label' | 'value' | 'isReadOnly' | 'onInput' | 'typesHere'>,
) {
  useOtherHands(() => props.onInput(''));
  return <FormField {...props} type="password" isAsked isCode inputMode="numeric" dir="ltr" maxLength={maxPinLength} />;
}
