import { matchesCardPattern } from '../../find/shape.ts';
import { type Entry, mostPinDigits, typePin } from './entry-flow.ts';

/** Keys that no field of the entry took: they may be the beginning of a PIN that is about to be asked for. */
interface KeysAside {
  /** A digit that no field takes. @returns the entry with it; the same one where it goes nowhere yet */
  readonly take: (entry: Entry, digit: string) => Entry;
  /** A code that a scanner, or a hand as quick as one, has given. @returns the entry with it as its PIN; null: it is none */
  readonly takeBurst: (entry: Entry, code: string) => Entry | null;
  /** A question goes to the agent: what came before it is no PIN. */
  readonly asked: () => void;
  /**
   * The agent has answered.
   *
   * @returns the entry with what was typed meanwhile, where a PIN is asked for; `atBegin` is the same without the keys
   *   since `keysBegin`, and `taken` the burst that is in it
   */
  readonly answered: (entry: Entry) => {
    readonly entry: Entry;
    readonly atBegin: Entry;
    readonly taken: string | null;
  };
  readonly keysBegin: () => void;
  /** The keys since `keysBegin` were a scan's. */
  readonly keysWereScan: () => void;
}

const digitsOnly = /^\d+$/;

/** Whether a code that came in a burst can be a PIN: digits, and no card of ours. */
export function canBePin(code: string, cardPattern: string | null): boolean {
  return digitsOnly.test(code) && code.length <= mostPinDigits && !matchesCardPattern(code, cardPattern);
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
      if (entry.busy && kept.length < mostPinDigits) kept += digit;
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
