/** Keys further apart than a scanner's: a question mark that stands alone is a person's. */
const aloneForMs = 60;

/**
 * Opens the help for F1, and for a question mark that is typed by hand where nothing is being written: a scanner's code
 * may hold one too, and what somebody types is theirs.
 *
 * @returns a function that ends it
 */
export function openHelpByKey(page: Window, open: () => void): () => void {
  let timer: number | undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    page.clearTimeout(timer);
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (page.document.querySelector('dialog[open]') !== null) return;
    if (event.key === 'F1') {
      event.preventDefault();
      open();
      return;
    }
    const field = page.document.activeElement;
    const isWriting = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if ((event.key !== '?' && event.key !== '؟') || (isWriting && field.value !== '')) return;
    timer = page.setTimeout(() => {
      if (isWriting) {
        field.value = '';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      open();
    }, aloneForMs);
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
