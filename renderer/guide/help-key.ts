/** A scanner's keys have shorter pauses, so a question mark with longer pauses is a person's. */
const aloneForMs = 60;

/**
 * Opens the help for F1, and for a question mark that a person types outside of a text field. A scanned code may have a
 * question mark, too.
 *
 * @returns a function that ends this
 */
export function openHelpByKey(page: Window, open: () => void): () => void {
  let timer: number | undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    page.clearTimeout(timer);
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (page.document.querySelector('dialog') !== null) return;
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
