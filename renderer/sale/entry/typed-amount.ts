import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { foldDigits } from '../../../shared/money.ts';
import { localPhone } from '../../find/shape.ts';
import { burstGapMs, burstMinimumKeys } from '../../scanner/scanner.ts';

/**
 * What Enter means for the digits in the find box: `amount`, they are one, now or once the customer is there; `nobody`,
 * they were an amount for somebody who has not come or cannot earn; `other`, they are no amount.
 */
type EnterMeaning = 'amount' | 'nobody' | 'other';

/** Digits that a hand types with a customer in front: nobody can know before a pause that they are no scanner's. */
interface TypedAmount {
  /** Digits stand in the find box that are about to become an amount. */
  readonly isBeginning: ReadonlySignal<boolean>;
  /** What the find box holds now, and whether a digit's key has just made it so. */
  readonly typed: (text: string, byDigitKey: boolean) => void;
  /** Enter was pressed for somebody who is still looked up. */
  readonly isEntered: () => boolean;
  /**
   * Somebody has come in front: what was typed while they were looked up is theirs.
   *
   * @returns what was entered for them and can be no sale of theirs; it stays in the find box. Else null
   */
  readonly arrived: () => string | null;
  /** Nobody has come. @returns whether Enter had been pressed for them */
  readonly missed: () => boolean;
  readonly enter: () => EnterMeaning;
  /** The find box was emptied. @returns what was entered for somebody who is awaited, and is lost by it; else null */
  readonly forget: () => string | null;
}

interface TypedAmountParts {
  readonly clock: Clock;
  /** Somebody is being looked up: what is typed waits for them. */
  readonly isAwaited: () => boolean;
  /** Whether digits are an amount now. */
  readonly canBegin: () => boolean;
  /** The entry is open already: there is no pause to wait for. */
  readonly isOpen: () => boolean;
  /** @param amount `isConfirmed`: Enter was pressed for it while its customer was awaited */
  readonly onAmount: (amount: { readonly text: string; readonly isConfirmed: boolean }) => void;
}

const pauseMs = 2 * burstGapMs;
const amountBegun = /^\d+(?:[.,]\d*)?$/;

/** Before a point, fewer digits than these are an amount; with a point all are. */
function isAmount(text: string, tooManyDigits: number): boolean {
  return text !== '' && (/[.,]/.test(text) || text.length < tooManyDigits);
}
/** As many keys in one breath are a scanner's that sends no Enter, or a key that is held. */
const isByPause = (text: string): boolean => isAmount(text, burstMinimumKeys);
/** A person has pressed Enter: only as many digits as a phone number has are none. */
const isByEnter = (text: string): boolean => isAmount(text, localPhone.min);

export function createTypedAmount({ clock, isAwaited, canBegin, isOpen, onAmount }: TypedAmountParts): TypedAmount {
  const isBeginning: Signal<boolean> = signal(false);
  let digits = '';
  /** What they were before another key: a scan's keys come and are taken out of the box again. */
  let before = '';
  /** They were begun while somebody was looked up: they are no search, whatever comes of it. */
  let isForAwaited = false;
  /** What stood there when Enter was pressed for somebody who is awaited. */
  let entered = '';
  let cancelPause: CancelTimer = () => undefined;

  const forget = (): string | null => {
    const lost = hasEnter() ? digits : null;
    cancelPause();
    isBeginning.value = false;
    isForAwaited = false;
    [digits, before, entered] = ['', '', ''];
    return lost;
  };
  const begin = (isConfirmed: boolean): boolean => {
    cancelPause();
    isBeginning.value = false;
    if (!(isConfirmed ? isByEnter : isByPause)(digits) || !canBegin()) return false;
    const text = digits;
    forget();
    onAmount({ text, isConfirmed });
    return true;
  };
  const beginSoon = (): void => {
    cancelPause();
    const canBeginNow = canBegin();
    isBeginning.value = isByPause(digits) && (canBeginNow || isAwaited());
    if (isBeginning.value && canBeginNow) cancelPause = clock.setTimer(() => begin(false), pauseMs);
  };
  const hasEnter = (): boolean => entered !== '' && entered === digits;
  return {
    isBeginning,
    forget,
    typed(text, byDigitKey) {
      const plain = foldDigits(text);
      const isErased = plain !== '' && digits.startsWith(plain);
      const begins = byDigitKey && digits === '' && plain.length === 1;
      const goesOn = (begins || isErased || (byDigitKey && digits !== '')) && amountBegun.test(plain);
      if (begins) isForAwaited = isAwaited();
      digits = goesOn || plain === before ? plain : '';
      if (digits !== '' || plain === '') before = digits;
      beginSoon();
    },
    isEntered: () => isAwaited() && hasEnter(),
    arrived() {
      if (hasEnter()) {
        const text = digits;
        if (begin(true)) return null;
        entered = '';
        return text;
      }
      if (isOpen()) begin(false);
      else beginSoon();
      return null;
    },
    missed() {
      const wasEntered = hasEnter();
      isBeginning.value = false;
      return wasEntered;
    },
    enter() {
      if (!isForAwaited) return begin(false) ? 'amount' : 'other';
      if (!isByEnter(digits)) return 'other';
      if (isAwaited()) {
        entered = digits;
        return 'amount';
      }
      return begin(true) ? 'amount' : 'nobody';
    },
  };
}
