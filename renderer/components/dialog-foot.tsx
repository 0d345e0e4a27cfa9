import type { ComponentChildren } from 'preact';

interface DialogFootProps {
  /** Null: there is only one way out, the other button. */
  readonly cancel: string | null;
  readonly onCancel: () => void;
  readonly confirm: ComponentChildren;
  /** Confirm does nothing now. */
  readonly isIdle?: boolean;
  readonly isDangerous?: boolean;
  /** Confirm has the focus at this step: there is nothing to enter. */
  readonly isFirst?: boolean;
  /** More ways out, between the two. */
  readonly children?: ComponentChildren;
}

/** The ways out of a dialog; the last one confirms. */
export function DialogFoot({
  cancel,
  onCancel,
  confirm,
  isIdle = false,
  isDangerous = false,
  isFirst = false,
  children,
}: DialogFootProps) {
  return (
    <div class="entry-foot">
      {cancel !== null && (
        <button type="button" class="button button-outline button-large" onClick={onCancel}>
          {cancel}
        </button>
      )}
      {children}
      <button
        type="submit"
        class={`button ${isDangerous ? 'button-danger' : 'button-primary'} button-large entry-confirm`}
        aria-disabled={isIdle}
        data-first={isFirst ? '' : undefined}
      >
        {confirm}
      </button>
    </div>
  );
}
