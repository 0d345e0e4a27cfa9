import type { ReadonlySignal } from '@preact/signals';
import type { Finding } from '../find/finding.ts';
import type { AnswerRead } from './entry/answer-read.ts';
import type { Entry } from './entry/entry-flow.ts';
import type { Sale } from './sale-parts.ts';

interface LeavingParts extends Pick<Sale, 'waitingScan' | 'keepsScan' | 'takeWaitingScan' | 'closeEarlier'> {
  readonly entry: ReadonlySignal<Entry | null>;
  readonly finding: Pick<Finding, 'query' | 'stage' | 'clear' | 'goBack'>;
  readonly isUnread: AnswerRead['isUnread'];
  readonly putEntryAway: () => void;
  readonly forgetLeft: () => void;
}

type Leaving = Pick<Sale, 'cancel' | 'clear' | 'goBack'>;

/** The ways out of an entry, and from a customer to the next. */
export function createLeaving({ entry, finding, waitingScan, takeWaitingScan, ...parts }: LeavingParts): Leaving {
  const cancel = (): void => {
    if (entry.value === null || entry.value.busy || parts.isUnread()) return;
    parts.putEntryAway();
    takeWaitingScan();
  };
  return {
    cancel,
    clear() {
      if (entry.value?.busy === true || parts.isUnread()) return;
      finding.clear();
      // A cashier who asks for the next customer has finished with this one.
      parts.forgetLeft();
      takeWaitingScan();
    },
    goBack() {
      if (finding.query.value !== '') finding.goBack();
      else if (entry.value !== null) cancel();
      else if (!parts.closeEarlier()) {
        const isAwaited = finding.stage.value.kind === 'finding';
        // The card that waits is the next customer. That tells of the sale before it, too.
        if (waitingScan.value !== null && !parts.keepsScan.value && !isAwaited) takeWaitingScan();
        else finding.goBack();
      }
    },
  };
}
