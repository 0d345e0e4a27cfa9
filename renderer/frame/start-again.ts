import { effect } from '@preact/signals';
import type { Model } from '../model.ts';

/** Nobody has touched the sale for so long. */
const restMs = 2_000;
/** Until then the agent may serve the page again. */
const askAgainMs = 10_000;

interface StartAgainParts {
  readonly model: Model;
  /** Whether something stands over the sale, such as a dialog or another screen, apart from the question who sells. */
  readonly isCovered: () => boolean;
  /** Whether the page would come back, and with its session. */
  readonly comesBack: () => Promise<boolean>;
  readonly reload: () => void;
}

/**
 * Reloads a browser's page after an update. Its parts that were not fetched yet are gone with the agent of before: of
 * the new one it gets the new ones, and has no use for them.
 *
 * It never goes on and on: the page that comes remembers the version that it finds.
 */
export function startAgainForUpdate({ model, isCovered, comesBack, reload }: StartAgainParts): void {
  const { clock, frame } = model;
  let ownVersion: string | null = null;
  let isTried = false;

  const isFree = (): boolean => {
    const version = frame.till.value?.version ?? null;
    ownVersion ??= version;
    return version !== ownVersion && frame.link.value === 'open' && losesNothing(model);
  };
  const tryIt = async (): Promise<void> => {
    if (isTried) return;
    isTried = true;
    const isSafe = !isCovered() && (await comesBack());
    isTried = false;
    // Somebody may have begun something meanwhile.
    if (isSafe && isFree() && !isCovered()) reload();
    else cancelTimer = clock.setTimer(again, askAgainMs);
  };
  const again = (): void => {
    if (isFree()) void tryIt();
  };
  let cancelTimer = (): void => undefined;
  effect(() => {
    cancelTimer();
    if (isFree()) cancelTimer = clock.setTimer(again, restMs);
  });
}

/**
 * Whether nothing is in front or typed that a page which is loaded anew would not have. A part of the screen that was
 * asked for and does not come helps nobody: then it is enough that nothing was typed for a sale.
 */
function losesNothing({ frame, sale, enroll, cashier, recent }: Model): boolean {
  const asking = cashier.asking.value;
  const isSigningIn = asking !== null && (asking.busy || asking.name !== null || asking.text !== '');
  const stage = sale.stage.value;
  const query = sale.query.value;
  const shownId = sale.outcome.value?.operation.operation_id ?? '';
  const isPinAsked = recent.undos.value.get(shownId)?.kind === 'pin_asked';
  if (isSigningIn || isPinAsked || sale.entry.value !== null || sale.waitingScan.value !== null) return false;
  if (frame.missingParts.value > 0) {
    const isVain = stage.kind === 'missing' && stage.lookUp.text === query;
    return stage.kind !== 'finding' && (query === '' || isVain);
  }
  const isAtRest = stage.kind === 'idle' && query === '' && sale.outcome.value === null && sale.passed.value === null;
  return isAtRest && frame.screen.value === 'sale' && enroll.enrollment.value === null;
}
