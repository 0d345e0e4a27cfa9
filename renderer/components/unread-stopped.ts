import { useLayoutEffect, useRef } from 'preact/hooks';
import { readMs } from '../sale/entry/answer-read.ts';

/**
 * Ignores a click on a list that was meant for what stood there before: the second of two presses on Release would else
 * let the next customer's hold go.
 *
 * @param rows what stands where, as a text that changes with it
 * @returns the list's `onClickCapture`
 */
export function useUnreadStopped(rows: string): (event: MouseEvent) => void {
  const standing = useRef({ rows, sinceMs: Number.NEGATIVE_INFINITY });
  useLayoutEffect(() => {
    if (standing.current.rows !== rows) standing.current = { rows, sinceMs: performance.now() };
  }, [rows]);
  return (event) => {
    if (event.timeStamp - standing.current.sinceMs < readMs) event.stopPropagation();
  };
}
