import type { ComponentChildren } from 'preact';
import type { TillError } from '../../shared/till/api.ts';
import type { Tone } from '../sale/outcome.ts';
import { acceptsScanAttribute } from '../scanner/listen.ts';
import { DialogFoot, DialogHead, FailureNotice } from './dialog-parts.tsx';
import type { IconName } from './icon.tsx';
import { ModalForm } from './modal.tsx';

interface FormDialogProps {
  /** Unique on the page; the title carries it. */
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  readonly children?: ComponentChildren;
  readonly failure?: TillError | null;
  /** What to do about it, where that is not what anybody would do. */
  readonly failureNext?: string | undefined;
  /** Null: there is only one way out, the other button. */
  readonly cancel: string | null;
  readonly confirm: string;
  readonly busyWord?: string;
  readonly busy?: boolean;
  readonly isDangerous?: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** A dialog with one question or one form: Enter confirms, Escape leaves; while it is busy neither does. */
export function FormDialog(props: FormDialogProps) {
  const { id, title, about, icon, tone = 'waiting', children, failure = null, cancel, confirm } = props;
  const { failureNext, busy = false, busyWord = confirm, isDangerous = false, onCancel, onConfirm } = props;
  const leave = (): void => {
    if (!busy) onCancel();
  };
  return (
    <ModalForm
      titleId={id}
      look="form-dialog"
      onLeave={leave}
      onConfirm={() => {
        if (!busy) onConfirm();
      }}
    >
      <DialogHead titleId={id} title={title} icon={icon} tone={tone}>
        {about !== undefined && <p class="quiet">{about}</p>}
      </DialogHead>
      {children !== undefined && <div class="form-dialog-body stack gap-3">{children}</div>}
      <FailureNotice failure={failure} advice={failureNext === undefined ? undefined : { next: failureNext }} />
      <DialogFoot
        cancel={cancel}
        onCancel={leave}
        confirm={busy ? busyWord : confirm}
        isIdle={busy}
        isDangerous={isDangerous}
      />
    </ModalForm>
  );
}

interface FormFieldProps {
  readonly id: string;
  readonly label: string;
  readonly note: string;
  /** What is wrong with it, in words. */
  readonly wrong: string | null;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly inputMode?: 'text' | 'numeric';
  readonly dir?: 'auto' | 'ltr';
  readonly maxLength?: number;
  /** A scan fills it. */
  readonly acceptsScan?: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
}

/** A field of a dialog: its words above, what it takes or what is wrong below. */
export function FormField(props: FormFieldProps) {
  const { id, label, note, wrong, value, onInput, acceptsScan = false, isFirst = false } = props;
  return (
    <div class="receipt">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="text-input"
        {...(props.type === 'password' ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
        inputMode={props.inputMode ?? 'text'}
        dir={props.dir ?? 'auto'}
        spellcheck={false}
        autoComplete="off"
        maxLength={props.maxLength ?? 255}
        aria-invalid={wrong !== null}
        aria-describedby={`${id}-note`}
        data-first={isFirst ? '' : undefined}
        {...(acceptsScan ? { [acceptsScanAttribute]: '' } : {})}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-note`} class={wrong === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
        {wrong ?? note}
      </p>
    </div>
  );
}
