import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useModel } from '../model.ts';
import { noteClosed, useLead, useRead } from './asking.ts';

interface ModalProps {
  /** The id of the element with the title. */
  readonly titleId: string;
  /** The dialog's own class, in addition to the class of every dialog. */
  readonly look?: string;
  /** For content that moves the focus later on. */
  readonly dialog?: RefObject<HTMLDialogElement | null>;
  /** Where the focus goes when it closes: to what had it before, or on to the next sale's find box. */
  readonly thenTo?: 'opener' | 'find_box';
  /**
   * Changes when the dialog asks for something else. Then what is marked `data-first` gets the focus, and nothing is
   * confirmed by a press that was meant for what was there before.
   */
  readonly step?: string;
  /** Why the last Confirm failed; null when nothing is wrong. */
  readonly mistake?: object | string | null;
  /** How often Confirm was pressed. */
  readonly tries?: number;
  /** Whether an answer is waited for. Then no key and no click changes a field: what it shows is what was asked for. */
  readonly busy?: boolean;
  /** Escape was pressed. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
  readonly [mark: `data-${string}`]: string;
}

/**
 * A dialog over the screen, open as long as it is in the page. The browser keeps the focus inside. What is marked
 * `data-first` gets it first.
 */
export function Modal(props: ModalProps) {
  const { titleId, look = '', dialog: given, thenTo = 'opener', onLeave, children, ...others } = props;
  const { step = '', mistake = null, tries = 0, busy = false, ...marks } = others;
  const { presses } = useModel();
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  // The dialog opens before the next key arrives, because keys after the press that opened it belong to the dialog.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // A browser gives the focus back only when the dialog is closed before it is removed.
    return () => {
      noteClosed(presses.pressedAtMs());
      if (thenTo === 'opener') opened?.close();
    };
  }, [dialog, thenTo, presses]);
  const focused = useRef<Element | null>(null);
  useLead(dialog, { step, mistake, tries });
  const read = useRead(dialog, step);
  const keepWhileBusy = (event: Event): void => {
    if (busy) event.preventDefault();
  };
  return (
    <dialog
      {...marks}
      ref={dialog}
      class={look === '' ? 'entry' : `entry ${look}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        focused.current = document.activeElement;
        onLeave();
      }}
      onClose={() => {
        // A browser closes a dialog at the third Escape or so, also one that stays because it waits for an answer.
        const closed = dialog.current;
        if (closed === null || closed.open) return;
        closed.showModal();
        if (focused.current instanceof HTMLElement) focused.current.focus();
      }}
      onBeforeInput={keepWhileBusy}
      onClick={(event) => {
        keepWhileBusy(event);
        read.onClick(event);
      }}
      onInput={read.onInput}
      onKeyDown={read.onKeyDown}
    >
      {children}
    </dialog>
  );
}

/** A dialog with one question or one form. Enter confirms and Escape leaves. */
export function ModalForm({
  onConfirm,
  children,
  ...modal
}: Omit<ModalProps, 'tries'> & { readonly onConfirm: () => void }) {
  const [tries, setTries] = useState(0);
  return (
    <Modal {...modal} tries={tries}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTries(tries + 1);
          onConfirm();
        }}
      >
        {children}
      </form>
    </Modal>
  );
}
