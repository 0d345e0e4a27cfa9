import { idleScanner, type ScannerState, takeKey } from './scanner.ts';

type TextField = HTMLInputElement;

/** A field may say that a scan belongs into it, such as the receipt number. */
export const acceptsScanAttribute = 'data-accepts-scan';

/** What keys prove to be. */
interface ScannerListener {
  /** A key that may be the first of a scan, before any field has it. */
  readonly onBegin: () => void;
  /** The keys were a scan's; the fields hold what they held before them. */
  readonly onPutBack: () => void;
  /** Whether a code may be a PIN: then a focused PIN field keeps it, and nobody else ever hears of it. */
  readonly canBePin: (code: string) => boolean;
  /** Each code that no field asked for. */
  readonly onScan: (code: string) => void;
}

/**
 * Listens before every other listener of the page, so that a scan ends nowhere but here. The characters of a burst go
 * into the focused field at first, as nobody can know yet; when it proves to be a scan the field is put back.
 *
 * @returns a function that stops listening
 */
export function listenToScanner(target: Window, { onBegin, onPutBack, canBePin, onScan }: ScannerListener): () => void {
  let state: ScannerState = idleScanner;
  /** Every field that the burst has come by: a dialog may open under it. */
  let under: readonly Under[] = [];

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
        if (state.keyCount > 0) under = withFocused(under, target.document);
        return;
      case 'begin':
        under = withFocused([], target.document);
        onBegin();
        return;
      case 'scan':
        swallow(event);
        putBack(under);
        onPutBack();
        if (!fillFocused(target.document, effect.code, canBePin)) onScan(effect.code);
        under = [];
        return;
      case 'swallow':
        swallow(event);
        if (!effect.restore) return;
        putBack(under);
        onPutBack();
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

/** A field under the keys, and what it held before them. */
interface Under {
  readonly field: TextField;
  readonly value: string;
  /** All of it was selected: what is typed next takes its place. */
  readonly isSelected: boolean;
}

function withFocused(under: readonly Under[], page: Document): readonly Under[] {
  const field = page.activeElement;
  if (!(field instanceof HTMLInputElement) || under.some((known) => known.field === field)) return under;
  const { value, selectionStart, selectionEnd } = field;
  const isSelected = value !== '' && selectionStart === 0 && selectionEnd === value.length;
  return [...under, { field, value, isSelected }];
}

function putBack(under: readonly Under[]): void {
  for (const { field, value, isSelected } of under) {
    if (!field.isConnected || field.value === value) continue;
    setValue(field, value);
    if (isSelected) field.select();
  }
}

function fillFocused(page: Document, code: string, canBePin: (code: string) => boolean): boolean {
  const field = page.activeElement;
  if (!(field instanceof HTMLInputElement)) return false;
  const isPin = field.type === 'password' && field.inputMode === 'numeric' && canBePin(code);
  if ((!isPin && !field.hasAttribute(acceptsScanAttribute)) || field.readOnly) return false;
  setValue(field, code);
  return true;
}

// As if typed, so that whoever watches the field hears of it.
function setValue(field: TextField, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
