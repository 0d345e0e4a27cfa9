import { effect, type ReadonlySignal } from '@preact/signals';

/** A page that never comes to rest is taken for calm all the same. In milliseconds. */
const latestMs = 2_000;

/** Runs something once: when the page has shown what is given, and has nothing else to do. */
export function whenCalm(page: Window, isShown: ReadonlySignal<boolean>, run: () => void): void {
  let isPlanned = false;
  effect(() => {
    if (isPlanned || !isShown.value) return;
    isPlanned = true;
    // Not every browser tells when it is idle.
    if ('requestIdleCallback' in page) page.requestIdleCallback(run, { timeout: latestMs });
    else run();
  });
}
