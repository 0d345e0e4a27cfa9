/** The id of the find box. There is only one. */
export const findBoxId = 'find-box';

/** Selects the open entry. */
const entryOnStage = '[data-entry]';
/** Selects the field of what is asked in front: of the entry, or of an undo. It takes the keys now. */
const askedField = '[data-types-here]';
const itsFirst = '[data-entry] [data-first]';

const textFields = 'input:not([type=radio]):not([type=checkbox]), textarea, select';

/**
 * Keeps the focus where the cashier types. Usually that is the find box: it gets the focus when nothing else has it,
 * and the keys that are typed while a button has it. During an entry, and while an undo asks for a PIN, it is their
 * field. An open dialog keeps its focus.
 *
 * @returns a function that ends this
 */
export function keepFindFocused(page: Window): () => void {
  const { document } = page;
  const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector);
  const isEntered = (): boolean => find(entryOnStage) !== null;
  const takesKeys = (): HTMLElement | null =>
    find(askedField) ?? (isEntered() ? null : document.getElementById(findBoxId));
  const atRest = (): HTMLElement | null => takesKeys() ?? find(itsFirst);
  const dialogIsOpen = (): boolean => document.querySelector('dialog') !== null;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.altKey || event.metaKey) return;
    if (dialogIsOpen() || document.activeElement?.matches(textFields) === true) return;
    takesKeys()?.focus();
  };
  const refocus = (): void => {
    page.requestAnimationFrame(() => {
      const active = document.activeElement;
      if ((active === null || active === document.body) && !dialogIsOpen()) atRest()?.focus({ preventScroll: true });
    });
  };

  page.addEventListener('keydown', onKeyDown, { capture: true });
  document.addEventListener('focusout', refocus);
  document.addEventListener('click', refocus);
  page.addEventListener('focus', refocus);
  // Not every browser sends a focusout when a focused button disappears.
  const observer = new MutationObserver(refocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    page.removeEventListener('keydown', onKeyDown, { capture: true });
    document.removeEventListener('focusout', refocus);
    document.removeEventListener('click', refocus);
    page.removeEventListener('focus', refocus);
    observer.disconnect();
  };
}
