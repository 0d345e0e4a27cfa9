/**
 * Tells a scanner's keys from a person's. A scanner acts as a keyboard: it types its code in a burst, faster than a
 * person, and ends it with Enter or Tab. Pure: keys in, effects out; `listen.ts` is its edge.
 */

/** Keys with a longer pause between them are a person's. */
export const burstGapMs = 35;
/** Fewer keys than this are a person's, however quick. */
export const burstMinimumKeys = 6;
/** The same code again within this time is one scan, because the trigger was held too long. */
const sameCodeMs = 2000;

/** One key press, as the page saw it. */
export interface Keystroke {
  /** `KeyboardEvent.key`. */
  readonly key: string;
  /** `KeyboardEvent.code`: the key's place, which does not depend on the keyboard's language. */
  readonly code: string;
  /** When the key was pressed, in milliseconds of one monotonic clock. */
  readonly atMs: number;
  /** Repeated because the key is held: never a scan. */
  readonly repeat: boolean;
  readonly shift: boolean;
  /** Ctrl, Alt or Meta was down. Scanners send control characters so. */
  readonly chord: boolean;
}

export interface ScannerState {
  readonly characters: string;
  readonly keyCount: number;
  readonly lastKeyAtMs: number;
  readonly lastScan: { readonly code: string; readonly atMs: number } | null;
  /** A scan has just ended. Keys that follow at once (a line feed after the return) belong to it. */
  readonly justEnded: boolean;
}

export const idleScanner: ScannerState = {
  characters: '',
  keyCount: 0,
  lastKeyAtMs: Number.NEGATIVE_INFINITY,
  lastScan: null,
  justEnded: false,
};

/**
 * What to do about a key:
 * - `pass`: a person's, or nothing yet;
 * - `begin`: the first key of what may become a scan: remember the field under it;
 * - `scan`: a whole code; the key is swallowed and the field put back as it was at `begin`;
 * - `swallow`: the same code a second time, or a scan's trailing key.
 */
export type ScannerEffect =
  | { readonly kind: 'pass' }
  | { readonly kind: 'begin' }
  | { readonly kind: 'scan'; readonly code: string }
  | { readonly kind: 'swallow'; readonly restore: boolean };

const pass: ScannerEffect = { kind: 'pass' };
const silentKeys = new Set(['Shift', 'CapsLock', 'Control', 'Alt', 'AltGraph', 'Meta', 'NumLock']);

export function takeKey(state: ScannerState, stroke: Keystroke): readonly [ScannerState, ScannerEffect] {
  if (stroke.repeat) return [restart(state), pass];
  const quick = stroke.atMs - state.lastKeyAtMs < burstGapMs;
  if (silentKeys.has(stroke.key)) {
    return [quick ? { ...state, lastKeyAtMs: stroke.atMs } : state, pass];
  }
  if (stroke.key === 'Enter' || stroke.key === 'Tab') return takeEnd(state, stroke, quick);
  if (stroke.chord || stroke.key.length !== 1) return takeControl(state, stroke, quick);

  const character = characterOf(stroke);
  if (quick && state.keyCount > 0) {
    const characters = state.characters + character;
    return [{ ...state, characters, keyCount: state.keyCount + 1, lastKeyAtMs: stroke.atMs, justEnded: false }, pass];
  }
  return [
    { ...state, characters: character, keyCount: 1, lastKeyAtMs: stroke.atMs, justEnded: false },
    { kind: 'begin' },
  ];
}

function takeEnd(state: ScannerState, stroke: Keystroke, quick: boolean): readonly [ScannerState, ScannerEffect] {
  if (quick && state.justEnded)
    return [
      { ...state, lastKeyAtMs: stroke.atMs },
      { kind: 'swallow', restore: false },
    ];
  const code = cleanCode(state.characters);
  if (!quick || state.keyCount < burstMinimumKeys || code === '') return [restart(state), pass];
  const ended = { ...restart(state), lastKeyAtMs: stroke.atMs, justEnded: true };
  const last = state.lastScan;
  if (last !== null && last.code === code && stroke.atMs - last.atMs < sameCodeMs) {
    return [ended, { kind: 'swallow', restore: true }];
  }
  return [
    { ...ended, lastScan: { code, atMs: stroke.atMs } },
    { kind: 'scan', code },
  ];
}

// A control character or function key in a burst belongs to the scan. Alone it is a person's shortcut.
function takeControl(state: ScannerState, stroke: Keystroke, quick: boolean): readonly [ScannerState, ScannerEffect] {
  if (!quick || (state.keyCount === 0 && !state.justEnded)) {
    // Whoever takes back what was scanned may scan it again at once.
    return [stroke.key === 'Escape' ? idleScanner : restart(state), pass];
  }
  return [{ ...state, lastKeyAtMs: stroke.atMs }, stroke.chord ? { kind: 'swallow', restore: false } : pass];
}

/** The same code again is a new scan: whom it found was let go. */
export function forgetScan(state: ScannerState): ScannerState {
  return { ...state, lastScan: null };
}

function restart(state: ScannerState): ScannerState {
  return { ...idleScanner, lastScan: state.lastScan };
}

const codeCharacters: Readonly<Record<string, readonly [string, string]>> = {
  Minus: ['-', '_'],
  Equal: ['=', '+'],
  Slash: ['/', '?'],
  Period: ['.', '>'],
  Comma: [',', '<'],
  Semicolon: [';', ':'],
};

/**
 * A scanner types as an English keyboard. With an Arabic layout its letters arrive as Arabic ones, so the key's place
 * says which character was meant.
 */
function characterOf(stroke: Keystroke): string {
  if (stroke.key.charCodeAt(0) < 0x80) return stroke.key;
  const place = /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(stroke.code);
  if (place?.[1] !== undefined) return stroke.shift ? place[1] : place[1].toLowerCase();
  if (place?.[2] !== undefined) return place[2];
  return codeCharacters[stroke.code]?.[stroke.shift ? 1 : 0] ?? stroke.key;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking control characters out is the point
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\ufeff]/g;
/** The AIM symbology identifier, which some scanners put before the code: `]C1`, `]Q3`. */
const symbologyPrefix = /^\][A-Za-z][0-9A-Za-z]/;

/** A code without framing, control characters and blanks around it. */
export function cleanCode(characters: string): string {
  return characters.replace(controlCharacters, '').trim().replace(symbologyPrefix, '');
}
