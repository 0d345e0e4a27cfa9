import { effect } from '@preact/signals';
import type { Model } from '../../model.ts';
import { readMs } from './answer-read.ts';

/** What takes clicks for itself: another entry, what became of the sale, and what stands over the screen. */
const decides = '[data-entry], .outcome-slot, dialog, :popover-open';

/**
 * Ignores clicks on what an entry stood over until somebody can have seen that it is gone. The second of two taps on its
 * Cancel would choose another card, and one on its Confirm would let go the customer before anybody has read what became
 * of the sale.
 */
export function keepBeneath(page: Window, { sale, clock }: Pick<Model, 'sale' | 'clock'>): void {
  let openId: string | null = null;
  let gone: { readonly place: DOMRect; readonly atMs: number } | null = null;
  effect(() => {
    const id = sale.entry.value?.entryId ?? null;
    if (id === openId) return;
    // It is still drawn.
    const stage = openId === null ? null : page.document.querySelector('[data-entry]');
    openId = id;
    if (stage !== null) gone = { place: stage.getBoundingClientRect(), atMs: clock.monotonicMs() };
  });
  page.addEventListener(
    'click',
    (click) => {
      if (gone === null || click.timeStamp - gone.atMs >= readMs || !isIn(gone.place, click)) return;
      if (click.target instanceof Element && click.target.closest(decides) !== null) return;
      click.preventDefault();
      click.stopPropagation();
    },
    { capture: true },
  );
}

function isIn({ left, right, top, bottom }: DOMRect, { clientX, clientY }: MouseEvent): boolean {
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
