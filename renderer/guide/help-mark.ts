/** A scanner's keys have shorter pauses, so a question mark with longer pauses before and after it is a person's. */
const aloneForMs = 60;

interface HelpByMark {
  readonly open: () => void;
  readonly close: () => void;
}

/**
 * Opens the help for a question mark that a person types outside of a text field. A scanned code may have a question mark,
 * too. A busy page gets the keys late, so the times of the presses count: when the next key of a scan comes after the help
 * was opened, the help is closed again.
 *
 * @returns a function that ends this
 */
export function openHelpByMark(page: Window, { open, close }: HelpByMark): () => void {
  let timer: number | undefined;
  let lastCharacterAtMs = Number.NEGATIVE_INFINITY;
  let openedAtMs = Number.NEGATIVE_INFINITY;

  const onKeyDown = (event: KeyboardEvent): void => {
    page.clearTimeout(timer);
    const pressedAtMs = event.timeStamp;
    const isCharacter = event.key.length === 1;
    const followsAtOnce = pressedAtMs - lastCharacterAtMs < aloneForMs;
    if (isCharacter) lastCharacterAtMs = pressedAtMs;
    if (isCharacter && pressedAtMs - openedAtMs < aloneForMs) {
      openedAtMs = Number.NEGATIVE_INFINITY;
      close();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (page.document.querySelector('dialog') !== null) return;
    const field = page.document.activeElement;
    const isWriting = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if ((event.key !== '?' && event.key !== '؟') || followsAtOnce || (isWriting && field.value !== '')) return;
    timer = page.setTimeout(() => {
      if (isWriting) {
        field.value = '';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      openedAtMs = pressedAtMs;
      open();
    }, aloneForMs);
  };
  // Before the help's own dialog, which may keep a key to itself.
  page.addEventListener('keydown', onKeyDown, { capture: true });
  return () => page.removeEventListener('keydown', onKeyDown, { capture: true });
}
