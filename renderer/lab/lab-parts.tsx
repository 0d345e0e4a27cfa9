import type { ComponentChildren } from 'preact';
import { CopyButton } from '../components/copy-button.tsx';
import { DateField } from '../components/date-field.tsx';
import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead } from '../components/dialog-parts.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { useModel } from '../model.ts';
import { useLab } from './use-lab.ts';

// What the parts of the lab have in common.

/** Why the last press in this part was refused. */
export function Failure() {
  const { frame } = useModel();
  const { lab } = useLab();
  const failure = lab.failure.value;
  if (failure === null || failure.section !== lab.section.value) return null;
  const advice = frame.words.value.errors[failure.error.code];
  return (
    <div class="notice tone-danger" role="alert" data-state={failure.error.code}>
      <Icon name="triangle-alert" size={24} />
      <span>
        <strong>{advice.title}</strong>
        <span class="notice-line">{advice.next}</span>
      </span>
    </div>
  );
}

/** A list that has nothing in it yet. */
export function Hollow({ title, next }: { readonly title: string; readonly next: string }) {
  return (
    <p class="hollow">
      <strong>{title}</strong>
      {next}
    </p>
  );
}

export function Skeletons({ label }: { readonly label: string }) {
  return (
    <div class="lab-skeletons stack gap-2" role="status" aria-label={label}>
      {[1, 2, 3].map((row) => (
        <span key={row} class="skeleton skeleton-row" aria-hidden="true" />
      ))}
    </div>
  );
}

interface LabDialogProps {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly isWide?: boolean;
  /** What is wrong in a field, which gets the focus. */
  readonly problem?: string | null;
  readonly onClose: () => void;
  /** Null: it only shows something. */
  readonly confirm: { readonly label: string; readonly isDanger?: boolean; readonly run: () => void } | null;
  readonly children: ComponentChildren;
}

/** A dialog of the lab: Enter confirms, Escape leaves. */
export function LabDialog({
  id,
  title,
  icon,
  isWide = false,
  problem = null,
  onClose,
  confirm,
  children,
}: LabDialogProps) {
  const { lab, words } = useLab();
  const titleId = `${id}-title`;
  return (
    <ModalForm
      titleId={titleId}
      look={isWide ? 'lab-dialog lab-dialog-wide' : 'lab-dialog'}
      mistake={problem}
      onLeave={onClose}
      onConfirm={() => {
        if (confirm === null) onClose();
        else if (!lab.isBusy.value) confirm.run();
      }}
    >
      <DialogHead
        titleId={titleId}
        title={title}
        icon={icon}
        tone={confirm?.isDanger === true ? 'danger' : 'waiting'}
      />
      <div class="lab-dialog-body stack gap-4">{children}</div>
      <DialogFoot
        cancel={confirm === null ? null : words.cancel}
        onCancel={onClose}
        confirm={confirm === null ? words.close : confirm.label}
        isIdle={confirm !== null && lab.isBusy.value}
        isDangerous={confirm?.isDanger === true}
      />
    </ModalForm>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly type?: 'text' | 'datetime-local';
  readonly inputMode?: 'numeric' | 'decimal' | 'tel' | 'email' | 'text';
  readonly direction?: 'ltr' | 'auto';
  readonly isFirst?: boolean;
  readonly onInput: (value: string) => void;
}

/** A labelled field with its note, or what is wrong with it. */
export function Field(props: FieldProps) {
  const { id, label, note, problem, value, type = 'text', inputMode = 'text', direction = 'auto' } = props;
  const noteId = `${id}-note`;
  const common = {
    id,
    class: 'text-input',
    dir: direction,
    autoComplete: 'off',
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': note === undefined && problem === undefined ? undefined : noteId,
    'data-first': props.isFirst === true ? '' : undefined,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => props.onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {type === 'text' ? (
        <input {...common} type="text" inputMode={inputMode} maxLength={255} />
      ) : (
        <DateField
          id={id}
          kind={type}
          value={value}
          none="–"
          describedBy={common['aria-describedby']}
          isWrong={problem !== undefined}
          onChange={props.onInput}
        />
      )}
      {(note !== undefined || problem !== undefined) && (
        <p id={noteId} class={problem === undefined ? 'field-note' : 'field-note field-error'} aria-live="polite">
          {problem ?? note}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

export function Choice({ id, label, value, choices, onChoose }: ChoiceProps) {
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select id={id} class="text-input" value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly note?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Check({ label, note, isChecked, onChange }: CheckProps) {
  return (
    <label class="lab-check row gap-3">
      <input
        type="checkbox"
        class="check"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="two-lines">
        <span>{label}</span>
        {note !== undefined && <span class="field-note">{note}</span>}
      </span>
    </label>
  );
}

interface PressProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly look?: 'outline' | 'ghost' | 'primary';
  readonly describedAs?: string;
  readonly onPress: () => void;
}

/** A button that is disabled while another press is being sent. */
export function Press({ label, icon, look = 'outline', describedAs, onPress }: PressProps) {
  const { lab } = useLab();
  return (
    <button
      type="button"
      class={`button button-${look}`}
      aria-label={describedAs}
      aria-disabled={lab.isBusy.value}
      onClick={() => {
        if (!lab.isBusy.value) onPress();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </button>
  );
}

/** A button that copies the text beside it, which is marked `data-copy`. */
export function Copy({ text, describedAs }: { readonly text: string; readonly describedAs: string }) {
  const { words } = useLab();
  return <CopyButton text={text} label={words.copy} doneLabel={words.copied} describedAs={describedAs} />;
}
