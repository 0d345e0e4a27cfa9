import { effect, type ReadonlySignal } from '@preact/signals';

/**
 * Runs something once: when the page has shown what is given, and has nothing else to do.
 *
 * @param latestMs a page that never comes to rest is taken for calm by then
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
    // Not every browser tells when it is idle.
    if ('requestIdleCallback' in page) page.requestIdleCallback(run, { timeout: latestMs });
    else run();
  });
}
