import { burstGapMs, forgetScan, idleScanner, type ScannerState, takeKey } from './scanner.ts';

type TextField = HTMLInputElement;

/** A field may say that a scan belongs into it, such as the receipt number. */
export const acceptsScanAttribute = 'data-accepts-scan';

/** Keys that go on have come by then, also on a busy machine. */
const keysEndMs = 500;

/** What the listener reports about keys. */
interface ScannerListener {
  /** When the press was made that is handled now, by the clock of the page's events. */
  readonly pressedAtMs: () => number;
  /** A key came that may be the first of a scan. No field has it yet. */
  readonly onBegin: () => void;
  /** The keys were a scan. The fields hold again what they held before. */
  readonly onPutBack: () => void;
  /** Whether a code may be a PIN. Then a focused PIN field takes it, and it is not reported. */
  readonly canBePin: (code: string) => boolean;
  /** A click that leaves nobody in front has let them go. Their card may be scanned again at once. */
  readonly isNobodyInFront: () => boolean;
  /** Takes each code that no field asked for. */
  readonly onScan: (code: string) => void;
}

/**
 * Listens before every other listener of the page, so that no other one sees the end of a scan. The first characters go
 * into the focused field, because they may be typed by a person. When they turn out to be a scan, the field gets its
 * old text back. A form that a finger sends between two of them waits until that is known: nobody has typed what is in its
 * field.
 *
 * @returns a function that stops listening
 */
export function listenToScanner(
  target: Window,
  { pressedAtMs, onBegin, onPutBack, canBePin, isNobodyInFront, onScan }: ScannerListener,
): () => void {
  let state: ScannerState = idleScanner;
  /** Every field that had the focus during the burst. A dialog may open in the middle of it. */
  let under: readonly Under[] = [];
  /** The form that was sent in the middle of the keys, and the timer that sends it on. */
  let held: { readonly form: HTMLFormElement; readonly timer: number } | null = null;

  const letGo = (): HTMLFormElement | null => {
    const form = held?.form ?? null;
    target.clearTimeout(held?.timer);
    held = null;
    return form;
  };
  const sendHeld = (): void => {
    const form = letGo();
    if (form?.isConnected === true) form.requestSubmit();
  };
  const hold = (form: HTMLFormElement): void => {
    target.clearTimeout(held?.timer);
    held = { form, timer: target.setTimeout(sendHeld, keysEndMs) };
  };
  const takeCode = (code: string): void => {
    // A field that asks for the code has it before the form is sent. A card comes behind the sale that was confirmed.
    const isFilled = fillFocused(target.document, code, canBePin);
    sendHeld();
    if (!isFilled) onScan(code);
  };
  const onSubmit = (event: SubmitEvent): void => {
    const sinceKeyMs = pressedAtMs() - state.lastKeyAtMs;
    // A finger that went down before the first key counts with that key, and is for what was there before it.
    const isAmongKeys = sinceKeyMs < burstGapMs && (state.keyCount > 1 || (state.keyCount === 1 && sinceKeyMs > 0));
    if (isAmongKeys && event.target instanceof HTMLFormElement) {
      swallow(event);
      hold(event.target);
    } else letGo();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const [next, effect] = takeKey(state, {
      key: event.key,
      code: event.code,
      // The time of the press. A busy page may get the event later.
      atMs: event.timeStamp,
      repeat: event.repeat,
      shift: event.shiftKey,
      chord: event.ctrlKey || event.altKey || event.metaKey,
    });
    state = next;
    switch (effect.kind) {
      case 'pass':
        if (state.keyCount === 0) sendHeld();
        else under = withFocused(under, target.document);
        if (held !== null) hold(held.form);
        return;
      case 'begin':
        sendHeld();
        under = withFocused([], target.document);
        onBegin();
        return;
      case 'scan':
        swallow(event);
        putBack(under);
        onPutBack();
        takeCode(effect.code);
        under = [];
        return;
      case 'swallow':
        swallow(event);
        if (!effect.restore) return;
        putBack(under);
        onPutBack();
        sendHeld();
        return;
    }
  };
  // Behind whoever takes the click.
  const onClick = (): void => {
    if (isNobodyInFront()) state = forgetScan(state);
  };
  target.addEventListener('click', onClick);
  target.addEventListener('keydown', onKeyDown, { capture: true });
  target.addEventListener('submit', onSubmit, { capture: true });
  return () => {
    target.removeEventListener('click', onClick);
    target.removeEventListener('keydown', onKeyDown, { capture: true });
    target.removeEventListener('submit', onSubmit, { capture: true });
  };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A field that keys went into, and what it held before them. */
interface Under {
  readonly field: TextField;
  readonly value: string;
  /** All of its text was selected, so that the next key replaces it. */
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

// Sends an input event, so that the field's listeners see the new text.
function setValue(field: TextField, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
