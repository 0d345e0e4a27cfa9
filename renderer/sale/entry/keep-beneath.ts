import { effect } from '@preact/signals';
import type { Model } from '../../model.ts';
import { readMs } from './answer-read.ts';
import type { Entry } from './entry-flow.ts';

/** What takes clicks for itself: what became of the sale, and what stands over the screen. */
const decides = '.outcome-slot, dialog, :popover-open';

/** Two taps of a hurried finger at one place are not further apart than this. */
const doubleTapMs = 500;
const doubleTapPx = 24;

/** Where a finger or the mouse went down last. */
interface Press {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  /** What it was meant for. */
  readonly on: Element | null;
}

/** An entry has come, gone or changed. */
interface Change {
  readonly atMs: number;
  /** The last press until then. */
  readonly press: Press | null;
  /** The entry has opened by itself, and the one before it was another customer's. */
  readonly isOfAnother: boolean;
}

/**
 * Ignores clicks that were meant for what stood there before an entry came or went, until somebody can have seen that. The
 * second of two taps on Cancel would choose another card; one on Confirm would credit the customer who waited, or let the
 * customer go before anybody has read what became of the sale. And a card that is read may put its customer's entry under
 * a finger that was about to confirm the one before.
 */
export function keepBeneath(page: Window, { sale, clock }: Pick<Model, 'sale' | 'clock'>): void {
  let press: Press | null = null;
  let change: Change | null = null;
  let before: Entry | null = null;
  /** The last entry that was put away or sent. A press may be meant for it as long as there is news of it or a look-up. */
  let last: Entry | null = null;
  effect(() => {
    const entry = sale.entry.value;
    if (entry?.entryId !== before?.entryId) {
      if (before !== null) last = before;
      const isOfAnother = entry?.isByItself === true && last !== null && !isSameCustomer(entry, last);
      change = { atMs: clock.monotonicMs(), press, isOfAnother };
    }
    before = entry;
  });
  // Whoever presses something while nobody is in front has seen that the last customer is gone.
  const forgetGone = (): void => {
    const isEmpty = sale.stage.peek().kind === 'idle' && sale.entry.peek() === null && sale.outcome.peek() === null;
    if (isEmpty) last = null;
  };
  page.addEventListener('keydown', forgetGone, { capture: true });
  page.addEventListener(
    'pointerdown',
    ({ clientX, clientY, timeStamp, target }) => {
      forgetGone();
      press = { x: clientX, y: clientY, atMs: timeStamp, on: pressed(target) };
    },
    { capture: true },
  );
  const isForBefore = ({ target, timeStamp, isTrusted, detail }: MouseEvent): boolean => {
    if (change === null || timeStamp - change.atMs >= readMs) return false;
    // A key, or a script, has pressed it. A finger's click is made by the page, with the time when the finger went down.
    const isByPointer = isTrusted ? detail > 0 : timeStamp === press?.atMs;
    if (!isByPointer) return false;
    if (!(target instanceof Element) || target.closest(decides) !== null) return false;
    const isConfirm = target.closest('[data-entry] [type=submit]') !== null;
    if (isConfirm && sale.entry.peek()?.untouched === false) return false;
    const isSame = change.press?.on === pressed(target);
    return (isConfirm && change.isOfAnother) || (!isSame && isSecondTap(change.press, press));
  };
  page.addEventListener(
    'click',
    (click) => {
      if (!isForBefore(click)) return;
      click.preventDefault();
      click.stopPropagation();
    },
    { capture: true },
  );
}

function isSameCustomer(one: Entry, other: Entry): boolean {
  return JSON.stringify(one.entryFor.identifier) === JSON.stringify(other.entryFor.identifier);
}

function pressed(target: EventTarget | null): Element | null {
  return target instanceof Element ? (target.closest('button, label') ?? target) : null;
}

/** @param before the last press before the change, which is the same one where the change came while it was down */
function isSecondTap(before: Press | null, last: Press | null): boolean {
  if (before === null || last === null || last.atMs - before.atMs >= doubleTapMs) return false;
  return Math.hypot(last.x - before.x, last.y - before.y) <= doubleTapPx;
}
