/** The find box carries this id; there is one. */
export const findBoxId = 'find-box';

const textFields = 'input:not([type=radio]):not([type=checkbox]), textarea, select';

/**
 * Keeps the find box under the cashier's fingers: it has the focus whenever nothing else has, and takes what is typed
 * while a button has it. An open dialog keeps its focus to itself.
 *
 * @returns a function that ends it
 */
export function keepFindFocused(page: Window): () => void {
  const { document } = page;
  const findBox = (): HTMLElement | null => document.getElementById(findBoxId);
  const dialogIsOpen = (): boolean => document.querySelector('dialog[open]') !== null;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.altKey || event.metaKey) return;
    if (dialogIsOpen() || document.activeElement?.matches(textFields) === true) return;
    findBox()?.focus();
  };
  const refocus = (): void => {
    page.requestAnimationFrame(() => {
      const active = document.activeElement;
      if ((active === null || active === document.body) && !dialogIsOpen()) findBox()?.focus({ preventScroll: true });
    });
  };

  page.addEventListener('keydown', onKeyDown, { capture: true });
  document.addEventListener('focusout', refocus);
  document.addEventListener('click', refocus);
  page.addEventListener('focus', refocus);
  // A focused button that disappears sends no focusout in every browser.
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
