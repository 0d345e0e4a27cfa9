import type { ComponentChildren } from 'preact';
import { touchClicks } from './fingers.ts';

interface DialogFootProps {
  /** Null: the dialog has only the other button. */
  readonly cancel: string | null;
  readonly onCancel: () => void;
  readonly confirm: ComponentChildren;
  /** Whether Confirm does nothing now. */
  readonly isIdle?: boolean;
  readonly isDangerous?: boolean;
  /** Whether Confirm has the focus at this step, because there is nothing to enter. */
  readonly isFirst?: boolean;
  /** More buttons, between the two. */
  readonly children?: ComponentChildren;
}

/** The buttons that end a dialog. The last one confirms. */
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
        <button {...touchClicks} type="button" class="button button-outline button-large" onClick={onCancel}>
          {cancel}
        </button>
      )}
      {children}
      <button
        {...touchClicks}
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
