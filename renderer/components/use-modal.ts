import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * A dialog over everything else for as long as it stands. It is closed before it is taken away: only then does the
 * browser give the focus back to what had it, and whoever has no mouse goes on from there.
 *
 * @param first what has the focus at the beginning; without one the browser chooses
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, first?: string): void {
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    if (first !== undefined) opened?.querySelector<HTMLElement>(first)?.focus();
    return () => opened?.close();
  }, []);
}
