import { acceptsScanAttribute } from '../scanner/listen.ts';

interface FormFieldProps {
  readonly id: string;
  readonly label: string;
  /** What it takes. */
  readonly note?: string;
  /** What is wrong with it, in words. */
  readonly wrong?: string | null;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password';
  /** It is wanted now: a dialog leads there, so that it is typed into no other field. */
  readonly isAsked?: boolean;
  /** Digits, set wide apart. */
  readonly isCode?: boolean;
  readonly inputMode?: 'text' | 'numeric';
  readonly dir?: 'auto' | 'ltr';
  readonly maxLength?: number;
  /** What was entered is on its way, and stays as it is. */
  readonly isReadOnly?: boolean;
  /** A scan fills it. */
  readonly acceptsScan?: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  /** Keys that are pressed while nothing else takes them are its own. */
  readonly typesHere?: boolean;
}

/** A field of a dialog: its words above, what it takes or what is wrong below. */
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

/** Where a manager confirms something in a dialog that is open. */
export function PinField(
  props: Pick<FormFieldProps, 'id' | 'label' | 'value' | 'isReadOnly' | 'onInput' | 'typesHere'>,
) {
  return <FormField {...props} type="password" isAsked isCode inputMode="numeric" dir="ltr" maxLength={12} />;
}
