import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import { foldDigits } from '../../../shared/lib/digits.ts';
import { localPhone } from '../../find/shape.ts';
import { burstGapMs, burstMinimumKeys } from '../../scanner/scanner.ts';
import type { Presses } from '../../shell/presses.ts';

/**
 * What Enter means for the digits in the find box:
 * - `amount`: they are an amount, now or as soon as the awaited customer is there;
 * - `nobody`: they were an amount, but the customer was not found or cannot earn, or no card is chosen;
 * - `other`: they are no amount.
 */
type EnterMeaning = 'amount' | 'nobody' | 'other';

/**
 * Reads amounts that the cashier types into the find box while a customer is in front. Only a pause proves that digits
 * do not come from a scanner.
 */
export interface TypedAmount {
  /** The find box holds digits that are about to become an amount. */
  readonly isBeginning: ReadonlySignal<boolean>;
  /** Takes the find box's text, and whether a digit's key has just changed it. */
  readonly typed: (text: string, how: { readonly byDigitKey: boolean }) => void;
  /** Whether Enter was pressed for a customer who is still looked up. */
  readonly isEntered: () => boolean;
  /**
   * The customer is in front now, or their card is chosen. What was typed before is for them.
   *
   * @returns the entered amount when it cannot become a sale of this customer; it stays in the find box. Else null
   */
  readonly arrived: () => string | null;
  /** The customer was not found. @returns whether Enter had been pressed for them */
  readonly missed: () => boolean;
  readonly enter: () => EnterMeaning;
  /** The find box was emptied. @returns the amount that was entered for an awaited customer and is lost; else null */
  readonly forget: () => string | null;
}

interface TypedAmountParts {
  readonly clock: Clock;
  readonly presses: Presses;
  /** Whether a customer is being looked up. What is typed waits for them. */
  readonly isAwaited: () => boolean;
  /** Whether the cashier has to choose the card of the customer in front. What is typed waits for that. */
  readonly isCardAwaited: () => boolean;
  /** Whether digits may become an amount now. */
  readonly canBegin: () => boolean;
  /** Whether the entry is open already. Then there is no pause to wait for. */
  readonly isOpen: () => boolean;
  /** @param amount `isConfirmed`: Enter was pressed for it, by a person */
  readonly onAmount: (amount: { readonly text: string; readonly isConfirmed: boolean }) => void;
}

const pauseMs = 2 * burstGapMs;
const amountBegun = /^\d+(?:[.,]\d*)?$/;

/** A text with a decimal point is an amount. Without a point it has to be shorter than `tooManyDigits`. */
function isAmount(text: string, tooManyDigits: number): boolean {
  return text !== '' && (/[.,]/.test(text) || text.length < tooManyDigits);
}
/** Without Enter, a longer row of digits may come from a scanner that sends no Enter, or from a key that is held. */
const isByPause = (text: string): boolean => isAmount(text, burstMinimumKeys);
/** With Enter, a person typed the digits. They are an amount unless they are as many as a phone number has. */
const isByEnter = (text: string): boolean => isAmount(text, localPhone.min);

export function createTypedAmount({
  clock,
  presses,
  isAwaited,
  canBegin,
  isOpen,
  onAmount,
  ...parts
}: TypedAmountParts): TypedAmount {
  const isBeginning: Signal<boolean> = signal(false);
  let digits = '';
  /** The digits before the last change. When a scan's keys are taken out of the box, these digits count again. */
  let before = '';
  /** The digits were begun while a customer or a card was awaited, so they are meant for that. */
  let isForAwaited = false;
  /** The digits that were there when Enter was pressed for an awaited customer. */
  let entered = '';
  let typedAtMs = 0;
  let cancelPause: CancelTimer = () => undefined;

  const forget = (): string | null => {
    const lost = hasEnter() ? digits : null;
    cancelPause();
    isBeginning.value = false;
    isForAwaited = false;
    [digits, before, entered] = ['', '', ''];
    return lost;
  };
  const begin = (isMeant: (text: string) => boolean, how: { readonly isConfirmed: boolean }): boolean => {
    cancelPause();
    isBeginning.value = false;
    if (!isMeant(digits) || !canBegin()) return false;
    const text = digits;
    forget();
    onAmount({ text, ...how });
    return true;
  };
  const mustWait = (): boolean => isAwaited() || parts.isCardAwaited();
  const beginSoon = (): void => {
    cancelPause();
    const canBeginNow = canBegin();
    isBeginning.value = isByPause(digits) && (canBeginNow || mustWait());
    if (isBeginning.value && canBeginNow)
      cancelPause = clock.setTimer(() => begin(isByPause, { isConfirmed: false }), pauseMs);
  };
  const hasEnter = (): boolean => entered !== '' && entered === digits;
  return {
    isBeginning,
    forget,
    typed(text, { byDigitKey }) {
      const plain = foldDigits(text);
      typedAtMs = presses.pressedAtMs();
      const isErased = plain !== '' && digits.startsWith(plain);
      const begins = byDigitKey && digits === '' && plain.length === 1;
      const goesOn = (begins || isErased || (byDigitKey && digits !== '')) && amountBegun.test(plain);
      if (begins) isForAwaited = mustWait();
      digits = goesOn || plain === before ? plain : '';
      if (digits !== '' || plain === '') before = digits;
      beginSoon();
    },
    isEntered: () => isAwaited() && hasEnter(),
    arrived() {
      if (hasEnter()) {
        const text = digits;
        if (begin(isByEnter, { isConfirmed: true })) return null;
        entered = '';
        return text;
      }
      if (isOpen()) begin(isByPause, { isConfirmed: false });
      else beginSoon();
      return null;
    },
    missed() {
      const wasEntered = hasEnter();
      isBeginning.value = false;
      return wasEntered;
    },
    enter() {
      // A busy page gets Enter before the pause is over in which the digits become the entry that Enter confirms.
      const isAfterPause = presses.pressedAtMs() - typedAtMs >= pauseMs;
      if (!isForAwaited) return begin(isByPause, { isConfirmed: isAfterPause }) ? 'amount' : 'other';
      if (!isByEnter(digits)) return 'other';
      if (isAwaited()) {
        entered = digits;
        return 'amount';
      }
      return !parts.isCardAwaited() && begin(isByEnter, { isConfirmed: true }) ? 'amount' : 'nobody';
    },
  };
}
