import { effect } from '@preact/signals';
import { walkByArrows } from './find/walk.ts';
import { startAgainForUpdate } from './frame/start-again.ts';
import { tellWhenUsed } from './frame/tell-when-used.ts';
import { whenCalm } from './frame/when-calm.ts';
import { openHelpByMark } from './guide/help-mark.ts';
import type { Model } from './model.ts';
import { keepBeneath } from './sale/entry/keep-beneath.ts';
import { rehearseEntry } from './sale/entry/rehearse-entry.tsx';
import { comesBack } from './shell/comes-back.ts';
import { fetchCode } from './shell/fetch-code.ts';

/** Starts what nobody needs before the screen is shown. It comes after the first state, so that a start loads less. */
export function beginAtRest(page: Window & typeof globalThis, model: Model): void {
  walkByArrows(page, model.sale);
  keepBeneath(page, model);
  openHelpByMark(page, { open: model.guide.openHelp, close: model.guide.closeHelp });
  tellWhenUsed(page, { api: model.api, clock: model.clock, till: model.frame.till });
  tellOnceThereIsADisplay(model);
  // The desktop app has its own files, and starts itself again (main/attach/start-again.ts).
  if (page.tillbridge === undefined) followUpdates(page, model);
  whenCalm(page, { isShown: model.frame.isCalm, latestMs: 2_000 }, () => rehearseEntry(page.document, model));
}

const overTheSale = 'dialog:not(.shut-dialog), :popover-open, main[data-screen]:not([data-screen=sale])';

function followUpdates(page: Window & typeof globalThis, model: Model): void {
  startAgainForUpdate({
    model,
    isCovered: () => page.document.querySelector(overTheSale) !== null,
    comesBack: () => comesBack(page),
    reload: () => page.location.reload(),
  });
}

const fetchTelling = fetchCode(() => import('./display/tell-customer.ts'));

function tellOnceThereIsADisplay(model: Model): void {
  let isDisplayTold = false;
  effect(() => {
    if (isDisplayTold || model.frame.till.value?.display == null) return;
    isDisplayTold = true;
    fetchTelling().then(
      ({ tellCustomer }) => tellCustomer(model),
      () => (isDisplayTold = false),
    );
  });
}
