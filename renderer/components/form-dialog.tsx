import type { ComponentChildren } from 'preact';
import type { TillError } from '../../shared/till/api.ts';
import type { Tone } from '../operation/outcome.ts';
import { DialogFoot } from './dialog-foot.tsx';
import { DialogHead, FailureNotice } from './dialog-parts.tsx';
import type { IconName } from './icon.tsx';
import { ModalForm } from './modal.tsx';

interface FormDialogProps {
  /** Unique on the page. The title has this id. */
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  readonly children?: ComponentChildren;
  /** What is wrong in a field, which gets the focus. */
  readonly problem?: string | null;
  readonly failure?: TillError | null;
  /** What to do about the failure, when the usual advice does not fit. */
  readonly failureNext?: string | undefined;
  /** Null: the dialog has only the other button. */
  readonly cancel: string | null;
  readonly confirm: string;
  readonly busyWord?: string;
  readonly busy?: boolean;
  readonly isDangerous?: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/**
 * A dialog with one question or one form. Enter confirms and Escape leaves. While it is busy, neither does anything.
 */
export function FormDialog(props: FormDialogProps) {
  const { id, title, about, icon, tone = 'waiting', children, problem = null, failure = null, cancel, confirm } = props;
  const { failureNext, busy = false, busyWord = confirm, isDangerous = false, onCancel, onConfirm } = props;
  const leave = (): void => {
    if (!busy) onCancel();
  };
  return (
    <ModalForm
      titleId={id}
      look="form-dialog"
      mistake={problem}
      busy={busy}
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
