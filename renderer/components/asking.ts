import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Nobody sees a question, reads it and answers sooner: an Enter within this time was meant for what stood there before. */
const readMs = 300;

interface Asking {
  /** Changes when something else is asked for: what is marked `data-first` then has the focus. */
  readonly step: string;
  /**
   * Why the last Confirm came to nothing; null when nothing is wrong. A new one leads to the field that is wrong, to what
   * is asked for now (`data-asked`), or to what is marked `data-first`, with its text selected: what is typed next takes
   * its place.
   */
  readonly mistake: object | string | null;
}

/** Leads whoever types to what is asked for, each step to its first field. */
export function useLead(root: RefObject<HTMLElement | null>, { step, mistake }: Asking): void {
  useLayoutEffect(() => lead(root.current?.querySelector<HTMLElement>('[data-first]')), [root, step]);
  // That a mistake is gone moves nothing: somebody is typing by then.
  useLayoutEffect(() => {
    if (mistake === null) return;
    const places = ['[aria-invalid=true]', '[data-asked]', '[data-first]'];
    const [place] = places.flatMap((one) => root.current?.querySelector<HTMLElement>(one) ?? []);
    lead(place);
  }, [root, mistake]);
}

/**
 * Keeps a press from answering what nobody can have read.
 *
 * @param filled names what another hand has filled in; with another one, what stands there is new to whoever presses
 */
export function useRead(
  root: RefObject<HTMLElement | null>,
  filled: string | null = null,
): {
  readonly onInput: () => void;
  /** Swallows the Enter that is not for it. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Swallows the click that was meant for what was filled in before. */
  readonly onClick: (event: MouseEvent) => void;
} {
  const openedWith = useRef(filled);
  const shownAtMs = useRef(0);
  const isTypedInto = useRef(false);
  useLayoutEffect(() => {
    shownAtMs.current = performance.now();
    isTypedInto.current = false;
  }, [filled]);
  // Too early, unless it ends an amount that was typed: before it opened or since.
  const isUnread = (event: Event): boolean => {
    const isBegun = isTypedInto.current || root.current?.querySelector('[data-first=end]') != null;
    return !isBegun && event.timeStamp - shownAtMs.current < readMs;
  };
  return {
    onInput() {
      isTypedInto.current = true;
    },
    onKeyDown(event) {
      // An Enter that is held from before is not for it.
      if (event.key === 'Enter' && (event.repeat || isUnread(event))) event.preventDefault();
    },
    onClick(event) {
      if (filled !== openedWith.current && isUnread(event)) event.preventDefault();
    },
  };
}

/**
 * The one place that selects a field's text for whoever types next. `data-first="end"` was begun before and is gone on
 * with, and so is what is asked for.
 */
export function lead(wanted: HTMLElement | null | undefined): void {
  wanted?.focus();
  if (!(wanted instanceof HTMLInputElement)) return;
  const isBegun = wanted.dataset['first'] === 'end' || wanted.dataset['asked'] !== undefined;
  if (isBegun) wanted.setSelectionRange(wanted.value.length, wanted.value.length);
  else wanted.select();
}
