import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { foldDigits } from '../../shared/money.ts';
import { burstGapMs, burstMinimumKeys } from '../scanner/scanner.ts';

/** Digits that a hand types with a customer in front: nobody can know before a pause that they are no scanner's. */
export interface TypedAmount {
  /** Digits stand in the find box that are about to become an amount. */
  readonly isBeginning: ReadonlySignal<boolean>;
  /** What the find box holds now, and whether a digit's key has just made it so. */
  readonly typed: (text: string, byDigitKey: boolean) => void;
  /** Somebody has come in front: what was typed while they were looked up is theirs. */
  readonly arrived: () => void;
  /** Without waiting for the pause, by Enter or because the dialog is open. @returns whether it was an amount */
  readonly beginNow: () => boolean;
}

interface TypedAmountParts {
  readonly clock: Clock;
  /** Whether digits are an amount now. */
  readonly canBegin: () => boolean;
  readonly onAmount: (text: string) => void;
}

const pauseMs = 2 * burstGapMs;
const amountBegun = /^\d+(?:[.,]\d*)?$/;

export function createTypedAmount({ clock, canBegin, onAmount }: TypedAmountParts): TypedAmount {
  const isBeginning: Signal<boolean> = signal(false);
  let digits = '';
  /** What they were before another key: a scan's keys come and are taken out of the box again. */
  let before = '';
  let cancelPause: CancelTimer = () => undefined;

  const beginNow = (): boolean => {
    cancelPause();
    isBeginning.value = false;
    const text = digits;
    if (text === '' || text.length >= burstMinimumKeys || !canBegin()) return false;
    digits = '';
    before = '';
    onAmount(text);
    return true;
  };
  const beginSoon = (): void => {
    cancelPause();
    // As many keys in one breath are a scanner's that sends no Enter, or a key that is held.
    isBeginning.value = digits !== '' && digits.length < burstMinimumKeys && canBegin();
    if (isBeginning.value) cancelPause = clock.setTimer(beginNow, pauseMs);
  };
  return {
    isBeginning,
    beginNow,
    typed(text, byDigitKey) {
      const plain = foldDigits(text);
      const goesOn = byDigitKey && (digits !== '' || plain.length === 1) && amountBegun.test(plain);
      digits = goesOn || plain === before ? plain : '';
      if (digits !== '' || plain === '') before = digits;
      beginSoon();
    },
    arrived: beginSoon,
  };
}
