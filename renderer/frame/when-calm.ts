import { effect, type ReadonlySignal } from '@preact/signals';

/**
 * Runs something once, when the page has shown its first state and has nothing else to do.
 *
 * @param latestMs a page that is never idle is taken for idle after this time
 */
export function whenCalm(
  page: Window,
  { isShown, latestMs }: { readonly isShown: ReadonlySignal<boolean>; readonly latestMs: number },
  run: () => void,
): void {
  let isPlanned = false;
  effect(() => {
    if (isPlanned || !isShown.value) return;
    isPlanned = true;
    // Not every browser reports when it is idle.
    if ('requestIdleCallback' in page) page.requestIdleCallback(run, { timeout: latestMs });
    else run();
  });
}
