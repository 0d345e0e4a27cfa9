import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { TillError } from '../../shared/till/api.ts';
import { useModel } from '../state/model.ts';
import { Icon, type IconName } from './icon.tsx';
import { useModal } from './use-modal.ts';

interface FormDialogProps {
  /** Unique on the page; the title carries it. */
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly icon?: IconName;
  readonly tone?: 'waiting' | 'warning' | 'danger' | 'success';
  readonly children?: ComponentChildren;
  readonly failure?: TillError | null;
  /** What to do about it. */
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

/** A dialog with one question or one form: Enter confirms, Escape leaves. */
export function FormDialog(props: FormDialogProps) {
  const { frame } = useModel();
  const { id, title, about, icon, tone = 'waiting', children, failure = null, cancel, confirm } = props;
  const { failureNext, busy = false, busyWord = confirm, isDangerous = false, onCancel, onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog, '[data-first]');
  // What is under way is waited for: its outcome would come to nobody.
  const leave = (): void => {
    if (!busy) onCancel();
  };
  return (
    <dialog
      ref={dialog}
      class="entry form-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onConfirm();
        }}
      >
        <header class="entry-head">
          {icon !== undefined && (
            <span class={`tile entry-tile tone-${tone}`}>
              <Icon name={icon} size={24} />
            </span>
          )}
          <div class="two-lines">
            <h2 id={id} class="entry-title">
              {title}
            </h2>
            {about !== undefined && <p class="quiet">{about}</p>}
          </div>
        </header>
        {children !== undefined && <div class="form-dialog-body">{children}</div>}
        {failure !== null && (
          <div class="notice tone-danger-solid entry-failure" role="alert" data-state={failure.code}>
            <Icon name="triangle-alert" size={24} />
            <span>
              <strong>{frame.words.value.errors[failure.code].title}</strong>
              <span class="notice-line">{failureNext ?? frame.words.value.errors[failure.code].next}</span>
            </span>
          </div>
        )}
        <div class="entry-foot">
          {cancel !== null && (
            <button type="button" class="button button-outline button-large" onClick={leave} aria-disabled={busy}>
              {cancel}
            </button>
          )}
          <button
            type="submit"
            class={`button ${isDangerous ? 'button-danger' : 'button-primary'} button-large entry-confirm`}
            aria-disabled={busy}
          >
            {busy ? busyWord : confirm}
          </button>
        </div>
      </form>
    </dialog>
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
        {...(acceptsScan ? { 'data-accepts-scan': '' } : {})}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-note`} class={wrong === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
        {wrong ?? note}
      </p>
    </div>
  );
}
