import { idleScanner, type ScannerState, takeKey } from './scanner.ts';

type TextField = HTMLInputElement;

/** A field may say that a scan belongs into it, such as the receipt number. */
export const acceptsScanAttribute = 'data-accepts-scan';

/**
 * Listens before every other listener of the page, so that a scan ends nowhere but here. The characters of a burst go
 * into the focused field at first, as nobody can know yet; when it proves to be a scan the field is put back.
 *
 * @param onScan is told of each code that no field asked for
 * @returns a function that stops listening
 */
export function listenToScanner(target: Window, onScan: (code: string) => void): () => void {
  let state: ScannerState = idleScanner;
  let under: { readonly field: TextField; readonly value: string } | null = null;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const [next, effect] = takeKey(state, {
      key: event.key,
      code: event.code,
      // When the key was pressed, not when a busy page came to hear of it.
      atMs: event.timeStamp,
      repeat: event.repeat,
      shift: event.shiftKey,
      chord: event.ctrlKey || event.altKey || event.metaKey,
    });
    state = next;
    switch (effect.kind) {
      case 'pass':
        return;
      case 'begin':
        under = focusedField(target.document);
        return;
      case 'scan':
        swallow(event);
        putBack(under);
        if (!fillAcceptingField(target.document, effect.code)) onScan(effect.code);
        under = null;
        return;
      case 'swallow':
        swallow(event);
        if (effect.restore) putBack(under);
        return;
    }
  };
  target.addEventListener('keydown', onKeyDown, { capture: true });
  return () => target.removeEventListener('keydown', onKeyDown, { capture: true });
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function focusedField(page: Document): { readonly field: TextField; readonly value: string } | null {
  const field = page.activeElement;
  return field instanceof HTMLInputElement ? { field, value: field.value } : null;
}

function putBack(under: { readonly field: TextField; readonly value: string } | null): void {
  if (under === null || under.field.value === under.value) return;
  setValue(under.field, under.value);
}

function fillAcceptingField(page: Document, code: string): boolean {
  const field = page.activeElement;
  if (!(field instanceof HTMLInputElement) || !field.hasAttribute(acceptsScanAttribute)) return false;
  setValue(field, code);
  return true;
}

// As if typed, so that whoever watches the field hears of it.
function setValue(field: TextField, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
