import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** When a part of the page was painted; infinite: it was not yet. */
const paintedAtMs = new WeakMap<Node, number>();

/** Notes when this part of the page, and whatever comes into it, is painted. */
export function useNotedShown(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (root.current === null) return;
    const note = (parts: readonly Node[]): void => {
      const at = (timeMs: number): void => parts.forEach((part) => void paintedAtMs.set(part, timeMs));
      at(Number.POSITIVE_INFINITY);
      requestAnimationFrame(() => at(performance.now()));
    };
    const observer = new MutationObserver((changes) => note(changes.flatMap(({ addedNodes }) => [...addedNodes])));
    observer.observe(root.current, { childList: true, subtree: true });
    note([root.current]);
    return () => observer.disconnect();
  }, [root]);
}

/** Whether it was pressed before this part of the page was there. A busy machine hands a press over late. */
export function isFromBefore(press: Event, part: Node): boolean {
  for (let at: Node | null = part; at !== null; at = at.parentNode) {
    if (press.timeStamp < (paintedAtMs.get(at) ?? 0)) return true;
  }
  return false;
}
