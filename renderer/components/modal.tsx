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
  /** Changes when the dialog comes to ask for something else: what is marked `data-first` then has the focus. */
  readonly step?: string;
  /**
   * Why the last Confirm came to nothing; null when nothing is wrong. A new one leads to the field that is wrong, to what
   * is asked for now (`data-asked`), or to what is marked `data-first`, with its text selected: what is typed next takes
   * its place.
   */
  readonly mistake?: object | string | null;
  /** Escape was pressed. */
  readonly onLeave: () => void;
  /** A key was pressed somewhere in it. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
  readonly [mark: `data-${string}`]: string;
}

/** Nobody sees a dialog, reads it and answers sooner: an Enter within this time was meant for what stood there before. */
const readMs = 300;

/** A dialog over the screen: the browser keeps the focus inside, and gives it first to what is marked `data-first`. */
export function Modal(props: ModalProps) {
  const { titleId, look = '', dialog: given, thenTo = 'opener', onLeave, onKeyDown, children, ...others } = props;
  const { step = '', mistake = null, ...marks } = others;
  const openedAtMs = useRef(0);
  const isTypedInto = useRef(false);
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  // Before the next key arrives: what is typed right after the press that opened it belongs in here.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    openedAtMs.current = performance.now();
    // Only one that is closed before it is taken away gives the focus back.
    return thenTo === 'opener' ? () => opened?.close() : undefined;
  }, [dialog, thenTo]);
  // Each step begins at its first field.
  useLayoutEffect(() => lead(dialog.current?.querySelector<HTMLElement>('[data-first]')), [dialog, step]);
  // That a mistake is gone moves nothing: somebody is typing by then.
  useLayoutEffect(() => {
    if (mistake === null) return;
    const root = dialog.current;
    const places = ['[aria-invalid=true]', '[data-asked]', '[data-first]'];
    const [place] = places.flatMap((one) => root?.querySelector<HTMLElement>(one) ?? []);
    lead(place);
  }, [dialog, mistake]);
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
      onInput={() => {
        isTypedInto.current = true;
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Enter') return;
        // An Enter that is held from before the dialog opened is not for it.
        if (event.repeat || isUnread(event)) event.preventDefault();
      }}
    >
      {children}
    </dialog>
  );

  /** Too early, unless it ends an amount that was typed: before the dialog opened or since. */
  function isUnread(event: KeyboardEvent): boolean {
    const isBegun = isTypedInto.current || dialog.current?.querySelector('[data-first=end]') != null;
    return !isBegun && event.timeStamp - openedAtMs.current < readMs;
  }
}

/**
 * The one place that selects a field's text for whoever types next. `data-first="end"` was begun before the dialog
 * opened and is gone on with, and so is what is asked for.
 */
function lead(wanted: HTMLElement | null | undefined): void {
  wanted?.focus();
  if (!(wanted instanceof HTMLInputElement)) return;
  const isBegun = wanted.dataset['first'] === 'end' || wanted.dataset['asked'] !== undefined;
  if (isBegun) wanted.setSelectionRange(wanted.value.length, wanted.value.length);
  else wanted.select();
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
