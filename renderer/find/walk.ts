import type { ReadonlySignal } from '@preact/signals';
import { isFromBefore } from '../components/shown.ts';
import { findBoxId } from './focus.ts';
import type { Stage } from './stage.ts';

/** An Enter so soon after the last one is meant for what was there then, such as a sale that was being saved. */
const sameEnterMs = 600;

/** What the arrow keys do on the sale screen. */
interface Walk {
  /** Chooses the card before or after the chosen one. @returns false when there is none */
  readonly chooseBeside: (step: 1 | -1) => boolean;
  readonly stage: ReadonlySignal<Stage>;
}

/**
 * Moves the focus by keys, so that a sale needs no mouse. Up and down go between the find box and the operations. Where
 * nobody was found, what can be done about that comes before the operations. Left and right change the card, and Escape
 * goes back to the find box. An entry, a dialog, a menu and a list of choices keep their own keys.
 *
 * @returns a function that ends this
 */
export function walkByArrows(page: Window, { chooseBeside, stage }: Walk): () => void {
  const { document } = page;
  const findBox = (): HTMLInputElement | null => document.querySelector<HTMLInputElement>(`#${findBoxId}`);
  const operations = (): readonly HTMLButtonElement[] => [
    ...document.querySelectorAll<HTMLButtonElement>(':is([data-missing] button, [data-operation]):enabled'),
  ];

  /** Whether the box still holds what nobody was found by. Who types on asks for somebody else. */
  const isVain = (text: string): boolean => stage.value.kind === 'missing' && stage.value.lookUp.text === text;

  let lastEnterMs = Number.NEGATIVE_INFINITY;
  const isSameEnter = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Enter') return false;
    const isSame = event.timeStamp - lastEnterMs < sameEnterMs;
    lastEnterMs = event.timeStamp;
    return isSame;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const isSame = isSameEnter(event);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (document.querySelector('dialog, :popover-open, [data-entry]') !== null) return;
    const active = document.activeElement;
    const box = findBox();
    // Other screens have keys of their own.
    if (box === null) return;
    const isInBox = active === box;
    const isDone = box.value === '' || (event.key === 'ArrowDown' && isVain(box.value));
    if (isInBox ? !isDone : active instanceof HTMLInputElement) return;
    const outcome = document.querySelector('.outcome');
    const at = operations().findIndex((operation) => operation.isSameNode(active));
    switch (event.key) {
      case 'ArrowDown':
        moveTo(isInBox ? 0 : at + 1);
        break;
      case 'Enter':
        if (!isInBox && at === -1) return;
        // What became of the sale stays until somebody can have seen it. The second of two Enters would open an entry.
        if (outcome !== null && (isSame || isFromBefore(event, outcome))) break;
        if (!isInBox || event.repeat) return;
        moveTo(0);
        break;
      case 'ArrowUp':
        if (at <= 0) box.focus();
        else moveTo(at - 1);
        break;
      case 'ArrowLeft':
      case 'ArrowRight': {
        if (!isInBox && at === -1) return;
        const isForward = (event.key === 'ArrowRight') === (document.documentElement.dir !== 'rtl');
        const isOther = chooseBeside(isForward ? 1 : -1);
        // The buttons now belong to the other card.
        if (isOther && at !== -1) page.requestAnimationFrame(() => moveTo(0));
        break;
      }
      case 'Escape':
        if (isInBox) return;
        box.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const moveTo = (index: number): void => {
    const all = operations();
    (all[Math.min(index, all.length - 1)] ?? findBox())?.focus();
  };

  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
