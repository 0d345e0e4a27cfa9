import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readMs } from '../sale/entry/answer-read.ts';

/** Where a button stands in its list and what it says. */
interface Standing {
  readonly place: string;
  readonly sinceMs: number;
}

/**
 * Ignores a click on a button of a list that was meant for what stood there before: the second of two presses on Release
 * would else let the next customer's hold go. Buttons that have not moved can be pressed while others come and go.
 *
 * @param list the element that holds the buttons
 * @param rows what stands where, as a text that changes with it
 * @param isPushedIn the list comes among what is shown, and moves that. Where it comes with what leads to it, its first
 *   buttons stand where nothing else could be meant
 * @returns the list's `onClickCapture`
 */
export function useUnreadStopped(
  list: RefObject<HTMLElement | null>,
  rows: string,
  { isPushedIn }: { readonly isPushedIn: boolean },
): (event: MouseEvent) => void {
  const standing = useRef<ReadonlyMap<Element, Standing> | null>(null);
  useLayoutEffect(() => {
    if (list.current === null) return;
    const { top } = list.current.getBoundingClientRect();
    const before = standing.current;
    const sinceMs = before === null && !isPushedIn ? Number.NEGATIVE_INFINITY : performance.now();
    const standings = Array.from(list.current.querySelectorAll('button'), (button): [Element, Standing] => {
      const place = `${Math.round(button.getBoundingClientRect().top - top)} ${button.textContent}`;
      const known = before?.get(button);
      return [button, known?.place === place ? known : { place, sinceMs }];
    });
    standing.current = new Map(standings);
  }, [list, rows, isPushedIn]);
  return (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const sinceMs = button === null ? undefined : standing.current?.get(button)?.sinceMs;
    if (sinceMs !== undefined && event.timeStamp - sinceMs < readMs) event.stopPropagation();
  };
}
