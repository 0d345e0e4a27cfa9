import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  /** Of the element that carries its title. */
  readonly titleId: string;
  /** Its own class, beside the one of every dialog. */
  readonly look?: string;
  /** Where its content puts the focus later on. */
  readonly dialog?: RefObject<HTMLDialogElement | null>;
  /** Where the focus goes when it closes: to what had it before, or on to the next sale's find box. */
  readonly thenTo?: 'opener' | 'find_box';
  /** Escape was pressed. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
  readonly [mark: `data-${string}`]: string;
}

/** A dialog over the screen: the browser keeps the focus inside, and gives it first to what is marked `data-first`. */
export function Modal(props: ModalProps) {
  const { titleId, look = '', dialog: given, thenTo = 'opener', onLeave, children, ...marks } = props;
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  // Before the next key arrives: what is typed right after the press that opened it belongs in here.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    opened?.querySelector<HTMLElement>('[data-first]')?.focus();
    // Only one that is closed before it is taken away gives the focus back.
    return thenTo === 'opener' ? () => opened?.close() : undefined;
  }, [dialog, thenTo]);
  return (
    <dialog
      {...marks}
      ref={dialog}
      class={look === '' ? 'entry' : `entry ${look}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
      onKeyDown={(event) => {
        // An Enter that is held from before the dialog opened is not for it.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    >
      {children}
    </dialog>
  );
}

/** A dialog with one question or one form: Enter confirms, Escape leaves. */
export function ModalForm({ onConfirm, children, ...modal }: ModalProps & { readonly onConfirm: () => void }) {
  return (
    <Modal {...modal}>
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
      </form>
    </Modal>
  );
}
