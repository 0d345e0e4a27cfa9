import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Finding } from '../find/finding.ts';
import { waysWith } from '../operation/standing.ts';
import * as flow from './entry/entry-flow.ts';
import type { PassedSale } from './outcome/passed.ts';
import type { Outcome } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';

/** The card that waits until the sale before it is over. */
interface WaitingScan {
  readonly waitingScan: Signal<string | null>;
  readonly keepsScan: Signal<boolean>;
}

export function createWaitingScan(): WaitingScan {
  return { waitingScan: signal(null), keepsScan: signal(false) };
}

interface ScanParts extends WaitingScan, Pick<SaleParts, 'sounds' | 'isElsewhere' | 'nowMs'> {
  readonly entry: Signal<flow.Entry | null>;
  readonly finding: Pick<Finding, 'stage' | 'isSomebodys' | 'takeScan' | 'bring'>;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly passedSale: Pick<PassedSale, 'tell'>;
  /** Whether an amount was entered for a customer who is still looked up. */
  readonly isAmountEntered: () => boolean;
  /** Takes a code as the PIN that is asked for. @returns false when the code is no PIN, or none is asked for */
  readonly takePin: (code: string) => boolean;
}

/** Decides what a scanned code is: a customer, a receipt's number, a fast typed PIN, or a card that has to wait. */
export function createSaleScans(parts: ScanParts): Pick<Sale, 'scan' | 'takeWaitingScan' | 'bringBeside'> {
  const { entry, finding, outcome, waitingScan, keepsScan, sounds } = parts;

  /** Whether the customer in front waits for what became of their redemption. */
  const isAwaited = (): boolean => {
    const shown = outcome.value;
    return shown !== null && !shown.isEarlier && waysWith(shown.operation, parts.nowMs()) === 'wait';
  };

  /** @param how `mustWait`: the customer in front keeps their place */
  const take = (code: string, { mustWait }: { readonly mustWait: boolean }): void => {
    const at = finding.stage.value;
    // The card of the customer who is already in front was scanned once more.
    const isSame = (entry.value !== null || mustWait) && at.kind === 'customer' && at.lookUp.text === code;
    const isLookedUp = at.kind === 'finding' && at.lookUp.text === code;
    if (isSame || isLookedUp || parts.takePin(code)) return;
    const open = entry.value;
    if (open?.isReceiptOpen === true && !open.busy) {
      entry.value = flow.typeReceipt(open, code);
      return;
    }
    // A product's code takes nobody's place, and not the one of a card that waits.
    if (!finding.isSomebodys(code)) {
      sounds.failure();
      return;
    }
    if (mustWait || (open !== null && !flow.isBlank(open)) || parts.isElsewhere() || parts.isAmountEntered()) {
      waitingScan.value = code;
      return;
    }
    entry.value = null;
    finding.takeScan(code);
  };

  return {
    scan: (code) => take(code, { mustWait: isAwaited() }),
    takeWaitingScan() {
      const code = waitingScan.value;
      waitingScan.value = null;
      keepsScan.value = false;
      if (code === null) return;
      const done = outcome.value;
      take(code, { mustWait: false });
      if (done === null || outcome.value !== null) return;
      // A row of Recent is no news.
      if (done.isEarlier) return;
      parts.passedSale.tell({ kind: 'done', operation: done.operation });
    },
    bringBeside(lookUp, profile = null) {
      if (entry.value?.busy === true) return;
      const code = waitingScan.value;
      batch(() => {
        finding.bring(lookUp, profile);
        // Neither a check-in nor an enrollment is a card that was scanned after the one that waits.
        waitingScan.value = code;
        keepsScan.value = code !== null;
      });
    },
  };
}
