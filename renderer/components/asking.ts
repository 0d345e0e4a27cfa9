import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Nobody can read a question and answer it within this time, so an Enter was meant for what was there before. */
const readMs = 300;

/** When a dialog closed last, by the clock of the page's events. */
let closedAtMs = Number.NEGATIVE_INFINITY;

/** When the press was made that closed it. A busy page closes it later. */
let leftAtMs = closedAtMs;

/**
 * A dialog closes: a press until somebody can have seen that is not meant for what was beneath it.
 *
 * @param pressedAtMs when the press was made that closes it; now, where none does
 */
export function noteClosed(pressedAtMs: number): void {
  closedAtMs = performance.now();
  leftAtMs = pressedAtMs;
}

/** The last key that can move the focus: where it was pressed, and when. */
let moving: { readonly from: EventTarget | null; readonly atMs: number } = { from: null, atMs: 0 };

/**
 * Whether a press came before the dialog was left, or too soon after it closed. A press on what a key has chosen or begun
 * since then is not too soon.
 */
const isForClosed = ({ target, timeStamp }: Event, isBegun: boolean): boolean =>
  timeStamp < leftAtMs ||
  (!isBegun && timeStamp - closedAtMs < readMs && (moving.atMs < leftAtMs || moving.from === target));

/** Whether a key presses what has the focus, or sends its form. Space is typed into a text, and ticks a box. */
function isPress({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' || (key === ' ' && !(target instanceof Element && target.matches('input, textarea, select')));
}

/** The field that was typed into last, and when. */
let typed: { readonly field: EventTarget | null; readonly atMs: number } = { field: null, atMs: 0 };

/** What was typed since a dialog closed may be sent at once. */
export function noteTyped({ target, timeStamp }: Event): void {
  typed = { field: target, atMs: timeStamp };
}

/** Ignores a press on what a dialog stood over, which was meant for the dialog. Entries and dialogs decide that themselves. */
export function stopForClosed(event: KeyboardEvent): void {
  if (/^(Tab|Arrow)/.test(event.key)) moving = { from: event.target, atMs: event.timeStamp };
  const decides = event.target instanceof Element && event.target.closest('dialog, [data-entry]') !== null;
  const isBegun = typed.field === event.target && typed.atMs > closedAtMs;
  if (!decides && isPress(event) && isForClosed(event, isBegun)) event.preventDefault();
}

interface Asking {
  /** Changes when something else is asked for. Then the element marked `data-first` gets the focus. */
  readonly step: string;
  /**
   * Why the last Confirm failed; null when nothing is wrong. A new mistake moves the focus to the wrong field, else to
   * what is asked for now (`data-asked`), else to what is marked `data-first`.
   */
  readonly mistake: object | string | null;
  /** How often Confirm was pressed, where that is known: the same mistake once more moves the focus once more. */
  readonly tries?: number;
}

/** Moves the focus to what is asked for, at each step and at each mistake. */
export function useLead(root: RefObject<HTMLElement | null>, { step, mistake, tries }: Asking): void {
  useLayoutEffect(() => lead(root.current?.querySelector<HTMLElement>('[data-first]')), [root, step]);
  // The focus does not move when a mistake is gone, because somebody is typing then.
  useLayoutEffect(() => {
    if (mistake === null) return;
    const places = ['[aria-invalid=true]', '[data-asked]', '[data-first]'];
    const [place] = places.flatMap((one) => root.current?.querySelector<HTMLElement>(one) ?? []);
    lead(place);
  }, [root, mistake, tries]);
}

/**
 * Ignores a press that comes too early for anybody to have read the question.
 *
 * @param filled names what a POS program has filled in; when it changes, the content is new to the cashier
 */
export function useRead(
  root: RefObject<HTMLElement | null>,
  filled: string | null = null,
): {
  readonly onInput: () => void;
  /** Ignores an Enter or a Space that comes too early. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Ignores a click that was meant for the content before. */
  readonly onClick: (event: MouseEvent) => void;
} {
  const openedWith = useRef(filled);
  const shownAtMs = useRef(0);
  /** When something was typed last; 0: nothing was. */
  const typedAtMs = useRef(0);
  useLayoutEffect(() => {
    shownAtMs.current = performance.now();
    typedAtMs.current = 0;
  }, [filled]);
  // Too early, unless something was typed. Then the press ends what was typed, before the question opened or since.
  const isUnread = (event: Event): boolean => {
    const isBegun = typedAtMs.current > 0 || root.current?.querySelector('[data-first=end]') != null;
    return !isBegun && event.timeStamp - shownAtMs.current < readMs;
  };
  // What opened since the dialog closed was not beneath it, and what was typed since is no longer what was beneath it.
  const wasBeneath = (): boolean => Math.max(shownAtMs.current, typedAtMs.current) < closedAtMs;
  return {
    onInput() {
      typedAtMs.current = performance.now();
    },
    onKeyDown(event) {
      // A key that was held down since before is ignored, too.
      const isEarly = event.repeat || isForClosed(event, !wasBeneath()) || isUnread(event);
      if (isEarly && isPress(event)) event.preventDefault();
    },
    onClick(event) {
      if (filled !== openedWith.current && isUnread(event)) event.preventDefault();
    },
  };
}

/**
 * Focuses a field and selects its text, so that the next key replaces it. The text of `data-first="end"`, and of what
 * is asked for now, is kept: the next key goes to its end.
 */
export function lead(wanted: HTMLElement | null | undefined): void {
  wanted?.focus();
  if (!(wanted instanceof HTMLInputElement)) return;
  const isBegun = wanted.dataset.first === 'end' || wanted.dataset.asked !== undefined;
  if (isBegun) goBehind(wanted);
  else wanted.select();
}

/** Lets the next key go behind the text of a field, instead of replacing what is selected. */
export function goBehind(field: HTMLInputElement): void {
  field.setSelectionRange(field.value.length, field.value.length);
}
