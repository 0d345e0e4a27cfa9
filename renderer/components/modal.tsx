import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLead, useRead } from './asking.ts';

interface ModalProps {
  /** Of the element that carries its title. */
  readonly titleId: string;
  /** Its own class, beside the one of every dialog. */
  readonly look?: string;
  /** Where its content puts the focus later on. */
  readonly dialog?: RefObject<HTMLDialogElement | null>;
  /** Where the focus goes when it closes: to what had it before, or on to the next sale's find box. */
  readonly thenTo?: 'opener' | 'find_box';
  /** Changes when the dialog comes to ask for something else: what is marked `data-first` then has the focus. */
  readonly step?: string;
  /** Why the last Confirm came to nothing; null when nothing is wrong. */
  readonly mistake?: object | string | null;
  /** Escape was pressed. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
  readonly [mark: `data-${string}`]: string;
}

/** A dialog over the screen: the browser keeps the focus inside, and gives it first to what is marked `data-first`. */
export function Modal(props: ModalProps) {
  const { titleId, look = '', dialog: given, thenTo = 'opener', onLeave, children, ...others } = props;
  const { step = '', mistake = null, ...marks } = others;
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  // Before the next key arrives: what is typed right after the press that opened it belongs in here.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Only one that is closed before it is taken away gives the focus back.
    return thenTo === 'opener' ? () => opened?.close() : undefined;
  }, [dialog, thenTo]);
  useLead(dialog, { step, mistake });
  const read = useRead(dialog);
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
      onInput={read.onInput}
      onKeyDown={read.onKeyDown}
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
        class="stack"
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
