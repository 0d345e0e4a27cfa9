import { maxPinLength } from '../../../shared/till/limits.ts';
import { matchesCardPattern } from '../../find/shape.ts';
import { type Entry, typePin } from './entry-flow.ts';

/**
 * Keeps digits that no field of the entry took. They may be the beginning of a PIN that the agent is about to ask for.
 */
interface KeysAside {
  /** Takes a digit that no field took. @returns the entry with the digit in its PIN; the same entry without a PIN */
  readonly take: (entry: Entry, digit: string) => Entry;
  /**
   * Takes a code of a scanner, or of a person who types as fast.
   *
   * @returns the entry with the code as its PIN; null when the code is no PIN, or has to wait for the agent's answer
   */
  readonly takeBurst: (entry: Entry, code: string) => Entry | null;
  /** The agent is asked: digits that came before are no PIN, and are forgotten. */
  readonly asked: () => void;
  /**
   * The agent has answered.
   *
   * @returns the entry with what was typed meanwhile as its PIN, when the agent asks for one; `atBegin` is that entry
   *   without the keys since `keysBegin`, and `taken` is the burst that became the PIN
   */
  readonly answered: (entry: Entry) => {
    readonly entry: Entry;
    readonly atBegin: Entry;
    readonly taken: string | null;
  };
  readonly keysBegin: () => void;
  /** The keys since `keysBegin` were a scan, so they are forgotten. */
  readonly keysWereScan: () => void;
}

const digitsOnly = /^\d+$/;

/** Whether a code that came in a burst can be a PIN: it has only digits, not too many, and is none of our cards. */
export function canBePin(code: string, cardPattern: string | null): boolean {
  return digitsOnly.test(code) && code.length <= maxPinLength && !matchesCardPattern(code, cardPattern);
}

export function createKeysAside(cardPattern: () => string | null): KeysAside {
  let kept = '';
  let keptAtBegin = '';
  let burst: string | null = null;
  const forget = (): void => {
    [kept, keptAtBegin, burst] = ['', '', null];
  };
  return {
    take(entry, digit) {
      if (entry.pin !== null && !entry.busy) return typePin(entry, entry.pin + digit);
      if (entry.busy && kept.length < maxPinLength) kept += digit;
      return entry;
    },
    takeBurst(entry, code) {
      if (!canBePin(code, cardPattern())) return null;
      if (entry.busy) burst = code;
      return entry.pin === null || entry.busy ? null : typePin(entry, code);
    },
    asked: forget,
    answered(entry) {
      const [typed, before, taken] = [kept, keptAtBegin, burst];
      forget();
      if (entry.pin === null) return { entry, atBegin: entry, taken: null };
      return { entry: { ...entry, pin: taken ?? typed }, atBegin: { ...entry, pin: before }, taken };
    },
    keysBegin() {
      keptAtBegin = kept;
    },
    keysWereScan() {
      kept = keptAtBegin;
    },
  };
}
